import { beforeEach, describe, expect, test } from "vitest";
import { failed, success } from "../../../src/errors.ts";
import { type Outcome, ResultCache } from "../../../src/invoke/index.ts";
import { startShare } from "../../../src/invoke/run.ts";
import {
  CALL_DEADLINE_MS,
  CLOCK_TOLERANCE_MS,
  FLIGHT_PATIENCE_MS,
  MAX_CALL_REQUESTS,
  REFRESH_BASE_PAUSE_MS,
} from "../../../src/limits.ts";
import { loopbackForTests, type Reply } from "../loopback.ts";
import { runWith } from "../runs.ts";
import { cacheRule, chain, functionWith, get, parameters, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";
import { MINUTE, placeWith, READ_ONLY } from "./place.ts";

const upstream = await loopbackForTests();
const numbered = (): Reply => ({ body: upstream.arrivals.length });
const down = (): Reply => ({ status: 503 });
const refuses = (): Reply => ({ status: 400, body: { code: "2002" } });
beforeEach(() => {
  upstream.answer = numbered;
});

function made(data: number): Outcome {
  const plain = { json: null, attempts: 1, cached: false, stale: false, ageMs: 0 };
  return { data, ...plain, pages: null, steps: null, returns: null };
}

const REFRESHED = { staleWhileRevalidateMs: 10 * MINUTE };

describe("a result that is stale, while it is made anew", () => {
  const rule = REFRESHED;

  test("is given at once, and the new one after that", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    expect(await ask()).toEqual([1, 0, "fresh"]);
    place.advance(MINUTE);
    const answer = Promise.withResolvers<Reply>();
    upstream.answer = () => answer.promise;
    expect(await ask()).toEqual([1, 60, "stale"]);
    place.advance(1_000);
    expect(await ask()).toEqual([1, 61, "stale"]);
    answer.resolve({ body: "new" });
    await place.settled();
    place.advance(1_000);
    expect(await ask()).toEqual(["new", 1, "fresh"]);
    expect([upstream.arrivals.length, place.admissions.length]).toEqual([2, 2]);
  });

  test("is made anew once for all who ask at the same time", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    place.advance(MINUTE);
    const given = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(new Set(given.map((one) => JSON.stringify(one)))).toEqual(new Set(['[1,60,"stale"]']));
    await place.settled();
    expect(upstream.arrivals).toHaveLength(2);
  });

  test("is made anew even where whoever was given it goes away", async () => {
    const { skill, place, ask } = placeWith(upstream.origin, rule);
    await ask();
    place.advance(MINUTE);
    const caller = new AbortController();
    await place.call(skill, "ask", {}, caller.signal);
    caller.abort();
    await place.settled();
    expect(await ask()).toEqual([2, 0, "fresh"]);
  });

  test("is a chain's as well, which is made anew once at a time", async () => {
    const overview = functionWith("ask", chain([step("a", "look")], "steps.a"), {
      annotations: READ_ONLY,
      cache: cacheRule(rule),
    });
    const skill = skillWith("demo", [overview, functionWith("look", get("/x"))]);
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    await place.call(skill, "ask", {});
    place.advance(MINUTE);
    const stale = await Promise.all([1, 2, 3].map(() => place.call(skill, "ask", {})));
    expect(stale).toMatchObject([1, 2, 3].map(() => ({ value: { data: 1, stale: true } })));
    await place.settled();
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { data: 2, stale: false } });
    expect(upstream.arrivals).toHaveLength(2);
  });
});

