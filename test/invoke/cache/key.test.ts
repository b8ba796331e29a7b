import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failed } from "../../../src/errors.ts";
import { cacheKey } from "../../../src/invoke/cache/key.ts";
import type { FunctionLookup } from "../../../src/invoke/call.ts";
import { check } from "../../../src/invoke/decide.ts";
import type { CacheRule, FunctionDefinition, Skill } from "../../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { MAX_CACHE_KEY_CHARACTERS, MAX_NESTING } from "../../../src/limits.ts";
import { parseJson } from "../../../src/parse-json.ts";
import { runWith } from "../runs.ts";
import { cacheRule, chain, functionWith, get, parameters, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };

interface Sketch {
  args?: JsonValue;
  tenant?: string;
  view?: string;
  /** The tenant that uploaded the skill; a bundled one where there is none. */
  uploadedBy?: string;
  digest?: string;
  skill?: Skill;
  vars?: JsonObject;
  baseUrl?: string;
  /** The documents of the functions that a chain calls, by their names. */
  documents?: Record<string, string>;
}

function skillOf(change: Partial<FunctionDefinition> = {}, cache: Partial<CacheRule> = {}): Skill {
  const schema = parameters({ a: {}, n: { type: "number", default: 1 }, count: { type: "integer" } });
  const made = { parameters: schema, annotations: READ_ONLY, cache: cacheRule(cache), ...change };
  return skillWith("demo", [functionWith("ask", get("/x", ["a", "n"]), made)]);
}

const SHARED = skillOf();

const noSecrets = async () => failed({ code: "INTERNAL" } as const);

async function keyOf(sketch: Sketch = {}): Promise<string | null> {
  const {
    args = {},
    tenant = "t",
    view = "",
    uploadedBy,
    digest = "d",
    skill = SHARED,
    vars = {},
    baseUrl = "https://a.test",
  } = sketch;
  const [definition] = skill.functions;
  if (definition === undefined) throw new Error("no function");
  const find: FunctionLookup = async (name) => {
    const found = skill.functions.find((one) => one.name === name) ?? functionWith(name, get("/y"));
    return {
      ok: true,
      value: { skill, digest: sketch.documents?.[name] ?? "d", definition: found, uploaded: null },
    };
  };
  const uploaded = uploadedBy === undefined ? null : { tenant: uploadedBy, secrets: noSecrets };
  const { dependencies } = new Surroundings(skill, { baseUrl });
  const surroundings = { ...dependencies, vars };
  const checked = check({ skill, digest, definition, uploaded }, args, "request-1", surroundings);
  if (!checked.ok) throw new Error(JSON.stringify(checked.failure));
  return cacheKey(checked.value, runWith({ tenant, view, find }), surroundings);
}

/** Arguments as a caller sends them. */
function sent(text: string): JsonValue {
  const json = parseJson(text, MAX_NESTING);
  if (!json.ok) throw new Error(json.fault);
  return json.value;
}

describe("calls have one key", () => {
  test.each([
    [
      "whatever the order of their members",
      '{"a": {"x": 1, "y": [{"p": 1, "q": 2}]}, "n": 2}',
      '{"n": 2, "a": {"y": [{"q": 2, "p": 1}], "x": 1}}',
    ],
    ["whether a default is written out", "{}", '{"n": 1}'],
    ["however a number is written", '{"n": 1}', '{"n": 1.0}'],
    ["however a large number is written", '{"n": 1e2}', '{"n": 100}'],
    ["whatever the sign of nothing", '{"n": 0}', '{"n": -0}'],
    ["where a number comes as text", '{"n": 2, "count": 3}', '{"n": "2", "count": "3"}'],
  ])("%s: %s and %s", async (_what, one, other) => {
    expect(await keyOf({ args: sent(one) })).toBe(await keyOf({ args: sent(other) }));
  });

  test("whichever tenant calls, and whatever else it sees, where results are shared", async () => {
    expect(await keyOf({ tenant: "one" })).toBe(await keyOf({ tenant: "other", view: "other" }));
  });
});

