import { beforeEach, describe, expect, test } from "vitest";
import type { Authentication, FunctionDefinition, Skill } from "../../../src/ir.ts";
import {
  CALL_DEADLINE_MS,
  CIRCUIT_BASE_PAUSE_MS,
  CIRCUIT_FAILURES,
  CIRCUIT_PROBE_WAIT_MS,
} from "../../../src/limits.ts";
import { loopbackForTests, type Reply } from "../loopback.ts";
import { functionWith, get, skillWith } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => DOWN;
});

const DOWN: Reply = { status: 503 };
const KEY: Authentication = { method: "bearer", variable: "DEMO_KEY" };
const LIMIT = [{ max: 1_000, window: "minute" as const }];

function skillNamed(name: string, change: Partial<FunctionDefinition> = {}): Skill {
  const ask = functionWith("ask", get("/x"), change);
  return skillWith(name, [ask], [KEY], { globalLimits: LIMIT });
}

function placeFor(skill: Skill, others: Skill[] = []): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin, secrets: { DEMO_KEY: "key" }, others });
}

/** Calls until the circuit is open. */
async function fail(place: Surroundings, skill: Skill, tenant = "tenant-1"): Promise<void> {
  for (let count = 0; count < CIRCUIT_FAILURES; count += 1)
    expect(await place.call(skill, "ask", {}, null, tenant)).toMatchObject({ ok: false });
}

const REFUSED = {
  code: "UPSTREAM_UNAVAILABLE",
  upstream: { status: null },
  retryAfterMs: CIRCUIT_BASE_PAUSE_MS,
};

describe("calls of an upstream that is down", () => {
  test("are refused after some failures in a row, and cost no request and no limit", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await fail(place, skill);
    const before = [upstream.arrivals.length, place.admissions.length];
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: false, failure: REFUSED });
    expect([upstream.arrivals.length, place.admissions.length]).toEqual(before);
    expect(before).toEqual([CIRCUIT_FAILURES, CIRCUIT_FAILURES]);
  });

  test("are tried once after a pause: a failure begins a longer one, an answer ends it all", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await fail(place, skill);
    place.advance(CIRCUIT_BASE_PAUSE_MS);
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { upstream: { status: 503 } } });
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { ...REFUSED, retryAfterMs: 2 * CIRCUIT_BASE_PAUSE_MS },
    });
    place.advance(2 * CIRCUIT_BASE_PAUSE_MS);
    upstream.answer = () => ({ body: "well" });
    for (const _ of [1, 2]) expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
    expect(upstream.arrivals).toHaveLength(CIRCUIT_FAILURES + 3);
    expect(place.dependencies.circuits.size).toBe(0);
  });

  test("wait while one of them probes", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await fail(place, skill);
    place.advance(CIRCUIT_BASE_PAUSE_MS);
    let answer = (_reply: Reply): void => {};
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = () => {
        resolve();
        return new Promise((reply) => {
          answer = reply;
        });
      };
    });
    const probe = place.call(skill, "ask", {});
    await arrived;
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { ...REFUSED, retryAfterMs: CIRCUIT_PROBE_WAIT_MS },
    });
    answer({ body: "well" });
    expect(await probe).toMatchObject({ ok: true });
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });

  test("stop within a call that tries again, which then ends in what the upstream said last", async () => {
    const skill = skillNamed("demo");
    skill.constraints.errorHandling = { ...skill.constraints.errorHandling, maxRetries: 2 };
    const place = placeFor(skill);
    for (let count = 0; count < 3; count += 1) {
      expect(await place.call(skill, "ask", {})).toMatchObject({
        failure: count < 2 ? { upstream: { status: 503 } } : REFUSED,
      });
    }
    expect(upstream.arrivals).toHaveLength(CIRCUIT_FAILURES);
  });

  test("are probed again where the probe's caller has gone, or no limit lets it through", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await fail(place, skill);
    place.advance(CIRCUIT_BASE_PAUSE_MS);
    const { limiter } = place.dependencies;
    const refusing = {
      ...limiter,
      admit: async () =>
        ({ admitted: false, because: "used up", retryAfterMs: 5, refusedBy, states: [] }) as const,
    };
    const refusedBy = { max: 1, window: "minute", bucket: "b", group: "g", label: "l" } as const;
    Object.assign(place.dependencies, { limiter: refusing });
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "RATE_LIMIT_EXCEEDED" } });
    Object.assign(place.dependencies, { limiter });
    const controller = new AbortController();
    upstream.answer = () => {
      controller.abort();
      return new Promise(() => {});
    };
    expect(await place.call(skill, "ask", {}, controller.signal)).toMatchObject({ ok: false });
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { data: "well" } });
  });
});

describe("the circuit of a host stays closed", () => {
  test.each<[string, Reply]>([
    ["refusals of arguments", { status: 400 }],
    ["refusals of the credential", { status: 401 }],
    ["replies that a thing is not there", { status: 404 }],
    ["limits", { status: 429 }],
    ["replies that cannot be read", { headers: { "content-type": "image/png" } }],
    ["replies that are too large", { body: "x".repeat(200_000) }],
  ])("whatever the number of %s", async (_what, reply) => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    upstream.answer = () => reply;
    for (let count = 0; count < 2 * CIRCUIT_FAILURES; count += 1) await place.call(skill, "ask", {});
    expect(upstream.arrivals).toHaveLength(2 * CIRCUIT_FAILURES);
  });

  test("for the skills that another skill shares the host and the credential with", async () => {
    const bundled = skillNamed("bundled");
    const upload = skillNamed("upload");
    const place = placeFor(bundled, [upload]);
    await fail(place, upload);
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(upload, "ask", {})).toMatchObject({ failure: REFUSED });
    expect(await place.call(bundled, "ask", {})).toMatchObject({ ok: true });
  });

  test("for one tenant, whatever another one's arguments do there", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await fail(place, skill, "other");
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {}, null, "other")).toMatchObject({ failure: REFUSED });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });

  test("where attempts fail for want of the call's own time", async () => {
    const skill = skillNamed("demo", { timeoutMs: 10_000 });
    const place = placeFor(skill);
    upstream.answer = () => new Promise(() => {});
    const { now } = place.dependencies;
    for (let count = 0; count < CIRCUIT_FAILURES; count += 1) {
      // The first reading of the clock sets the deadline, and the later ones are just before it.
      let readings = 0;
      const late = () => now() + (readings++ === 0 ? 0 : CALL_DEADLINE_MS - 5);
      Object.assign(place.dependencies, { now: late });
      expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "UPSTREAM_TIMEOUT" } });
    }
    Object.assign(place.dependencies, { now });
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });
});
