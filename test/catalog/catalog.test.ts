import { describe, expect, test } from "vitest";
import {
  BUNDLED_ONLY,
  BundledSkills,
  Catalog,
  compareEntries,
  indexEntryOf,
  makeRecord,
  type OwnSkill,
  searchableEntryOf,
  type UserSkills,
  WHOLE_VIEW,
} from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { type Result, success } from "../../src/errors.ts";
import type { SearchableEntry, SkillRecord } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";
import { MAX_KEYWORD_CHARACTERS } from "../../src/limits.ts";
import { encodingNames } from "../../src/vocabulary.ts";

interface Sketch {
  name: string;
  functions?: string[];
  declarations?: string[];
  category?: string;
  description?: string;
  overridable?: string;
}

/** A record of a small document. */
async function recordOf({
  name,
  functions = [],
  declarations = [],
  category,
  description,
  overridable,
}: Sketch): Promise<SkillRecord> {
  const about = { description: "Gives the same answer to every question." };
  const all = [
    ...functions.map((function_) => ({ name: function_, ...about, compute: "1" })),
    ...declarations.map((function_) => ({ name: function_, ...about })),
  ];
  const header = { description, category, overridable };
  return recordFrom(name, "", all.length === 0 ? {} : { functions: all }, header);
}

/** A record of a document with this prose and this protocol block. */
async function recordFrom(
  name: string,
  prose: string,
  block: JsonObject = {},
  {
    description,
    category,
    overridable,
  }: { [Field in "description" | "category" | "overridable"]?: string | undefined } = {},
): Promise<SkillRecord> {
  const source = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description ?? `What ${name} does, for tests.`)}`,
    ...(category === undefined ? [] : [`category: ${JSON.stringify(category)}`]),
    ...(overridable === undefined ? [] : [`overridable: ${overridable}`]),
    "---",
    prose,
    ...(Object.keys(block).length === 0 ? [] : ["```json", JSON.stringify(block), "```"]),
  ].join("\n");
  const { skill, diagnostics } = compileSkill(source, {
    file: "SKILL.md",
    folder: name,
    mayNameBaseUrlVariable: () => false,
  });
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return makeRecord(source, skill, (dialect, definition) => ({
    json: `"${dialect} ${definition.name}"`,
    losses: [],
  }));
}

async function bundledFrom(sketches: readonly Sketch[]): Promise<BundledSkills> {
  const records = await Promise.all(sketches.map(recordOf));
  const prepared = { body: "", etag: '""' };
  return new BundledSkills({
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
}

/** A tenant's skills, with a note of every record that was asked for. */
class Users implements UserSkills {
  readonly asked: string[] = [];
  lines: SearchableEntry[] = [];
  readonly #records = new Map<string, SkillRecord>();

  async add(sketch: Sketch): Promise<void> {
    const record = await recordOf(sketch);
    this.#records.set(sketch.name, record);
    this.lines = [...this.lines.filter(({ name }) => name !== sketch.name), searchableEntryOf(record)];
  }

  /** As where an index still has a skill that is gone. */
  forget(name: string): void {
    this.#records.delete(name);
  }

  async index(): Promise<Result<readonly SearchableEntry[]>> {
    return success(this.lines);
  }

  async skill(name: string): Promise<Result<OwnSkill | null>> {
    this.asked.push(name);
    const record = this.#records.get(name);
    const base = this.lines.find((line) => line.name === name)?.base ?? null;
    return success(record === undefined ? null : { record, version: 1, base, files: [] });
  }

  async skills(names: readonly string[]): Promise<Result<ReadonlyMap<string, OwnSkill | null>>> {
    const found = new Map<string, OwnSkill | null>();
    for (const name of names) {
      const skill = await this.skill(name);
      if (skill.ok) found.set(name, skill.value);
    }
    return success(found);
  }
}

async function catalogOf(bundled: readonly Sketch[], own: readonly Sketch[] = []) {
  const users = new Users();
  for (const sketch of own) await users.add(sketch);
  return { users, catalog: new Catalog(await bundledFrom(bundled), users, WHOLE_VIEW) };
}

function unwrapped<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}

const QUOTES: Sketch = { name: "quotes", functions: ["get_quote", "get_book"], category: "data-source" };
const WEATHER: Sketch = { name: "weather", functions: ["get_weather"], category: "tool" };

describe("the list of skills", () => {
  test("is in the order of known categories, then other ones, then names", async () => {
    const { catalog } = await catalogOf(
      [
        { name: "z", category: "tool" },
        { name: "b", category: "data-source" },
        { name: "plain" },
        { name: "m", category: "zoology" },
        { name: "o", category: "other" },
        { name: "l", category: "botany" },
      ],
      [
        { name: "a", category: "tool" },
        { name: "c", category: "data-source" },
      ],
    );
    expect(unwrapped(await catalog.list()).map(({ name }) => name)).toEqual([
      "b",
      "c",
      "a",
      "z",
      "o",
      "plain",
      "l",
      "m",
    ]);
  });

  test("says of each where it comes from, and whether it hides a bundled one", async () => {
    const { catalog } = await catalogOf([QUOTES, WEATHER], [QUOTES, { name: "mine" }]);
    expect(
      unwrapped(await catalog.list()).map(({ name, source, overrides }) => [name, source, overrides]),
    ).toEqual([
      ["quotes", "user", true],
      ["weather", "bundled", false],
      ["mine", "user", false],
    ]);
  });
});

describe("a skill by name", () => {
  test("is the tenant's own before a bundled one, also where no index has it yet", async () => {
    const { catalog, users } = await catalogOf(
      [QUOTES],
      [{ ...QUOTES, description: "My own quotes, for tests." }],
    );
    users.lines = [];
    const found = unwrapped(await catalog.skill("quotes"));
    expect([found.source, found.record.skill.description]).toEqual(["user", "My own quotes, for tests."]);
  });

  test.each(["nothing", "__proto__", "constructor", "toString", "hasOwnProperty", "../quotes", ""])(
    "that nobody has is unknown, and the nearest names come first: %j",
    async (name) => {
      const { catalog } = await catalogOf([QUOTES, WEATHER]);
      const result = await catalog.skill(name);
      expect(result).toMatchObject({ failure: { code: "UNKNOWN_SKILL", skill: name } });
      expect(result.ok ? [] : "known" in result.failure ? [...result.failure.known].sort() : []).toEqual([
        "quotes",
        "weather",
      ]);
    },
  );

  test("offers the names that were probably meant first", async () => {
    const { catalog } = await catalogOf([QUOTES, WEATHER]);
    expect(await catalog.skill("wether")).toMatchObject({ failure: { known: ["weather", "quotes"] } });
  });

  test("that is gone although an index has it is not offered as one there is", async () => {
    const { catalog, users } = await catalogOf([QUOTES], [{ name: "mine" }]);
    users.forget("mine");
    expect(await catalog.skill("mine")).toMatchObject({
      failure: { code: "UNKNOWN_SKILL", known: ["quotes"] },
    });
  });
});

describe("a function by name", () => {
  test("is found with its skill, a bundled one without asking the store for a record", async () => {
    const { catalog, users } = await catalogOf([QUOTES, WEATHER], [{ name: "mine", functions: ["do_mine"] }]);
    const found = unwrapped(await catalog.function("get_book"));
    expect([found.source, found.record.skill.name, found.definition.name]).toEqual([
      "bundled",
      "quotes",
      "get_book",
    ]);
    expect(users.asked).toEqual([]);
    expect(unwrapped(await catalog.function("do_mine")).source).toBe("user");
    expect(users.asked).toEqual(["mine"]);
  });

  test("of a bundled skill that a tenant's own one hides is not there", async () => {
    const { catalog } = await catalogOf([QUOTES], [{ name: "quotes", functions: ["get_quote"] }]);
    expect(unwrapped(await catalog.function("get_quote")).source).toBe("user");
    expect(await catalog.function("get_book")).toMatchObject({
      failure: { code: "UNKNOWN_FUNCTION", function: "get_book", known: ["get_quote"] },
    });
  });

  test.each(["get_quot", "__proto__", "constructor", "toString", ""])(
    "that nobody has is unknown: %j",
    async (name) => {
      const { catalog } = await catalogOf([QUOTES]);
      expect(await catalog.function(name)).toMatchObject({
        failure: { code: "UNKNOWN_FUNCTION", function: name },
      });
    },
  );

  test("that is only declared cannot be called and is not offered", async () => {
    const { catalog } = await catalogOf([{ name: "demo", functions: ["real"], declarations: ["declared"] }]);
    expect(await catalog.function("declared")).toMatchObject({ failure: { known: ["real"] } });
  });

  test("is that of the bundled skill again where the tenant's own is gone although an index has it", async () => {
    const { catalog, users } = await catalogOf([QUOTES], [QUOTES, { name: "mine", functions: ["do_mine"] }]);
    users.forget("quotes");
    users.forget("mine");
    expect(unwrapped(await catalog.function("get_quote")).source).toBe("bundled");
    expect(await catalog.function("do_mine")).toMatchObject({
      failure: { code: "UNKNOWN_FUNCTION", known: expect.not.arrayContaining(["do_mine"]) },
    });
    expect(unwrapped(await catalog.records()).map(({ source }) => source)).toEqual(["bundled"]);
  });

  test("leaves a function with the bundled skill where the tenant's own that claimed it is gone", async () => {
    const { catalog, users } = await catalogOf([QUOTES], [{ name: "b-rival", functions: ["get_quote"] }]);
    users.forget("b-rival");
    expect(unwrapped(await catalog.function("get_quote")).record.skill.name).toBe("quotes");
    const served = unwrapped(await catalog.records()).flatMap(({ functions }) => [...functions]);
    expect(served).toContain("get_quote");
  });

  test("has each function once where two skills claim it, and the tenant's own has it", async () => {
    const rivals = [
      { name: "a-rival", functions: ["get_quote", "do_a"] },
      { name: "b-rival", functions: ["do_a", "do_b"] },
    ];
    const { catalog } = await catalogOf([QUOTES], rivals);
    const listed = unwrapped(await catalog.list());
    const owners = new Map(listed.map((entry) => [entry.name, entry.functions.map(({ name }) => name)]));
    expect(owners.get("a-rival")).toEqual(["get_quote", "do_a"]);
    expect(owners.get("b-rival")).toEqual(["do_b"]);
    expect(owners.get("quotes")).not.toContain("get_quote");
    const served = unwrapped(await catalog.records()).flatMap(({ functions }) => [...functions]);
    expect(new Set(served).size).toBe(served.length);
    expect(unwrapped(await catalog.function("get_quote")).record.skill.name).toBe("a-rival");
  });
});

describe("the name of what a caller sees", () => {
  const MINE: Sketch = { name: "mine", functions: ["get_mine"] };

  test("is the bundle's own without skills of a tenant, and another for each set of them", async () => {
    const { users, catalog } = await catalogOf([QUOTES]);
    const hashes = [unwrapped(await catalog.hash())];
    expect(hashes).toEqual(["hash"]);
    await users.add(MINE);
    hashes.push(unwrapped(await catalog.hash()));
    await users.add({ ...MINE, description: "Says another thing." });
    hashes.push(unwrapped(await catalog.hash()));
    expect(new Set(hashes).size).toBe(3);
    expect(unwrapped(await catalog.hash())).toBe(hashes[2]);
  });

  test("is exact for records that are the ones in the index", async () => {
    const { catalog } = await catalogOf([QUOTES], [MINE]);
    const records = unwrapped(await catalog.records());
    expect(unwrapped(await catalog.naming(records))).toEqual({
      hash: unwrapped(await catalog.hash()),
      reading: unwrapped(await catalog.reading()),
      isExact: true,
    });
  });

  test("goes with a number that stays for as long as the index that was read", async () => {
    const { users, catalog } = await catalogOf([QUOTES]);
    expect(unwrapped(await catalog.reading())).toBe(BUNDLED_ONLY);
    await users.add(MINE);
    const first = unwrapped(await catalog.reading());
    expect(unwrapped(await catalog.reading())).toBe(first);
    users.lines = [...users.lines];
    expect([BUNDLED_ONLY, first]).not.toContain(unwrapped(await catalog.reading()));
  });

  test("is not exact where the index is older than a record, or has one that is gone", async () => {
    const { users, catalog } = await catalogOf([QUOTES], [MINE]);
    const { lines } = users;
    await users.add({ ...MINE, description: "Says another thing." });
    users.lines = lines;
    const newer = unwrapped(await catalog.records());
    expect(unwrapped(await catalog.naming(newer)).isExact).toBe(false);
    users.forget("mine");
    const fewer = unwrapped(await catalog.records());
    expect(unwrapped(await catalog.naming(fewer)).isExact).toBe(false);
  });
});

describe("where the store does not answer", () => {
  const down = { ok: false, failure: { code: "STORE_UNAVAILABLE", operation: "read the index" } } as const;

  test("that is the failure of every question which needs it", async () => {
    const silent: UserSkills = { index: async () => down, skill: async () => down, skills: async () => down };
    const catalog = new Catalog(await bundledFrom([QUOTES]), silent, WHOLE_VIEW);
    const all = [
      catalog.list(),
      catalog.hash(),
      catalog.reading(),
      catalog.naming([]),
      catalog.ownEntries(),
      catalog.skill("quotes"),
      catalog.function("get_quote"),
      catalog.records(),
    ];
    expect(await Promise.all(all)).toEqual(all.map(() => down));
  });

  test("for a record of the tenant's own, the bundled skills are not taken for it", async () => {
    const { users } = await catalogOf([], [{ name: "quotes", functions: ["get_quote"] }]);
    const lines = users.lines;
    const deaf: UserSkills = {
      index: async () => success(lines),
      skill: async () => down,
      skills: async () => down,
    };
    const catalog = new Catalog(await bundledFrom([QUOTES]), deaf, WHOLE_VIEW);
    expect(await catalog.function("get_quote")).toEqual(down);
    expect(await catalog.records()).toEqual(down);
  });
});

describe("what a search finds a skill by", () => {
  test("is its line, and its triggers, tags, questions, parameters and headings, each said once", async () => {
    const block = {
      meta: { name: "tides", triggers: ["high water", "涨潮"], tags: ["sea"] },
      functions: [
        {
          name: "get_tides",
          description: "Times and heights of the tides at a harbour.",
          parameters: {
            type: "object",
            properties: { harbour: { type: "string" }, day: { type: "string" } },
          },
          compute: "1",
        },
      ],
      examples: [{ user: "When is high water?", function: "get_tides", params: {} }],
    };
    const record = await recordFrom("tides", "# Tides\n\n## sea\n", block);
    expect(searchableEntryOf(record)).toEqual({
      ...indexEntryOf(record),
      keywords: "high water\n涨潮\nsea\nWhen is high water?\nharbour\nday\nTides",
    });
  });

  test("has a bound, and no half character at its end", async () => {
    const headings = Array.from({ length: 300 }, (_, index) => `# 😀潮汐 ${index}`).join("\n\n");
    const { keywords } = searchableEntryOf(await recordFrom("tides", headings));
    expect([...keywords]).toHaveLength(MAX_KEYWORD_CHARACTERS);
    expect(keywords.isWellFormed()).toBe(true);
  });

  test("comes with the hash of all that the tenant then sees", async () => {
    const { catalog, users } = await catalogOf([QUOTES], [{ name: "mine" }]);
    const hash = unwrapped(await catalog.hash());
    expect(unwrapped(await catalog.ownEntries())).toEqual({ hash, entries: users.lines });
  });
});

