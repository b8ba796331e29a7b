import { beforeEach, describe, expect, test } from "vitest";
import { type Failure, failed, type Result, success } from "../../../src/errors.ts";
import { createMemoryResults, type Outcome, ResultCache } from "../../../src/invoke/index.ts";
import type { CacheRule, FunctionDefinition, Skill } from "../../../src/ir.ts";
import type { JsonObject } from "../../../src/json.ts";
import { MAX_KEPT_RESULT_CHARACTERS } from "../../../src/limits.ts";
import { loopbackForTests } from "../loopback.ts";
import { chain, functionWith, get, parameters, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => ({ body: upstream.arrivals.length });
});

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };
const MINUTE: CacheRule = { ttlMs: 60_000, scope: "shared" };

function cached(change: Partial<FunctionDefinition> = {}): FunctionDefinition {
  return functionWith("ask", get("/x", ["a", "b"]), {
    parameters: parameters({ a: {}, b: { default: 1 } }),
    annotations: READ_ONLY,
    cache: MINUTE,
    ...change,
  });
}

function skillOf(definition = cached(), name = "demo"): Skill {
  const limits = [{ max: 1_000, window: "minute" as const }];
  return skillWith(name, [definition], { method: "none" }, { globalLimits: limits });
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
    const ours = skillOf(cached({ cache: { ttlMs: 60_000, scope: "tenant" } }));
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
    ["says so for no time", { cache: { ttlMs: 0, scope: "shared" } }],
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
    upstream.answer = () => ({ body: "x".repeat(MAX_KEPT_RESULT_CHARACTERS) });
    await results(placeFor(skill), skill, [{}, {}]);
    expect(upstream.arrivals).toHaveLength(2);
  });

  test("of a chain is its tenant's alone, whose own functions it may have called", async () => {
    const overview = functionWith("ask", chain([step("a", "look")], "steps.a"), {
      annotations: READ_ONLY,
      cache: MINUTE,
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
  const refused: Failure = { code: "INTERNAL" };
  const well: Outcome = {
    data: "well",
    attempts: 1,
    cached: false,
    ageMs: 0,
    pages: null,
    steps: null,
    returns: null,
  };

  /** As many askers as there are answers to `hasGone`; the makings end in these ways, each when all have asked. */
  async function asked(gone: readonly boolean[], endings: readonly Result<Outcome>[]) {
    const cache = new ResultCache(createMemoryResults(() => 0));
    let made = 0;
    const make = async () => {
      const ending = endings[made] ?? failed(refused);
      made += 1;
      await new Promise((resolve) => setTimeout(resolve));
      return ending;
    };
    const results = await Promise.all(
      gone.map((hasGone) =>
        cache.serve({ key: "key", ttlMs: 1_000, isShared: true, hasGone: () => hasGone }, make),
      ),
    );
    return { made, results: results.map((result) => (result.ok ? result.value.data : result.failure.code)) };
  }

  test("share a failure, which is not kept", async () => {
    const ending = failed(refused);
    expect(await asked([false, false, false], [ending])).toEqual({
      made: 1,
      results: ["INTERNAL", "INTERNAL", "INTERNAL"],
    });
  });

  test("do not share that of a caller who left, and one of them makes it for all of them", async () => {
    expect(await asked([true, false, false, false], [failed(refused), success(well)])).toEqual({
      made: 2,
      results: ["INTERNAL", "well", "well", "well"],
    });
  });

  test("share what a caller got who left only then", async () => {
    expect(await asked([true, false], [success(well)])).toEqual({ made: 1, results: ["well", "well"] });
  });
});
