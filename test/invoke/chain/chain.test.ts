import { beforeEach, describe, expect, test } from "vitest";
import { type Failure, toWire } from "../../../src/errors.ts";
import type { Outcome } from "../../../src/invoke/index.ts";
import type { FunctionDefinition, Skill, Step } from "../../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { MAX_CHAIN_CALLS, MAX_PARALLEL_REQUESTS, MAX_STEP_ELEMENTS } from "../../../src/limits.ts";
import { loopbackForTests } from "../loopback.ts";
import { chain, functionWith, get, parameters, skillWith, step } from "../skills.ts";
import { type Setting, Surroundings } from "../surroundings.ts";

const KEY = "planted-key-7f3a";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = ({ path, headers }) => {
    const url = new URL(path, upstream.origin);
    const told = { path: url.pathname, q: url.searchParams.get("q"), key: headers["x-api-key"] ?? null };
    return url.searchParams.get("q") === "bad" ? { status: 400, body: { code: "no" } } : { body: told };
  };
});

const quote = functionWith("quote", get("/quote", ["q"], { data: "body.q" }), {
  parameters: {
    type: "object",
    properties: { q: { type: "string" } },
    required: ["q"],
    additionalProperties: false,
  },
});
const double = functionWith(
  "double",
  { kind: "compute", expression: "n * 2" },
  { parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
);

function chainOf(
  steps: Step[],
  result: string | null = null,
  properties: JsonObject = {},
): FunctionDefinition {
  return functionWith("overview", chain(steps, result), { parameters: parameters(properties) });
}

function skillOf(definition: FunctionDefinition, ...others: FunctionDefinition[]): Skill {
  return skillWith("demo", [definition, quote, double, ...others]);
}

function placeFor(skill: Skill, setting: Partial<Setting> = {}): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin, ...setting });
}