describe("a stale result that cannot be made anew", () => {
  const rule = REFRESHED;

  test("is given until its end in an outage, and each failure is reported and followed by a pause", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    upstream.answer = down;
    place.advance(MINUTE);
    const sent: number[] = [];
    for (let second = 0; second < 40; second += 1) {
      expect(await ask()).toEqual([1, 60 + second, "stale"]);
      await place.settled();
      sent.push(upstream.arrivals.length - 1);
      place.advance(1_000);
    }
    // After 5, another 10 and another 20 seconds.
    expect([sent[0], sent[4], sent[5], sent[14], sent[15], sent[34], sent[35]]).toEqual([
      1, 1, 2, 2, 3, 3, 4,
    ]);
    expect(place.faults).toHaveLength(4);
    expect(place.faults[0]).toMatchObject({
      request_id: "request-1",
      skill: "demo",
      function: "ask",
      failure: { code: "UPSTREAM_UNAVAILABLE" },
    });
    place.advance(10 * MINUTE);
    expect(await ask()).toBe("UPSTREAM_UNAVAILABLE");
  });

  test("is given no more once the upstream has refused it", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    upstream.answer = refuses;
    place.advance(MINUTE);
    expect(await ask()).toEqual([1, 60, "stale"]);
    await place.settled();
    expect([await ask(), await ask()]).toEqual(["UPSTREAM_REJECTED", "UPSTREAM_REJECTED"]);
    upstream.answer = numbered;
    expect(await ask()).toEqual([5, 0, "fresh"]);
  });

  test.each([
    ["a day", "86400", 5 * MINUTE],
    ["two minutes", "120", 2 * MINUTE],
    ["nothing of use", "soon", REFRESH_BASE_PAUSE_MS],
  ])(
    "rests where the upstream says to wait for %s, for five minutes at most",
    async (_wait, header, pause) => {
      const { place, ask } = placeWith(upstream.origin, rule);
      await ask();
      upstream.answer = () => ({ status: 503, headers: { "retry-after": header } });
      place.advance(MINUTE);
      await ask();
      await place.settled();
      upstream.answer = numbered;
      place.advance(pause - 1);
      await ask();
      await place.settled();
      expect(upstream.arrivals).toHaveLength(2);
      place.advance(1);
      await ask();
      await place.settled();
      expect(await ask()).toEqual([3, 0, "fresh"]);
    },
  );

  test("is given again at once where the upstream is back, with a short first pause next time", async () => {
    const { place, ask } = placeWith(upstream.origin, rule);
    await ask();
    upstream.answer = down;
    place.advance(MINUTE);
    await ask();
    await place.settled();
    upstream.answer = numbered;
    place.advance(REFRESH_BASE_PAUSE_MS);
    await ask();
    await place.settled();
    expect(await ask()).toEqual([3, 0, "fresh"]);
    upstream.answer = down;
    place.advance(MINUTE);
    await ask();
    await place.settled();
    place.advance(REFRESH_BASE_PAUSE_MS);
    await ask();
    await place.settled();
    expect(upstream.arrivals).toHaveLength(5);
  });

  test("rests as long as a limit says that has no room for making it anew", async () => {
    const { place, ask } = placeWith(upstream.origin, rule, { globalLimits: [{ max: 1, window: "day" }] });
    await ask();
    place.advance(MINUTE);
    for (let time = 0; time < 5; time += 1) {
      expect(await ask()).toMatchObject([1, 60 + time * 60, "stale"]);
      await place.settled();
      place.advance(MINUTE);
    }
    expect(place.faults.map(({ failure }) => failure.code)).toEqual(["DAILY_QUOTA_EXCEEDED"]);
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("stale results of one call", () => {
  test("are made anew behind its reply with no more requests than a call may make, the rest behind the next", async () => {
    const steps = [0, 1].map((list) =>
      step(`s${list}`, "look", {
        forEach: "lists.range(15)",
        args: { q: `string(${list}) + "-" + string(item)` },
      }),
    );
    const look = functionWith("look", get("/x", ["q"]), {
      parameters: parameters({ q: { type: "string" } }),
      annotations: READ_ONLY,
      cache: cacheRule(REFRESHED),
    });
    const skill = skillWith("demo", [functionWith("ask", chain(steps)), look]);
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    const ask = async () => {
      upstream.arrivals.length = 0;
      const result = await place.call(skill, "ask", {});
      await place.settled();
      return [result.ok && result.value.stale, upstream.arrivals.length];
    };
    expect(await ask()).toEqual([false, 30]);
    place.advance(MINUTE);
    // Each takes two requests from now on.
    upstream.answer = ({ path }) =>
      path.startsWith("/x") ? { status: 302, headers: { location: path.replace("x", "y") } } : { body: path };
    expect(await ask()).toEqual([true, MAX_CALL_REQUESTS]);
    const [isStale, sent] = await ask();
    expect(isStale).toBe(true);
    expect(sent).toBeGreaterThanOrEqual(2 * 30 - MAX_CALL_REQUESTS);
    expect(sent).toBeLessThanOrEqual(MAX_CALL_REQUESTS);
    expect(await ask()).toEqual([false, 0]);
  });
});

describe("a stale result whose making anew takes long", () => {
  const rule = REFRESHED;

  test("rests after an attempt that took all its time", async () => {
    let now = 0;
    const platform = { sleep: () => new Promise<void>(() => {}), waitUntil: () => {}, report: () => {} };
    const cache = new ResultCache({ now: () => now, ...platform });
    let begun = 0;
    const ask = async () => {
      const run = runWith(startShare(now));
      const use = { key: "key", rule: cacheRule(rule), skill: "demo", function: "ask", run, isShared: true };
      const result = await cache.serve(use, async () => {
        begun += 1;
        if (begun === 1) return success(made(1));
        now += CALL_DEADLINE_MS;
        return failed({ code: "UPSTREAM_TIMEOUT", timeoutMs: CALL_DEADLINE_MS });
      });
      return [result.ok && result.value.data, begun];
    };
    await ask();
    now += MINUTE;
    expect(await ask()).toEqual([1, 2]);
    now += REFRESH_BASE_PAUSE_MS - 1;
    expect(await ask()).toEqual([1, 2]);
    now += 1;
    expect(await ask()).toEqual([1, 3]);
  });

  test("is made anew again where the platform ended the first attempt without a word", async () => {
    let now = 0;
    const patience: (() => void)[] = [];
    const cache = new ResultCache({
      now: () => now,
      sleep: (milliseconds) =>
        new Promise((end) => {
          if (milliseconds === FLIGHT_PATIENCE_MS) patience.push(end);
        }),
      waitUntil: () => {},
      report: () => {},
    });
    const makings = [
      Promise.resolve(success(made(1))),
      new Promise<never>(() => {}),
      Promise.resolve(success(made(2))),
    ];
    const run = runWith();
    const use = { key: "key", rule: cacheRule(rule), skill: "demo", function: "ask", run, isShared: true };
    let begun = 0;
    const ask = async () => {
      const result = await cache.serve(
        use,
        () => makings[begun++] ?? Promise.resolve(failed({ code: "INTERNAL" })),
      );
      return [result.ok && result.value.data, begun];
    };
    expect(await ask()).toEqual([1, 1]);
    now += MINUTE;
    expect(await ask()).toEqual([1, 2]);
    now += CALL_DEADLINE_MS;
    expect([await ask(), patience.length]).toEqual([[1, 2], 0]);
    now += CLOCK_TOLERANCE_MS;
    expect([await ask(), patience.length]).toEqual([[1, 2], 1]);
    patience[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(await ask()).toEqual([2, 3]);
  });
});