describe("calls have keys of their own", () => {
  test.each([
    ["for whole numbers beyond what a double holds", '{"a": 9007199254740993}', '{"a": 9007199254740992}'],
    ["for decimals beyond that", '{"a": 0.1234567890123456789}', '{"a": 0.1234567890123456}'],
    ["for a number and its text, where either will do", '{"a": 1}', '{"a": "1"}'],
    ["for the orders of a list", '{"a": [1, 2]}', '{"a": [2, 1]}'],
    ["for an empty list and none", '{"a": []}', "{}"],
    ["for null and nothing", '{"a": null}', "{}"],
    ["for texts that only look alike", '{"a": "\\u00e9"}', '{"a": "e\\u0301"}'],
    ["for texts of another case", '{"a": "A"}', '{"a": "a"}'],
    ["for members named like a prototype", '{"a": {"__proto__": 1}}', '{"a": {}}'],
    ["for texts that spell each other's form", '{"a": "1\\",\\"b\\":\\"2"}', '{"a": "1", "b": "2"}'],
  ])("%s: %s and %s", async (_what, one, other) => {
    expect(await keyOf({ args: sent(one) })).not.toBe(await keyOf({ args: sent(other) }));
  });

  const tenants = skillOf({}, { scope: "tenant" });

  test.each<[string, Sketch, Sketch]>([
    ["documents", { digest: "one" }, { digest: "other" }],
    ["variables", { vars: { SKILL_A: "1" } }, { vars: { SKILL_A: "2" } }],
    ["base URLs", { baseUrl: "https://a.test" }, { baseUrl: "https://b.test" }],
    [
      "tenants, whose own secrets may go with what they uploaded",
      { tenant: "one", uploadedBy: "one" },
      { tenant: "other", uploadedBy: "other" },
    ],
    ["what is bundled and what was uploaded", {}, { uploadedBy: "t" }],
    ["tenants", { skill: tenants, tenant: "one" }, { skill: tenants, tenant: "other" }],
  ])("for %s", async (_what, one, other) => {
    expect(await keyOf(one)).not.toBe(await keyOf(other));
  });

  const outer = functionWith("ask", chain([step("a", "inner")]), {
    annotations: READ_ONLY,
    cache: cacheRule(),
  });
  const inner = functionWith("inner", chain([step("b", "look")]));
  const chained = skillWith("demo", [outer, inner]);

  test.each<[string, Sketch, Sketch]>([
    ["tenants, in whose catalogs the chain finds its functions", { tenant: "one" }, { tenant: "other" }],
    ["callers of a tenant who see other functions", { view: "one" }, { view: "other" }],
    ["documents that its steps call", { documents: { inner: "1" } }, { documents: { inner: "2" } }],
    ["documents that their steps call", { documents: { look: "1" } }, { documents: { look: "2" } }],
  ])("for the %s", async (_what, one, other) => {
    expect(await keyOf({ skill: chained, ...one })).not.toBe(await keyOf({ skill: chained, ...other }));
  });

  test("for all JSON values that differ, and for no others", async () => {
    const member = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(member, member, async (one, other) => {
        const [left, right] = [one, other].map((a) => sent(JSON.stringify({ a })));
        const areSame = JSON.stringify(sorted(left ?? null)) === JSON.stringify(sorted(right ?? null));
        expect((await keyOf({ args: left ?? {} })) === (await keyOf({ args: right ?? {} }))).toBe(areSame);
      }),
      { numRuns: 200 },
    );
  });
});

/** Objects as lists of their members by name. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return ["list", ...value.map(sorted)];
  return [
    "object",
    ...Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  ];
}

describe("a call has no key", () => {
  test.each<[string, Skill]>([
    ["without a cache", skillOf({ cache: null })],
    ["for no time", skillOf({}, { ttlMs: 0 })],
    ["of what changes things", skillOf({ annotations: { ...READ_ONLY, readOnly: false } })],
    ["of what is computed here", skillOf({ binding: { kind: "compute", expression: "1" } })],
  ])("%s", async (_what, skill) => {
    expect(await keyOf({ skill })).toBeNull();
  });
});

test("a key has a bounded length", async () => {
  const args = { a: "x".repeat(MAX_CACHE_KEY_CHARACTERS) };
  expect(await keyOf({ args })).toMatch(/^[0-9a-f]{64}$/);
  expect((await keyOf())?.length).toBeLessThan(MAX_CACHE_KEY_CHARACTERS);
});
