/** What may be asked for beyond a tool's plain form, in the providers' own words. */
import { describe, expect, test } from "vitest";
import { type Dialect, dialects, type ToolNote } from "../../src/dialect/index.ts";
import type { FunctionDefinition } from "../../src/ir.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { functionWith } from "./definition.ts";

const { openai, "openai-responses": responses, anthropic, gemini, mcp, deepseek } = dialects;
const none = { strict: false, examples: false, defer: false };
const strict = { ...none, strict: true };
const examples = { ...none, examples: true };
const defer = { ...none, defer: true };

const search = {
  type: "object",
  properties: { q: { type: "string" }, n: { type: "integer" } },
  required: ["q"],
};

/** The tools of a request, parsed; OpenAI's without their envelope. */
function toolsOf(
  dialect: Dialect,
  definitions: readonly FunctionDefinition[],
  options: typeof none,
): JsonObject[] {
  const list: JsonValue = JSON.parse(dialect.encodeTools(definitions, options).json);
  return (Array.isArray(list) ? list : [])
    .filter(isJsonObject)
    .map((tool) => (isJsonObject(tool.function) ? tool.function : tool));
}

function notesOf(dialect: Dialect, definitions: readonly FunctionDefinition[], options: typeof none) {
  return dialect
    .encodeTools(definitions, options)
    .notes.map(({ option, function: name, note }: ToolNote) => ({ option, name, note }));
}

describe("a strict tool of OpenAI", () => {
  const closed = {
    type: "object",
    properties: { q: { type: "string" }, n: { type: ["integer", "null"] } },
    required: ["q", "n"],
    additionalProperties: false,
  };

  test.each([openai, responses])("of $name is closed and requires all: optional is nullable", (dialect) => {
    expect(toolsOf(dialect, [functionWith(search)], strict)).toMatchObject([
      { name: "look_up", strict: true, parameters: closed },
    ]);
    expect(dialect.restoreArguments(functionWith(search), { q: "x", n: null })).toEqual({ q: "x" });
  });

  test("keeps a null that the function accepts itself", () => {
    const definition = functionWith({ type: "object", properties: { n: { type: ["integer", "null"] } } });
    expect(openai.restoreArguments(definition, { n: null })).toEqual({ n: null });
  });

  test("drops nulls inside lists and objects too", () => {
    const definition = functionWith({
      type: "object",
      properties: { list: { type: "array", items: search }, one: { $ref: "#/$defs/One" } },
      required: ["list", "one"],
      $defs: { One: search },
    });
    expect(toolsOf(openai, [definition], strict)).toMatchObject([{ strict: true }]);
    const sent = { list: [{ q: "a", n: null }], one: { q: "b", n: null } };
    expect(openai.restoreArguments(definition, sent)).toEqual({ list: [{ q: "a" }], one: { q: "b" } });
  });

  test("lets null into enumerations and unions", () => {
    const definition = functionWith({
      type: "object",
      properties: {
        sort: { type: "string", enum: ["asc", "desc"] },
        at: { description: "When.", anyOf: [{ type: "string" }, { type: "integer" }] },
      },
    });
    expect(toolsOf(openai, [definition], strict)).toMatchObject([
      {
        parameters: {
          properties: {
            sort: { type: ["string", "null"], enum: ["asc", "desc", null] },
            at: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
          },
        },
      },
    ]);
  });

  test("says in words what its schema may not say", () => {
    const parameters = {
      type: "object",
      properties: { q: { type: "string", description: "Words.", minLength: 2, default: "all" } },
      required: ["q"],
    };
    const [tool] = toolsOf(openai, [functionWith(parameters)], strict);
    expect(tool).toMatchObject({
      strict: true,
      parameters: {
        properties: {
          q: { type: "string", description: 'Words.\nAt least 2 characters. Default: "all".' },
        },
      },
    });
  });

  test("a function without parameters can be one", () => {
    expect(toolsOf(openai, [functionWith({ type: "object" })], strict)).toMatchObject([
      { strict: true, parameters: { type: "object", properties: {}, additionalProperties: false } },
    ]);
  });

  test("of the Responses interface says that it is not strict where nobody asked, or it would be made so", () => {
    expect(toolsOf(responses, [functionWith(search)], none)).toMatchObject([
      { type: "function", name: "look_up", strict: false, parameters: search },
    ]);
  });
});

