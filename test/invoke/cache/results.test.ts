import { beforeEach, describe, expect, test } from "vitest";
import { failed, type Result, success } from "../../../src/errors.ts";
import { type Outcome, ResultCache } from "../../../src/invoke/index.ts";
import { startShare } from "../../../src/invoke/run.ts";
import { callerGone } from "../../../src/invoke/upstream/send.ts";
import type { FunctionDefinition, Skill } from "../../../src/ir.ts";
import type { JsonObject } from "../../../src/json.ts";
import { MAX_KEPT_RESULT_BYTES } from "../../../src/limits.ts";
import { loopbackForTests } from "../loopback.ts";
import { runWith } from "../runs.ts";
import { cacheRule, chain, functionWith, get, parameters, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => ({ body: upstream.arrivals.length });
});

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };

function cached(change: Partial<FunctionDefinition> = {}): FunctionDefinition {
  return functionWith("ask", get("/x", ["a", "b"]), {
    parameters: parameters({ a: {}, b: { default: 1 } }),
    annotations: READ_ONLY,
    cache: cacheRule(),
    ...change,
  });
}

function skillOf(definition = cached(), name = "demo"): Skill {
  const limits = [{ max: 1_000, window: "minute" as const }];
  return skillWith(name, [definition], [], { globalLimits: limits });
}

function placeFor(skill: Skill): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin });
}

/** What calls one after the other give. */
async function results(place: Surroundings, skill: Skill, calls: JsonObject[], tenants: string[] = []) {
  const given = [];
  for (const [index, args] of calls.entries()) {
    const result = await place.call(skill, "ask", args, null, tenants[index]);
    given.push(result.ok ? result.value.data : result.failure.code);
  }
  return given;
}

describe("a result that is kept", () => {
  test("is given again until its time is over, and costs no request and no limit", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    expect(await place.call(skill, "ask", {})).toMatchObject({
      value: { data: 1, attempts: 1, cached: false },
    });
    expect(await place.call(skill, "ask", {})).toMatchObject({
      value: { data: 1, attempts: 0, cached: true },
    });
    expect([upstream.arrivals.length, place.admissions.length]).toEqual([1, 1]);
    place.advance(60_000);
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { data: 2, cached: false } });
  });

  test("is that of the same arguments, in whatever order and with whatever defaults they are written", async () => {
    const skill = skillOf();
    const calls = [
      { a: { x: 1, y: [2] }, b: 2 },
      { b: 2, a: { y: [2], x: 1 } },
      { a: 1 },
      { a: 1, b: 1 },
      { a: "1" },
      { a: [2, 1] },
      { a: [1, 2] },
    ];
    expect(await results(placeFor(skill), skill, calls)).toEqual([1, 1, 2, 2, 3, 4, 5]);
  });

  test("is one tenant's alone unless the function says that it is everybody's", async () => {
    const ours = skillOf(cached({ cache: cacheRule({ scope: "tenant" }) }));
    const calls = [{}, {}, {}];
    expect(await results(placeFor(ours), ours, calls, ["one", "other", "one"])).toEqual([1, 2, 1]);
    const shared = skillOf();
    expect(await results(placeFor(shared), shared, calls, ["one", "other", "one"])).toEqual([3, 3, 3]);
  });

  test("is that of one document: a changed skill, or another skill's function of the name, has none", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    const other = skillOf(cached(), "other");
    expect(await place.call(other, "ask", {})).toMatchObject({ value: { data: 2, cached: false } });
  });

  test.each<[string, Partial<FunctionDefinition>]>([
    ["does not say so", { cache: null }],
    ["does more than read", { annotations: { ...READ_ONLY, readOnly: false } }],
    ["says so for no time", { cache: cacheRule({ ttlMs: 0 }) }],
  ])("is none of a function that %s", async (_what, change) => {
    const skill = skillOf(cached(change));
    expect(await results(placeFor(skill), skill, [{}, {}])).toEqual([1, 2]);
  });

  test("is never a failure", async () => {
    const skill = skillOf();
    upstream.answer = () => (upstream.arrivals.length === 1 ? { status: 400 } : { body: "well" });
    expect(await results(placeFor(skill), skill, [{}, {}, {}])).toEqual([
      "UPSTREAM_REJECTED",
      "well",
      "well",
    ]);
    expect(upstream.arrivals).toHaveLength(2);
  });

  test("is none that would push out all others", async () => {
    const skill = skillOf();
    skill.upstreams = skill.upstreams.map((one) => ({
      ...one,
      upstream: { ...one.upstream, maxResponseBytes: 2_000_000 },
    }));
    upstream.answer = () => ({ body: "x".repeat(MAX_KEPT_RESULT_BYTES) });
    await results(placeFor(skill), skill, [{}, {}]);
    expect(upstream.arrivals).toHaveLength(2);
  });

  test("of a chain is its tenant's alone, whose own functions it may have called", async () => {
    const overview = functionWith("ask", chain([step("a", "look")], "steps.a"), {
      annotations: READ_ONLY,
      cache: cacheRule(),
    });
    const skill = skillWith("demo", [overview, functionWith("look", get("/x"))]);
    expect(await results(placeFor(skill), skill, [{}, {}, {}], ["one", "one", "other"])).toEqual([1, 1, 2]);
  });
});

