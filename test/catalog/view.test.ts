import { describe, expect, test } from "vitest";
import { type Caller, OPERATOR, viewOf } from "../../src/access/index.ts";
import {
  BUNDLED_ONLY,
  BundledSkills,
  Catalog,
  compareEntries,
  indexEntryOf,
  makeRecord,
  type OwnSkill,
  searchableEntryOf,
  selectFunctions,
} from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { type Result, success } from "../../src/errors.ts";
import type { SkillRecord } from "../../src/ir.ts";

/** A skill and its functions, each with the permission that it asks for. */
interface Sketch {
  name: string;
  permission?: string;
  /** What the front matter says. */
  overridable?: string;
  functions: Record<string, string | null>;
  /** Functions that are only declared. */
  declared?: Record<string, string | null>;
}

async function recordOf({
  name,
  permission,
  overridable,
  functions,
  declared = {},
}: Sketch): Promise<SkillRecord> {
  const description = "Gives the same answer to every question.";
  const protocol = {
    meta: { name, ...(permission === undefined ? {} : { permission }) },
    functions: [...Object.entries(functions), ...Object.entries(declared)].map(([called, asked]) => ({
      name: called,
      description,
      ...(asked === null ? {} : { permission: asked }),
      ...(called in declared ? {} : { compute: "1" }),
    })),
  };
  const more = overridable === undefined ? "" : `overridable: ${overridable}\n`;
  const source = `---\nname: ${name}\ndescription: What ${name} does, for tests.\n${more}---\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;
  const options = { file: "SKILL.md", folder: name, mayNameBaseUrlVariable: () => false };
  const { skill, diagnostics } = compileSkill(source, options);
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return makeRecord(source, skill, (_dialect, definition) => ({ json: `"${definition.name}"`, losses: [] }));
}

const BUNDLED: Sketch[] = [
  { name: "quotes", functions: { get_price: null, place_order: "trade" } },
  { name: "payroll", permission: "staff", functions: { list_salaries: null, pay: "trade" } },
  { name: "weather", functions: { forecast: null } },
];

/** What callers of one tenant see. */
async function tenant(own: Sketch[] = [], sketches: Sketch[] = BUNDLED) {
  const records = await Promise.all(sketches.map(recordOf));
  const users = await Promise.all(own.map(recordOf));
  const prepared = { body: "", etag: '""' };
  const bundled = new BundledSkills({
    hash: "hash",
    index: records.map((record) => indexEntryOf(record)).sort(compareEntries),
    upstreams: [],
    records: Object.fromEntries(records.map((record) => [record.skill.name, JSON.stringify(record)])),
    tools: {
      openai: prepared,
      "openai-responses": prepared,
      anthropic: prepared,
      gemini: prepared,
      mcp: prepared,
      deepseek: prepared,
    },
    search: "",
    openapi: prepared,
  });
  const lines = users.map((record) => searchableEntryOf(record));
  const ownOf = (name: string): OwnSkill | null => {
    const record = users.find(({ skill }) => skill.name === name);
    return record === undefined ? null : { record, version: 1, base: null, files: [] };
  };
  const skills = {
    index: async () => success(lines),
    skill: async (name: string) => success(ownOf(name)),
    skills: async (names: readonly string[]) => success(new Map(names.map((name) => [name, ownOf(name)]))),
  };
  return (caller: Partial<Caller>) =>
    new Catalog(bundled, skills, viewOf({ ...OPERATOR, isOperator: false, ...caller }));
}

function unwrapped<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}

/** All that a catalog shows, by each of the ways in which it can be asked. */
async function shown(catalog: Catalog) {
  const index = unwrapped(await catalog.list()).map(({ name, functions }) => [
    name,
    ...functions.map((definition) => definition.name),
  ]);
  const everything = { skills: null, functions: null, category: null, unbound: true };
  const tools = unwrapped(selectFunctions(unwrapped(await catalog.records()), everything));
  return { index, tools: tools.map(({ definition }) => definition.name) };
}

const PLAIN = { scopes: ["skills:read", "invoke"] };

describe("what a key sees", () => {
  test.each<[string, Partial<Caller>, { index: string[][]; tools: string[] }]>([
    [
      "without permissions",
      PLAIN,
      {
        index: [
          ["quotes", "get_price"],
          ["weather", "forecast"],
        ],
        tools: ["get_price", "forecast"],
      },
    ],
    [
      "with one",
      { scopes: ["invoke", "trade"] },
      {
        index: [
          ["quotes", "get_price", "place_order"],
          ["weather", "forecast"],
        ],
        tools: ["get_price", "place_order", "forecast"],
      },
    ],
    [
      "with that of a skill, but not of its function",
      { scopes: ["staff"] },
      {
        index: [
          ["payroll", "list_salaries"],
          ["quotes", "get_price"],
          ["weather", "forecast"],
        ],
        tools: ["list_salaries", "get_price", "forecast"],
      },
    ],
    [
      "with a list of skills",
      { scopes: ["*"], skills: ["weather"] },
      { index: [["weather", "forecast"]], tools: ["forecast"] },
    ],
    [
      "with a list of skills and without their permissions",
      { ...PLAIN, skills: ["weather", "payroll", "no-such-skill"] },
      { index: [["weather", "forecast"]], tools: ["forecast"] },
    ],
    [
      "with a list of what there is not",
      { scopes: ["*"], skills: ["no-such-skill"] },
      { index: [], tools: [] },
    ],
  ])("%s is what it may use", async (_what, caller, expected) => {
    expect(await shown((await tenant())(caller))).toEqual(expected);
  });

  test("is named apart from what others see, and like them where nothing is hidden", async () => {
    const see = await tenant();
    const nameOf = async (caller: Partial<Caller>) => [
      unwrapped(await see(caller).hash()),
      unwrapped(await see(caller).reading()),
    ];
    const whole = await nameOf({});
    expect(whole).toEqual(["hash", BUNDLED_ONLY]);
    expect(await nameOf({ scopes: ["trade", "staff"] })).toEqual(whole);
    expect(await nameOf({ skills: ["weather", "quotes", "payroll"] })).toEqual(whole);
    const plain = await nameOf(PLAIN);
    expect(plain).not.toEqual(whole);
    expect(await nameOf({ scopes: ["invoke", "skills:read"] })).toEqual(plain);
    const limited = await nameOf({ skills: ["weather"] });
    for (const [index, name] of limited.entries()) expect([whole[index], plain[index]]).not.toContain(name);
  });

  test("has no function that is only declared, where it asks for a permission, or where another one has its name", async () => {
    const declared = { audit: "staff", look_around: null, place_order: null };
    const see = await tenant([{ name: "declaring", functions: {}, declared }]);
    expect((await shown(see(PLAIN))).tools).toEqual(["look_around", "get_price", "forecast"]);
    expect((await shown(see({ scopes: ["staff", "trade"] }))).tools).toEqual([
      "audit",
      "look_around",
      "list_salaries",
      "pay",
      "get_price",
      "place_order",
      "forecast",
    ]);
  });

  test("can be named exactly, also where some of the tenant's own is hidden", async () => {
    const see = await tenant([{ name: "secret-plans", permission: "staff", functions: { plan: null } }]);
    const catalog = see(PLAIN);
    const records = unwrapped(await catalog.records());
    expect(records.map(({ record }) => record.skill.name)).toEqual(["quotes", "weather"]);
    expect(unwrapped(await catalog.naming(records)).isExact).toBe(true);
  });
});

describe("what a key may call", () => {
  test.each<[string, Partial<Caller>, string, object]>([
    ["a function without a permission", PLAIN, "get_price", { ok: true }],
    ["one with it", { scopes: ["trade"] }, "place_order", { ok: true }],
    ["one without it", PLAIN, "place_order", { failure: { code: "FORBIDDEN", scope: "trade" } }],
    [
      "one of a skill without it",
      { scopes: ["trade"] },
      "pay",
      { failure: { code: "FORBIDDEN", scope: "staff" } },
    ],
    [
      "one of a skill with it, itself without",
      { scopes: ["staff"] },
      "pay",
      { failure: { code: "FORBIDDEN", scope: "trade" } },
    ],
    [
      "one of another skill than its own",
      { skills: ["weather"] },
      "get_price",
      { failure: { code: "UNKNOWN_FUNCTION", known: ["forecast"] } },
    ],
    [
      "one that nobody has",
      PLAIN,
      "nothing",
      { failure: { code: "UNKNOWN_FUNCTION", known: ["forecast", "get_price"] } },
    ],
  ])("%s: %o, %s", async (_what, caller, name, expected) => {
    expect(await (await tenant())(caller).function(name)).toMatchObject(expected);
  });

  test.each<[string, Partial<Caller>, string, object]>([
    ["one without a permission", PLAIN, "quotes", { ok: true }],
    ["one without its permission", PLAIN, "payroll", { failure: { code: "FORBIDDEN", scope: "staff" } }],
    [
      "another than its own",
      { skills: ["weather"] },
      "quotes",
      { failure: { code: "UNKNOWN_SKILL", known: ["weather"] } },
    ],
    [
      "none that there is",
      PLAIN,
      "nothing",
      { failure: { code: "UNKNOWN_SKILL", known: ["quotes", "weather"] } },
    ],
  ])("and load a skill: %s", async (_what, caller, name, expected) => {
    expect(await (await tenant())(caller).skill(name)).toMatchObject(expected);
  });

  test("and read the source of a skill where all its functions are for it", async () => {
    const see = await tenant();
    expect(await see(PLAIN).wholeSkill("quotes")).toMatchObject({
      failure: { code: "FORBIDDEN", scope: "trade" },
    });
    expect(await see({ scopes: ["trade"] }).wholeSkill("quotes")).toMatchObject({ ok: true });
    expect(await see({ skills: ["weather"] }).wholeSkill("quotes")).toMatchObject({
      failure: { code: "UNKNOWN_SKILL" },
    });
  });

  test("is decided by the skill that has a name for the whole tenant, not by the next one that shows", async () => {
    const see = await tenant([{ name: "mine", permission: "staff", functions: { forecast: null } }]);
    expect(await see(PLAIN).function("forecast")).toMatchObject({
      failure: { code: "FORBIDDEN", scope: "staff" },
    });
    expect((await shown(see(PLAIN))).tools).toEqual(["get_price"]);
    expect(unwrapped(await see({}).function("forecast")).record.skill.name).toBe("mine");
  });

  test("names what it lacks and what it has", async () => {
    const refused = await (await tenant())(PLAIN).function("place_order");
    expect(refused).toMatchObject({
      failure: {
        message: "This needs the scope trade, which the key does not have; it has skills:read, invoke.",
      },
    });
  });
});

describe("what a key may write", () => {
  const writer = { scopes: ["skills:write"] };
  test.each<[string, Partial<Caller>, string, object]>([
    ["a new skill", writer, "mine", { ok: true }],
    ["one without permissions", writer, "weather", { ok: true }],
    ["one that asks for one, which it has", { scopes: ["trade"] }, "quotes", { ok: true }],
    ["one whose function asks for one", writer, "quotes", { failure: { code: "FORBIDDEN", scope: "trade" } }],
    [
      "one that asks for one",
      { scopes: ["trade"] },
      "payroll",
      { failure: { code: "FORBIDDEN", scope: "staff" } },
    ],
    ["one on its list", { ...writer, skills: ["mine"] }, "mine", { ok: true }],
    [
      "one that is not on its list",
      { ...writer, skills: ["mine"] },
      "weather",
      { failure: { code: "FORBIDDEN" } },
    ],
  ])("%s", async (_what, caller, name, expected) => {
    expect(await (await tenant())(caller).checkWritable(name)).toMatchObject(expected);
  });

  test("takes no permission from the tenant's own skill either", async () => {
    const see = await tenant([{ name: "weather", permission: "staff", functions: {} }]);
    expect(await see(writer).checkWritable("weather")).toMatchObject({ failure: { scope: "staff" } });
  });
});

test("a bundled skill keeps its permission, and those of its functions, under another prose", async () => {
  const functions = { list_salaries: null, pay: "trade" };
  const bundled = { name: "payroll", permission: "staff", overridable: "prose", functions };
  const own = { name: "payroll", functions: { list_salaries: null, pay: null } };
  const as = await tenant([own], [bundled]);
  const plain = as(PLAIN);
  expect(await shown(plain)).toEqual({ index: [], tools: [] });
  for (const found of [await plain.skill("payroll"), await plain.function("list_salaries")])
    expect(found).toMatchObject({ ok: false, failure: { code: "FORBIDDEN", scope: "staff" } });
  const staff = as({ scopes: [...PLAIN.scopes, "staff"] });
  expect(await shown(staff)).toEqual({ index: [["payroll", "list_salaries"]], tools: ["list_salaries"] });
  expect(await staff.checkWritable("payroll")).toMatchObject({ ok: false, failure: { scope: "trade" } });
});