async function outcomeOf(skill: Skill, args: JsonObject = {}, place = placeFor(skill)): Promise<Outcome> {
  const result = await place.call(skill, "overview", args);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

async function failureOf(skill: Skill, args: JsonObject = {}, place = placeFor(skill)): Promise<Failure> {
  const result = await place.call(skill, "overview", args);
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  return result.failure;
}

const constant = (id: string, text: string, change: Partial<Step> = {}) =>
  step(id, "quote", { args: { q: `"${text}"` }, ...change });

/** What a step says of data that were made for it and come in no pages. */
const NEW = { stale: false, ageMs: 0, pages: null };

describe("a chain", () => {
  test("gives the results of its steps to those that wait for them, and all of them to its result", async () => {
    const steps = [
      constant("first", "a"),
      step("second", "quote", { args: { q: 'steps.first + "-" + symbol' }, after: ["first"] }),
    ];
    const skill = skillOf(
      chainOf(steps, '{"all": [steps.first, steps.second]}', { symbol: { type: "string", default: "x" } }),
    );
    expect(await outcomeOf(skill, { symbol: "货" })).toEqual({
      data: { all: ["a", "a-货"] },
      attempts: 2,
      cached: false,
      stale: false,
      json: null,
      ageMs: 0,
      pages: null,
      steps: [
        { id: "first", function: "quote", calls: 1, attempts: 1, skipped: false, ...NEW, returnsFaults: 0 },
        { id: "second", function: "quote", calls: 1, attempts: 1, skipped: false, ...NEW, returnsFaults: 0 },
      ],
      returns: null,
    });
  });

  test("without a result of its own is all of its steps' results", async () => {
    const steps = [constant("a", "1"), step("b", "double", { args: { n: "int(steps.a)" }, after: ["a"] })];
    expect((await outcomeOf(skillOf(chainOf(steps)))).data).toEqual({ a: "1", b: 2 });
  });

  test("runs steps side by side that do not wait for each other, as many requests at once as a Worker has connections", async () => {
    let underWay = 0;
    let widest = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // Nobody is answered before as many wait as may, and those that must not come have had the time to.
    upstream.answer = async () => {
      underWay += 1;
      widest = Math.max(widest, underWay);
      if (underWay === MAX_PARALLEL_REQUESTS) setTimeout(open, 20);
      await gate;
      underWay -= 1;
      return { body: { q: "x" } };
    };
    const steps = Array.from({ length: 10 }, (_, index) => constant(`s${index}`, `${index}`));
    expect(await outcomeOf(skillOf(chainOf(steps)))).toMatchObject({ attempts: 10 });
    expect(widest).toBe(MAX_PARALLEL_REQUESTS);
  });

  test("leaves out a step whose condition does not hold: its result is null for those that follow", async () => {
    const steps = [
      constant("a", "1", { when: "deep" }),
      step("b", "quote", { args: { q: 'steps.a == null ? "none" : "some"' }, after: ["a"] }),
    ];
    const skill = skillOf(chainOf(steps, null, { deep: { type: "boolean", default: false } }));
    const outcome = await outcomeOf(skill);
    expect(outcome).toMatchObject({
      data: { a: null, b: "none" },
      attempts: 1,
      steps: [{ skipped: true, calls: 0 }, {}],
    });
    expect((await outcomeOf(skill, { deep: true })).data).toEqual({ a: "1", b: "some" });
  });

  test("calls a function once for each element of a list, and keeps their order", async () => {
    const steps = [step("all", "quote", { forEach: "symbols", args: { q: "item + string(index)" } })];
    const skill = skillOf(
      chainOf(steps, "steps.all", { symbols: { type: "array", items: { type: "string" } } }),
    );
    expect(await outcomeOf(skill, { symbols: ["b", "a"] })).toMatchObject({
      data: ["b0", "a1"],
      attempts: 2,
      steps: [{ calls: 2 }],
    });
    expect(await outcomeOf(skill, { symbols: [] })).toMatchObject({
      data: [],
      attempts: 0,
      steps: [{ calls: 0, skipped: false }],
    });
  });

  test("may call chains, whose steps share its time and its requests", async () => {
    const inner = functionWith(
      "inner",
      chain([constant("x", "1"), constant("y", "2")], "[steps.x, steps.y]"),
    );
    const skill = skillOf(chainOf([step("one", "inner"), step("two", "inner")]), inner);
    expect(await outcomeOf(skill)).toMatchObject({ data: { one: ["1", "2"], two: ["1", "2"] }, attempts: 4 });
  });
});

const MANY = { symbols: { type: "array", items: { type: "string" } } };
const each = step("all", "quote", { forEach: "symbols", args: { q: "item" } });

describe("a chain that fails", () => {
  test.each<[string, Step[], Failure["code"], string, JsonValue]>([
    ["by an upstream's refusal", [constant("a", "bad")], "UPSTREAM_REJECTED", "a", []],
    ["by one element of many", [each], "UPSTREAM_REJECTED", "all[1]", ["x", "bad", "y"]],
    [
      "by arguments that do not fit",
      [step("a", "quote", { args: { q: "1" } })],
      "INVALID_ARGUMENTS",
      "a",
      [],
    ],
    [
      "by an argument too many",
      [step("a", "quote", { args: { q: '"x"', z: "1" } })],
      "INVALID_ARGUMENTS",
      "a",
      [],
    ],
    [
      "by arguments that cannot be computed",
      [step("a", "quote", { args: { q: "symbols[7]" } })],
      "EXPRESSION_FAILED",
      "a",
      [],
    ],
    [
      "by a condition that cannot be computed",
      [constant("a", "x", { when: "symbols[7] == 1" })],
      "EXPRESSION_FAILED",
      "a",
      [],
    ],
    ["by a list that is none", [constant("a", "x", { forEach: "{}" })], "EXPRESSION_FAILED", "a", []],
    ["by a function that the caller does not see", [step("a", "hidden")], "UNKNOWN_FUNCTION", "a", []],
  ])("%s says in which step", async (_how, steps, code, name, symbols) => {
    const failure = await failureOf(skillOf(chainOf(steps, null, MANY)), { symbols });
    expect([failure.code, failure.step]).toEqual([code, name]);
    expect(toWire(failure, "request-1")).toMatchObject({
      step: name,
      error: expect.stringMatching(/^In the step /),
    });
  });

  test("names the step of a chain within it", async () => {
    const inner = functionWith("inner", chain([constant("x", "bad")]));
    const skill = skillOf(chainOf([step("all", "inner", { forEach: "[1, 2]" })]), inner);
    expect((await failureOf(skill)).step).toMatch(/^all\[[01]\]\.x$/);
  });

  test("starts nothing more, and calls off what is under way", async () => {
    const answer = upstream.answer;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    upstream.answer = async (arrival) => {
      if (arrival.path.includes("slow")) begin();
      else await begun;
      return arrival.path.includes("slow") ? new Promise(() => {}) : answer(arrival);
    };
    const steps = [constant("slow", "slow"), constant("a", "bad"), constant("b", "x", { after: ["a"] })];
    const skill = skillOf(chainOf(steps));
    expect((await failureOf(skill)).step).toBe("a");
    expect(upstream.arrivals.map(({ path }) => path).sort()).toEqual(["/quote?q=bad", "/quote?q=slow"]);
  });

  test("ends with its caller", async () => {
    const controller = new AbortController();
    upstream.answer = () => {
      controller.abort();
      return { body: {} };
    };
    const skill = skillOf(chainOf([constant("a", "x"), constant("b", "y", { after: ["a"] })]));
    expect(await placeFor(skill).call(skill, "overview", {}, controller.signal)).toMatchObject({ ok: false });
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("what a chain may lead to", () => {
  test.each([
    [MAX_STEP_ELEMENTS + 1, /^the list of all has 21 elements/],
    [10_000, /^the list of all has 10000 elements/],
  ])("is no list of %d elements", async (length, reason) => {
    const failure = await failureOf(skillOf(chainOf([each], null, MANY)), {
      symbols: Array.from({ length }, () => "x"),
    });
    expect(failure).toMatchObject({
      code: "CHAIN_REFUSED",
      step: "all",
      reason: expect.stringMatching(reason),
    });
    expect(upstream.arrivals).toEqual([]);
  });

  test("is a number of calls in all, chains within it included", async () => {
    const inner = functionWith("inner", chain([constant("x", "1"), constant("y", "2")]));
    const skill = skillOf(chainOf([step("all", "inner", { forEach: "symbols" })], null, MANY), inner);
    const failure = await failureOf(skill, { symbols: Array.from({ length: 11 }, () => "x") });
    expect(failure).toMatchObject({
      code: "CHAIN_REFUSED",
      reason: `a chain makes at most ${MAX_CHAIN_CALLS} calls`,
    });
  });

  test.each<[string, FunctionDefinition[], RegExp]>([
    ["itself", [chainOf([step("a", "overview")])], /calls itself: overview → overview$/],
    [
      "itself by another",
      [chainOf([step("a", "second")]), functionWith("second", chain([step("b", "overview")]))],
      /calls itself: overview → second → overview$/,
    ],
    [
      "chains without end",
      ["overview", "c1", "c2", "c3"].map((name, index) =>
        functionWith(name, chain([step("a", `c${index + 1}`)])),
      ),
      /more than 3 deep: overview → c1 → c2 → c3$/,
    ],
  ])("is not %s", async (_what, functions, reason) => {
    expect(await failureOf(skillWith("demo", functions))).toMatchObject({
      code: "CHAIN_REFUSED",
      function: "overview",
      reason: expect.stringMatching(reason),
    });
  });
});

describe("a step", () => {
  const guarded = skillWith(
    "guarded",
    [functionWith("look", get("/look", ["q"]), { parameters: parameters({ q: { type: "string" } }) })],
    [{ method: "api_key", in: "header", name: "x-api-key", variable: "API_KEY" }],
    {
      globalLimits: [{ max: 2, window: "minute" }],
      coverage: { markets: null, exclusions: [{ when: 'q == "FX"', message: "no currencies" }] },
    },
  );
  const looking = (q: string) =>
    skillOf(chainOf([step("a", "look", { args: { q: `"${q}"` } }), constant("b", "x")]));

  test("carries the secret of its own function's skill, and no other step does", async () => {
    const skill = looking("x");
    const place = placeFor(skill, { others: [guarded], secrets: { API_KEY: KEY } });
    const outcome = await outcomeOf(skill, {}, place);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    // What an earlier chain called off may arrive only now.
    const own = upstream.arrivals.filter(({ path }) => path.endsWith("q=x"));
    const keys = own.map(({ path, headers }) => [path, headers["x-api-key"]]);
    expect(keys.sort()).toEqual([
      ["/look?q=x", KEY],
      ["/quote?q=x", undefined],
    ]);
  });

  test("fails as a direct call does where its secret is not set, its limit is used up or the data does not exist", async () => {
    const skill = looking("x");
    expect(await failureOf(skill, {}, placeFor(skill, { others: [guarded] }))).toMatchObject({
      code: "SECRET_NOT_SET",
      step: "a",
    });
    const place = placeFor(skill, { others: [guarded], secrets: { API_KEY: KEY } });
    await outcomeOf(skill, {}, place);
    await outcomeOf(skill, {}, place);
    expect(await failureOf(skill, {}, place)).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", step: "a" });
    const excluded = looking("FX");
    expect(await failureOf(excluded, {}, placeFor(excluded, { others: [guarded] }))).toMatchObject({
      code: "NOT_COVERED",
      step: "a",
    });
  });
});

describe("a dry run of a chain", () => {
  test("shows the calls that need no result, and what the others wait for; it sends nothing", async () => {
    const steps = [
      each,
      constant("off", "x", { when: "false" }),
      step("last", "double", { args: { n: "size(steps.all)" }, after: ["all"] }),
    ];
    const skill = skillOf(chainOf(steps, null, MANY));
    const call = { kind: "request", method: "GET", url: `${upstream.origin}/quote?q=a` };
    expect(await placeFor(skill).dryRun(skill, "overview", { symbols: ["a"] })).toMatchObject({
      value: {
        kind: "steps",
        steps: [
          { id: "all", function: "quote", waits_for: [], skipped: false, calls: [call] },
          { id: "off", skipped: true, calls: null },
          { id: "last", waits_for: ["all"], skipped: false, calls: null },
        ],
      },
    });
    expect(upstream.arrivals).toEqual([]);
  });

  test("fails where a live call would before anything is sent", async () => {
    const skill = skillOf(chainOf([step("a", "quote", { args: { q: "1" } })]));
    expect(await placeFor(skill).dryRun(skill, "overview", {})).toMatchObject({
      failure: { code: "INVALID_ARGUMENTS", step: "a" },
    });
    const loop = skillOf(chainOf([step("a", "overview")]));
    expect(await placeFor(loop).dryRun(loop, "overview", {})).toMatchObject({
      failure: { code: "CHAIN_REFUSED" },
    });
  });
});