describe("equal calls at the same time", () => {
  test("are one request, counted once", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => place.call(skill, "ask", {})));
    expect(outcomes.filter((result) => result.ok && result.value.data === 1)).toHaveLength(200);
    expect(outcomes.filter((result) => result.ok && result.value.cached)).toHaveLength(199);
    expect([upstream.arrivals.length, place.admissions.length]).toEqual([1, 1]);
  });
});

describe("those who ask while a result is being made", () => {
  const share = startShare(0);
  const well: Outcome = {
    data: "well",
    json: null,
    attempts: 1,
    cached: false,
    stale: false,
    ageMs: 0,
    pages: null,
    steps: null,
    returns: null,
  };
  const refused: Result<Outcome> = failed({ code: "INTERNAL" });

  /** As many askers as there are controllers; the makings end in these ways, each when `end` is called. */
  function asking(controllers: readonly AbortController[], endings: readonly Result<Outcome>[]) {
    const platform = { sleep: () => new Promise<void>(() => {}), waitUntil: () => {} };
    let now = 0;
    const cache = new ResultCache({ ...platform, now: () => now, report: () => {} });
    const makings: { signal: AbortSignal | null; end: () => void }[] = [];
    const make = ({ signal }: { signal: AbortSignal | null }) => {
      const { promise, resolve } = Promise.withResolvers<Result<Outcome>>();
      const ending = endings[makings.length] ?? refused;
      signal?.addEventListener("abort", () => resolve(failed(callerGone())));
      makings.push({ signal, end: () => resolve(ending) });
      return promise;
    };
    const use = { key: "key", rule: cacheRule(), skill: "demo", function: "ask", isShared: true };
    const results = controllers.map(async ({ signal }) => {
      const run = runWith({ ...share, signal });
      const result = await cache.serve({ ...use, run }, make);
      return result.ok ? result.value.data : result.failure.code;
    });
    return {
      makings,
      results: Promise.all(results),
      setClock: (time: number) => {
        now = time;
      },
    };
  }

  function controllers(count: number): AbortController[] {
    return Array.from({ length: count }, () => new AbortController());
  }

  /** Lets all that can happen happen. */
  const turn = () => new Promise((resolve) => setTimeout(resolve));

  test("share a failure, which is not kept", async () => {
    const { makings, results } = asking(controllers(3), [refused]);
    makings[0]?.end();
    expect(await results).toEqual(["INTERNAL", "INTERNAL", "INTERNAL"]);
    expect(makings).toHaveLength(1);
  });

  test("get it all the same when the one who asked first goes away", async () => {
    const [first = new AbortController(), ...others] = controllers(3);
    const { makings, results } = asking([first, ...others], [success(well)]);
    first.abort();
    await turn();
    expect(makings[0]?.signal?.aborted).toBe(false);
    makings[0]?.end();
    expect(await results).toEqual(["UPSTREAM_UNAVAILABLE", "well", "well"]);
    expect(makings).toHaveLength(1);
  });

  test("end the making when the last of them has gone, and who asks then has one of their own", async () => {
    const all = controllers(3);
    const { makings, results } = asking(all, [success(well)]);
    for (const controller of all) controller.abort();
    await results;
    await turn();
    expect(makings.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });

  test("do not share what the time of another's call cut short, and one makes it for all of them", async () => {
    const { makings, results, setClock } = asking(controllers(4), [refused, success(well)]);
    setClock(share.deadline);
    makings[0]?.end();
    await turn();
    expect(makings).toHaveLength(2);
    makings[1]?.end();
    expect(await results).toEqual(["INTERNAL", "well", "well", "well"]);
  });
});
