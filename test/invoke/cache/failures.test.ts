import { beforeEach, describe, expect, test } from "vitest";
import type { CacheRule } from "../../../src/ir.ts";
import { MAX_KEPT_RESULT_BYTES, REFRESH_BASE_PAUSE_MS } from "../../../src/limits.ts";
import { loopbackForTests, type Reply } from "../loopback.ts";
import { NO_RETRIES } from "../skills.ts";
import { MINUTE, placeWith } from "./place.ts";

const upstream = await loopbackForTests();
const numbered = (): Reply => ({ body: upstream.arrivals.length });
const refuses = (): Reply => ({ status: 400, body: { code: "2002" } });
const down = (): Reply => ({ status: 503 });
beforeEach(() => {
  upstream.answer = numbered;
});

describe("a result whose time is over, where making it anew fails", () => {
  const rule = { staleIfErrorMs: 10 * MINUTE };

  test("is given in place of an outage, with its age, and nothing is sent during the pause", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    place.advance(MINUTE);
    upstream.answer = down;
    expect(await ask()).toEqual([1, 60, "stale"]);
    expect(await ask()).toEqual([1, 60, "stale"]);
    expect(upstream.arrivals).toHaveLength(2);
    place.advance(REFRESH_BASE_PAUSE_MS);
    upstream.answer = numbered;
    expect(await ask()).toEqual([3, 0, "fresh"]);
  });

  test("is not given in place of an answer, which a refusal is", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    place.advance(MINUTE);
    upstream.answer = refuses;
    expect(await ask()).toBe("UPSTREAM_REJECTED");
  });

  test.each([400, 403, 404, 410])(
    "is given no more once the upstream has refused it by %d, whatever comes next",
    async (status) => {
      const { place, ask } = placeWith(upstream.origin, rule);
      await ask();
      place.advance(MINUTE);
      upstream.answer = () => ({ status });
      expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill("UPSTREAM_REJECTED"));
      place.advance(REFRESH_BASE_PAUSE_MS);
      expect(await ask()).toBe("UPSTREAM_REJECTED");
      upstream.answer = down;
      expect(await ask()).toBe("UPSTREAM_UNAVAILABLE");
    },
  );

  test("is given no more once the upstream, back from an outage, has refused it", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    place.advance(MINUTE);
    upstream.answer = down;
    expect(await ask()).toEqual([1, 60, "stale"]);
    place.advance(REFRESH_BASE_PAUSE_MS);
    upstream.answer = refuses;
    expect([await ask(), await ask()]).toEqual(["UPSTREAM_REJECTED", "UPSTREAM_REJECTED"]);
  });

  test("is given no more once there is a newer one, which is too large to be kept", async () => {
    const { skill, place, ask } = placeWith(upstream.origin, rule);
    skill.upstreams = skill.upstreams.map((one) => ({
      ...one,
      upstream: { ...one.upstream, maxResponseBytes: 2_000_000 },
    }));
    await ask();
    place.advance(MINUTE);
    const large = "x".repeat(MAX_KEPT_RESULT_BYTES);
    upstream.answer = () => ({ body: large });
    expect([await ask(), await ask()]).toEqual([
      [large, 0, "fresh"],
      [large, 0, "fresh"],
    ]);
  });

  test("is given until its end and no longer", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    upstream.answer = down;
    place.advance(11 * MINUTE - 1);
    expect(await ask()).toEqual([1, 659.999, "stale"]);
    place.advance(1);
    expect(await ask()).toBe("UPSTREAM_UNAVAILABLE");
  });

  test("follows the time in which it is made anew in the background", async () => {
    const { place, ask } = placeWith(upstream.origin, { ...rule, staleWhileRevalidateMs: MINUTE });
    await ask();
    upstream.answer = down;
    place.advance(2 * MINUTE);
    expect(await ask()).toEqual([1, 120, "stale"]);
    expect(place.faults).toEqual([]);
  });

  test("is waited for by all together", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    upstream.answer = down;
    place.advance(MINUTE);
    const given = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(given).toEqual(given.map(() => [1, 60, "stale"]));
    expect(upstream.arrivals).toHaveLength(2);
  });
});

describe("a failure", () => {
  const codes = [{ code: "2002", kind: "not_found" as const }];
  const errorHandling = { ...NO_RETRIES, codes };
  const rule = { failures: [{ kind: "not_found" as const, ttlMs: 30_000 }] };

  test("of a kind that the function keeps is given again with its age, and asked for anew after its time", async () => {
    const { skill, place, ask } = placeWith(upstream.origin, rule, { errorHandling });
    upstream.answer = refuses;
    expect(await place.call(skill, "ask", {})).toEqual({
      ok: false,
      failure: expect.not.objectContaining({ ageMs: expect.anything() }),
    });
    place.advance(29_999);
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { code: "UPSTREAM_REJECTED", kind: "not_found", ageMs: 29_999 },
    });
    expect([upstream.arrivals.length, place.admissions.length]).toEqual([1, 1]);
    place.advance(1);
    upstream.answer = numbered;
    expect(await ask()).toEqual([2, 0, "fresh"]);
  });

  test.each<[string, Partial<CacheRule>, () => Reply]>([
    ["of that kind where the function does not say so", {}, refuses],
    ["of another kind", { failures: [{ kind: "invalid", ttlMs: 30_000 }] }, refuses],
    ["of the moment", rule, down],
  ])("%s is not", async (_which, change, answer) => {
    const { ask } = placeWith(upstream.origin, change, { errorHandling });
    upstream.answer = answer;
    await ask();
    upstream.answer = numbered;
    expect(await ask()).toEqual([2, 0, "fresh"]);
  });

  test("that is kept takes the place of a stale result: it is the upstream's newer answer", async () => {
    const { place, ask } = placeWith(
      upstream.origin,
      { ...rule, staleWhileRevalidateMs: 10 * MINUTE },
      { errorHandling },
    );
    await ask();
    place.advance(MINUTE);
    upstream.answer = refuses;
    await ask();
    await place.settled();
    expect(await ask()).toBe("UPSTREAM_REJECTED");
    expect(upstream.arrivals).toHaveLength(2);
  });
});

describe("a kept result", () => {
  test.each([null, [], {}, "", 0, false])("may be nothing much: %j", async (body) => {
    const { ask } = placeWith(upstream.origin, {});
    upstream.answer = () => ({ body });
    expect([await ask(), await ask()]).toEqual([
      [body, 0, "fresh"],
      [body, 0, "fresh"],
    ]);
    expect(upstream.arrivals).toHaveLength(1);
  });

  test("is given where a limit is used up, and where the circuit is closed to its host", async () => {
    const limits = [{ max: 1, window: "minute" as const }];
    const { skill, place, ask } = placeWith(
      upstream.origin,
      { ttlMs: 10 * MINUTE },
      { globalLimits: limits },
    );
    await ask();
    expect(await ask()).toEqual([1, 0, "fresh"]);
    const circuit = JSON.stringify(["tenant-1", skill.name, new URL(upstream.origin).host]);
    for (let time = 0; time < 10; time += 1) {
      const passed = place.dependencies.circuits.pass(circuit);
      if (passed.ok) passed.value.report("down");
    }
    expect(place.dependencies.circuits.pass(circuit).ok).toBe(false);
    expect(await ask()).toEqual([1, 0, "fresh"]);
  });

  test("is forgotten where the clock is set back to before it was made", async () => {
    const { place, ask } = placeWith(upstream.origin, {});
    await ask();
    place.advance(-3_600_000);
    expect(await ask()).toEqual([2, 0, "fresh"]);
  });
});