describe("no strict tool of OpenAI", () => {
  test.each<[string, JsonObject]>([
    ["maps", { type: "object", additionalProperties: { type: "string" } }],
    ["free-form objects", { type: "object" }],
    [
      "closed maps",
      { type: "object", patternProperties: { "^[A-Z]+$": { type: "number" } }, additionalProperties: false },
    ],
    [
      "closed maps with properties beside them",
      {
        type: "object",
        properties: { a: { type: "string" } },
        patternProperties: { "^[A-Z]+$": { type: "number" } },
        additionalProperties: false,
      },
    ],
    [
      "closed maps among conjuncts",
      { allOf: [{ type: "object", patternProperties: { "^n": {} }, additionalProperties: false }] },
    ],
    ["lists of such lists", { type: "array", items: { $ref: "#/properties/value" } }],
    [
      "more than 5,000 schemas",
      { type: "array", prefixItems: Array.from({ length: 5_001 }, () => ({ type: "null" })) },
    ],
    ["keys that a pattern names", { type: "object", properties: {}, patternProperties: { "^n": {} } }],
    ["any value", {}],
    ["lists of anything", { type: "array" }],
    ["recursion", { $ref: "#" }],
    ["a required property that nobody declares", { type: "object", properties: {}, required: ["a"] }],
    [
      "properties that only a condition declares",
      JSON.parse(
        '{"type":"object","properties":{"a":{"type":"string"}},"if":{},"then":{"properties":{"b":{}}}}',
      ),
    ],
    [
      "alternatives with optional properties",
      { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "string" }] },
    ],
    [
      "more than 1,000 enumerated values",
      { type: "integer", enum: Array.from({ length: 1_001 }, (_, index) => index) },
    ],
    [
      "an enumeration of too much text",
      { type: "string", enum: Array.from({ length: 300 }, (_, index) => `${"x".repeat(60)}${index}`) },
    ],
    ["more than 10 levels", nested(12)],
  ])("is made of %s, which is said", (_what, schema) => {
    const definition = functionWith({ type: "object", properties: { value: schema } });
    const plain = openai.encodeTool(definition);
    const { tools, notes } = openai.encodeTools([definition], strict);
    expect(tools.map(({ json }) => json.replace(',"strict":false', ""))).toEqual([plain.json]);
    expect(notes).toMatchObject([{ option: "strict", function: "look_up" }]);
    expect(notes[0]?.note).toContain("Its schema cannot be strict: ");
  });
});

function nested(levels: number): JsonObject {
  return levels === 0 ? { type: "string" } : { type: "array", items: nested(levels - 1) };
}