describe("a record", () => {
  test("has every encoding of each function that can be called, in their order", async () => {
    const record = await recordOf({ name: "demo", functions: ["b", "a"], declarations: ["declared"] });
    expect(Object.keys(record.tools).sort()).toEqual([...encodingNames].sort());
    for (const dialect of encodingNames)
      expect(record.tools[dialect].map(({ json }) => json)).toEqual([`"${dialect} b"`, `"${dialect} a"`]);
    expect(indexEntryOf(record).functions.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  test("is parsed once, and only of names that are there", async () => {
    const bundled = await bundledFrom([QUOTES]);
    expect(bundled.record("quotes")).toBe(bundled.record("quotes"));
    for (const name of ["__proto__", "constructor", "toString"]) expect(bundled.record(name)).toBeNull();
  });
});

describe("a skill that the index does not have yet", () => {
  test("is among the records where it is asked for by name, and not otherwise", async () => {
    const { users, catalog } = await catalogOf([QUOTES], [WEATHER]);
    users.lines = [];
    const names = async (named: string[]) =>
      unwrapped(await catalog.records(named)).map(({ record }) => record.skill.name);
    expect(await names([])).toEqual(["quotes"]);
    expect(await names(["weather", "none", "quotes"])).toEqual(["quotes", "weather"]);
    expect(unwrapped(await catalog.naming(unwrapped(await catalog.records(["weather"])))).isExact).toBe(
      false,
    );
  });
});

describe("a bundled skill that may not be overridden", () => {
  test("stands before the tenant's own, in the list, by name and with its functions", async () => {
    const { catalog } = await catalogOf(
      [{ ...QUOTES, overridable: "false" }],
      [{ name: "quotes", functions: ["get_mine"] }, WEATHER],
    );
    const listed = unwrapped(await catalog.list());
    expect(listed.map(({ name, source, overrides }) => [name, source, overrides])).toEqual([
      ["quotes", "bundled", false],
      ["weather", "user", false],
    ]);
    expect(unwrapped(await catalog.skill("quotes"))).toMatchObject({ source: "bundled", own: null });
    expect(await catalog.function("get_mine")).toMatchObject({ failure: { code: "UNKNOWN_FUNCTION" } });
  });
});

describe("a bundled skill whose prose alone may be overridden", () => {
  test("keeps its functions and tools under the tenant's own text, as the same objects at every look", async () => {
    const { catalog } = await catalogOf(
      [{ ...QUOTES, overridable: "prose" }],
      [{ name: "quotes", functions: ["get_mine"], description: "What quotes does here, for tests." }],
    );
    const bundled = QUOTES.functions ?? [];
    const [line] = unwrapped(await catalog.list());
    expect(line).toMatchObject({ source: "user", description: "What quotes does here, for tests." });
    expect(line?.functions.map(({ name }) => name)).toEqual(bundled);
    const { record } = unwrapped(await catalog.skill("quotes"));
    expect(record.skill.functions.map(({ name }) => name)).toEqual(bundled);
    expect(record.tools.openai.map(({ json }) => json)).toEqual(bundled.map((name) => `"openai ${name}"`));
    expect(unwrapped(await catalog.skill("quotes")).record).toBe(record);
  });
});

test("a list of skills is put together once for as long as nobody changes them", async () => {
  const { users, catalog } = await catalogOf([QUOTES], [WEATHER]);
  const first = unwrapped(await catalog.list());
  expect(unwrapped(await catalog.list())).toBe(first);
  await users.add({ name: "other" });
  expect(unwrapped(await catalog.list())).not.toBe(first);
});