describe("the strict tools of an Anthropic request", () => {
  const required = (count: number, schema: JsonObject = { type: "integer" }): JsonObject => {
    const keys = Array.from({ length: count }, (_, index) => `k${index}`);
    return {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, schema])),
      required: keys,
    };
  };
  const strictNames = (definitions: readonly FunctionDefinition[]): JsonValue[] =>
    toolsOf(anthropic, definitions, strict)
      .filter((tool) => tool.strict === true)
      .map(({ name }) => name ?? null);

  test("keep optional properties optional", () => {
    expect(toolsOf(anthropic, [functionWith(search)], strict)).toEqual([
      {
        name: "look_up",
        description: "Looks something up.",
        input_schema: { ...search, additionalProperties: false },
        strict: true,
      },
    ]);
  });

  test("are at most 20: those that gain most, in whatever order they come", () => {
    const definitions = Array.from({ length: 25 }, (_, index) =>
      functionWith(required(index + 1), { name: `f${index}` }),
    );
    const expected = definitions.slice(5).map(({ name }) => name);
    expect(strictNames(definitions)).toEqual(expected);
    expect(strictNames([...definitions].reverse()).reverse()).toEqual(expected);
    expect(notesOf(anthropic, definitions, strict).filter(({ name }) => name !== null)).toEqual(
      definitions.slice(0, 5).map(({ name }) => ({
        option: "strict",
        name,
        note: "It could be strict, but what the provider allows of strict tools in one request goes to tools that gain more.",
      })),
    );
  });

  test("of which one alone takes more than there is, are none, and no other tool is blamed", () => {
    expect(notesOf(anthropic, [functionWith({ ...required(25), required: [] })], strict)).toEqual([
      {
        option: "strict",
        name: "look_up",
        note: "It could be strict, but alone takes more than the provider allows of strict tools in one request.",
      },
    ]);
  });

  test("are not made of maps or of lists of themselves", () => {
    const map = {
      type: "object",
      patternProperties: { "^[A-Z]+$": { type: "number" } },
      additionalProperties: false,
    };
    const list = { type: "array", items: { $ref: "#/properties/list" } };
    for (const properties of [{ map }, { list }]) {
      expect(strictNames([functionWith({ type: "object", properties })])).toEqual([]);
    }
  });

  test("have at most 24 optional properties together", () => {
    const optional = { ...required(10), required: [] };
    const definitions = ["a", "b", "c", "d"].map((name) => functionWith(optional, { name }));
    expect(strictNames([...definitions, functionWith(required(1), { name: "e" })])).toEqual(["a", "b", "e"]);
  });

  test("have at most 16 properties of several types together", () => {
    const several = required(6, { type: ["integer", "null"] });
    const definitions = ["a", "b", "c"].map((name) => functionWith(several, { name }));
    expect(strictNames(definitions)).toEqual(["a", "b"]);
  });

  test("say bounds, lengths and patterns in words, and know few formats", () => {
    const parameters = {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1 },
        s: { type: "string", maxLength: 9, pattern: "^a" },
        day: { type: "string", format: "date" },
        code: { type: "string", format: "iban" },
        some: { type: "array", items: { type: "string" }, minItems: 1 },
        more: { type: "array", items: { type: "string" }, minItems: 2 },
      },
    };
    expect(toolsOf(anthropic, [functionWith(parameters)], strict)).toMatchObject([
      {
        strict: true,
        input_schema: {
          properties: {
            n: { type: "integer", description: "At least 1." },
            s: {
              type: "string",
              description: 'At most 9 characters. Matches the regular expression "^a".',
            },
            day: { type: "string", format: "date" },
            code: { type: "string", description: 'Format: "iban".' },
            some: { minItems: 1 },
            more: { description: "At least 2 items." },
          },
        },
      },
    ]);
  });

  test("do not enumerate objects", () => {
    const parameters = { type: "object", properties: { unit: { const: { of: "day" } } } };
    expect(strictNames([functionWith(parameters)])).toEqual([]);
  });
});

test.each([
  { dialect: gemini, words: "mode VALIDATED" },
  { dialect: mcp, words: "no strict tools" },
  { dialect: deepseek, words: "beta" },
])("$dialect.name has no strict tools, and says so", ({ dialect, words }) => {
  const definition = functionWith(search);
  const { tools, notes } = dialect.encodeTools([definition], strict);
  expect(tools).toEqual([dialect.encodeTool(definition)]);
  expect(notes).toMatchObject([{ option: "strict", function: null }]);
  expect(notes[0]?.note).toContain(words);
});

test("DeepSeek's tools are OpenAI's, to the byte", () => {
  const definition = functionWith(search, { name: "天气" });
  expect(deepseek.encodeTool(definition)).toEqual(openai.encodeTool(definition));
});

describe("examples", () => {
  const keyed = { type: "object", properties: { "when>": { type: "string" }, n: { type: "integer" } } };
  const definition = functionWith(keyed, { examples: [{ "when>": "now" }, { n: 2 }] });

  test("stand in Anthropic's own field, under the keys that the tool has", () => {
    const [tool] = toolsOf(anthropic, [definition], examples);
    const [alias] = Object.keys(isJsonObject(tool?.input_schema) ? propertiesOf(tool.input_schema) : {});
    expect(alias).not.toBe("when>");
    expect(tool?.input_examples).toEqual([{ [alias ?? ""]: "now" }, { n: 2 }]);
  });

  test("that are not valid by the schema as it is sent are left out, or the whole request would be refused", () => {
    const wrong = functionWith(keyed, { examples: [{ n: "many" }, { n: 1 }] });
    expect(toolsOf(anthropic, [wrong], examples)).toMatchObject([{ input_examples: [{ n: 1 }] }]);
    expect(notesOf(anthropic, [wrong], examples)).toMatchObject([{ option: "examples", name: "look_up" }]);
  });

  test.each([openai, responses, deepseek, mcp])("are told in the description by $name", (dialect) => {
    const [tool] = toolsOf(dialect, [definition], examples);
    expect(tool?.description).toBe('Looks something up.\nExamples of arguments: {"when>":"now"}, {"n":2}.');
  });

  test("are told as Gemini's schema has them: enumerations as texts", () => {
    const parameters = { type: "object", properties: { level: { type: "integer", enum: [1, 2] } } };
    const levelled = functionWith(parameters, { examples: [{ level: 2 }] });
    expect(gemini.encodeTools([levelled], examples).tools[0]?.json).toContain(
      'Examples of arguments: {\\"level\\":\\"2\\"}.',
    );
  });

  test("of a strict tool of OpenAI name every argument", () => {
    const told = functionWith(search, { examples: [{ q: "x" }] });
    const [tool] = toolsOf(openai, [told], { ...examples, strict: true });
    expect(tool?.description).toContain('Examples of arguments: {"q":"x","n":null}.');
  });

  test("are three at most, none of them long", () => {
    const many = functionWith(search, {
      examples: [{ q: "x".repeat(500) }, { q: "a" }, { q: "b" }, { q: "c" }],
    });
    expect(toolsOf(anthropic, [many], examples)).toMatchObject([
      { input_examples: [{ q: "a" }, { q: "b" }] },
    ]);
    expect(notesOf(anthropic, [many], examples)).toMatchObject([{ note: expect.stringMatching(/^2 of/) }]);
  });

  test("are nothing where a function has none", () => {
    expect(anthropic.encodeTools([functionWith(search)], examples)).toEqual(
      anthropic.encodeTools([functionWith(search)], none),
    );
  });
});

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

describe("tools that are loaded on demand", () => {
  const definition = functionWith(search, { examples: [{ q: "x" }] });

  test("come with Anthropic's search tool, without which all of them would be refused", () => {
    expect(toolsOf(anthropic, [definition], defer)).toMatchObject([
      { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
      { name: "look_up", defer_loading: true },
    ]);
  });

  test("leave Anthropic's search tool its name, and a function of that name is found again", () => {
    const taken = functionWith(search, { name: "tool_search_tool_bm25" });
    const names = toolsOf(anthropic, [taken], defer).map(({ name }) => String(name));
    expect(new Set(names).size).toBe(2);
    const [, alias = ""] = names;
    expect(anthropic.functionName(alias, new Set(["look_up", "tool_search_tool_bm25"]))).toBe(taken.name);
  });

  test("come with OpenAI's search tool in the Responses interface", () => {
    expect(toolsOf(responses, [definition], defer)).toMatchObject([
      { type: "tool_search" },
      { name: "look_up", defer_loading: true },
    ]);
  });

  test("tell Anthropic examples in the description: beside the search their field is refused", () => {
    const [, tool] = toolsOf(anthropic, [definition], { ...examples, defer: true });
    expect(tool).not.toHaveProperty("input_examples");
    expect(tool?.description).toContain('Examples of arguments: {"q":"x"}.');
  });

  test("no search tool stands alone", () => {
    expect(toolsOf(anthropic, [], defer)).toEqual([]);
  });

  test.each([openai, deepseek, gemini, mcp])("$name has none, and says so", (dialect) => {
    expect(dialect.encodeTools([definition], defer).tools).toEqual([dialect.encodeTool(definition)]);
    expect(notesOf(dialect, [definition], defer)).toMatchObject([{ option: "defer", name: null }]);
  });
});

test("more tools than a provider takes in one request are said to be too many", () => {
  const definitions = Array.from({ length: 129 }, (_, index) => functionWith(search, { name: `f${index}` }));
  expect(notesOf(openai, definitions, none)).toMatchObject([{ option: "tools", name: null }]);
  expect(notesOf(openai, definitions.slice(1), none)).toEqual([]);
  expect(notesOf(responses, definitions, defer)).toEqual([]);
});
