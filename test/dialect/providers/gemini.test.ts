import { describe, expect, test } from "vitest";
import { gemini } from "../../../src/dialect/providers/gemini.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { MAX_SCHEMA_SENTENCE_CHARACTERS } from "../../../src/limits.ts";
import { functionOf, functionWith, lossesOf, shownBy, valueShownBy } from "../definition.ts";

type Loss = [keyword: string, outcome: string];

/** What the model is shown for one parameter, and what got lost on the way. */
interface Case {
  title: string;
  schema: JsonObject;
  shown: JsonObject;
  losses?: Loss[];
}

function check({ schema, shown, losses = [] }: Case): void {
  const definition = functionOf(schema);
  expect(valueShownBy(gemini, definition)).toEqual(shown);
  expect(lossesOf(gemini, definition)).toEqual(losses.map((loss) => ["/properties/value", ...loss]));
}

test("a tool is a name, a description and parameters; without parameters, an empty object", () => {
  const { json } = gemini.encodeTool(functionWith({ type: "object" }));
  expect(JSON.parse(json)).toEqual({
    name: "look_up",
    description: "Looks something up.",
    parameters: { type: "object" },
  });
});

test("a function's name begins with a letter or an underscore, and stays unique", () => {
  expect(["2fa_reset", "_2fa_reset", "-x", "x"].map(gemini.toolName)).toEqual([
    "_2fa_reset",
    "__2fa_reset",
    "_-x",
    "x",
  ]);
  const longest = "2".repeat(64);
  expect(gemini.toolName(longest)).toMatch(/^tool_2+_[0-9a-f]{10}$/);
  expect(gemini.toolName(longest)).not.toBe(gemini.toolName(`_${longest.slice(1)}`));
});

describe("types", () => {
  test.each<Case>([
    {
      title: "a type and null is nullable",
      schema: { type: ["string", "null"] },
      shown: { type: "string", nullable: true },
    },
    {
      title: "two types are alternatives, each with its own keywords",
      schema: { type: ["string", "integer"], description: "Id.", minLength: 2, minimum: 3, default: 4 },
      shown: {
        anyOf: [
          { type: "string", description: "Id.\nDefault: 4.", minLength: 2 },
          { type: "integer", minimum: 3 },
        ],
      },
      losses: [["default", "described"]],
    },
    {
      title: "two types and null: one of the alternatives is nullable",
      schema: { type: ["string", "integer", "null"] },
      shown: { anyOf: [{ type: "string", nullable: true }, { type: "integer" }] },
    },
    { title: "an integer is a number", schema: { type: ["integer", "number"] }, shown: { type: "number" } },
    {
      title: "null alone is a nullable string",
      schema: { type: "null" },
      shown: { type: "string", nullable: true, description: "Always null." },
      losses: [["type", "described"]],
    },
    {
      title: "a missing type is the one that the keywords belong to",
      schema: { properties: { a: { type: "string" } }, minLength: 1 },
      shown: {
        anyOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { type: "string", minLength: 1 },
        ],
      },
      losses: [["type", "dropped"]],
    },
    {
      title: "keywords of other types go without a loss, since they say nothing",
      schema: { type: "string", properties: { a: {} }, required: ["a"], minimum: 3, items: {} },
      shown: { type: "string" },
    },
    {
      title: "no type at all is every type",
      schema: { description: "Payload." },
      shown: {
        anyOf: [
          { type: "string", nullable: true, description: "Payload.\nAny JSON value." },
          { type: "number" },
          { type: "boolean" },
          { type: "object", description: "Any properties may be given." },
          {
            type: "array",
            items: {
              anyOf: [
                { type: "string" },
                { type: "number" },
                { type: "boolean" },
                { type: "object", description: "Any properties may be given." },
              ],
            },
          },
        ],
      },
      losses: [
        ["type", "described"],
        ["additionalProperties", "described"],
      ],
    },
  ])("$title", check);
});

describe("enumerations", () => {
  test.each<Case>([
    {
      title: "integers are sent as strings, the default too",
      schema: { type: "integer", enum: [1, 2, 4], default: 2 },
      shown: { type: "string", enum: ["1", "2", "4"], default: "2" },
      losses: [["enum", "renamed"]],
    },
    {
      title: "strings stay, and get their type",
      schema: { enum: ["a", "b", "a"] },
      shown: { type: "string", enum: ["a", "b"] },
    },
    {
      title: "null among the values is nullable",
      schema: { type: ["string", "null"], enum: ["x", "y", null] },
      shown: { type: "string", nullable: true, enum: ["x", "y"] },
    },
    {
      title: "a constant string is an enumeration of one",
      schema: { const: "a" },
      shown: { type: "string", enum: ["a"] },
    },
    {
      title: "both booleans need no enumeration",
      schema: { type: "boolean", enum: [true, false] },
      shown: { type: "boolean" },
    },
    {
      title: "an empty string is refused, so all values go into the description",
      schema: { type: "string", enum: ["", "asc"] },
      shown: { type: "string", description: 'One of: "", "asc".' },
      losses: [["enum", "described"]],
    },
    {
      title: "values that would be the same string go into the description",
      schema: { enum: ["1", 1] },
      shown: { anyOf: [{ type: "string", description: 'One of: "1", 1.' }, { type: "integer" }] },
      losses: [["enum", "described"]],
    },
    {
      title: "among alternatives no value changes its type",
      schema: { anyOf: [{ type: "integer", enum: [1, 2] }, { type: "string" }] },
      shown: { anyOf: [{ type: "integer", description: "One of: 1, 2." }, { type: "string" }] },
      losses: [["enum", "described"]],
    },
  ])("$title", ({ losses = [], ...rest }) => {
    const definition = functionOf(rest.schema);
    expect(valueShownBy(gemini, definition)).toEqual(rest.shown);
    expect(lossesOf(gemini, definition).map(([, ...loss]) => loss)).toEqual(losses);
  });

  test.each<[JsonObject, JsonValue, JsonValue]>([
    [{ type: "integer", enum: [1, 2, 4] }, "2", 2],
    [{ type: "integer", enum: [1, 2, 4] }, 2, 2],
    [{ type: "integer", enum: [1, 2, 4] }, "7", "7"],
    [{ enum: [1, "two", true, { a: 1 }] }, '{"a":1}', { a: 1 }],
    [{ enum: [1, "two", true] }, "true", true],
    [{ enum: [1, "two", true] }, "two", "two"],
    [{ type: "string", enum: ["1", "2"] }, "1", "1"],
    [{ type: "array", items: { type: "integer", enum: [1, 2] } }, ["1", "2"], [1, 2]],
    [{ type: "array", prefixItems: [{ type: "integer", enum: [1, 2] }] }, ["1", "1"], ["1", "1"]],
    [{ allOf: [{ $ref: "#/$defs/Level" }] }, "2", 2],
    [{ type: ["integer", "null"], enum: [1, null] }, null, null],
  ])("of %j, the argument %j comes back as %j", (schema, sent, restored) => {
    const definition = functionOf(schema, { $defs: { Level: { type: "integer", enum: [1, 2] } } });
    expect(gemini.restoreArguments(definition, { value: sent })).toEqual({ value: restored });
  });

  test("values come back below where a recursive structure is spelled out", () => {
    const definition = functionOf(
      { $ref: "#/$defs/Node" },
      {
        $defs: {
          Node: {
            type: "object",
            properties: {
              level: { type: "integer", enum: [1, 2] },
              kids: { type: "array", items: { $ref: "#/$defs/Node" } },
            },
          },
        },
      },
    );
    const nested = (level: JsonValue): JsonObject => ({
      value: { level, kids: [{ level, kids: [{ level, kids: [{ level, kids: [] }] }] }] },
    });
    expect(gemini.restoreArguments(definition, nested("2"))).toEqual(nested(2));
  });
});

describe("alternatives", () => {
  const circle = {
    properties: { kind: { const: "circle" }, radius: { type: "number" } },
    required: ["kind"],
  };
  const square = { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind"] };

  test.each<Case>([
    {
      title: "anyOf stands alone: the description moves to the first alternative",
      schema: {
        title: "T",
        description: "Which.",
        anyOf: [{ type: "string", description: "A name." }, { type: "integer" }],
      },
      shown: { anyOf: [{ type: "string", description: "Which.\nA name." }, { type: "integer" }] },
      losses: [["title", "dropped"]],
    },
    {
      title: "an alternative of null makes the other nullable",
      schema: { description: "Id.", anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
      shown: { type: "string", nullable: true, description: "Id.", minLength: 1 },
    },
    {
      title: "alternatives of alternatives are alternatives",
      schema: { anyOf: [{ type: ["string", "integer"] }, { type: "boolean" }] },
      shown: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "boolean" }] },
    },
    {
      title: "a type that all alternatives share moves into them; exactly one becomes at least one",
      schema: { type: "object", oneOf: [circle, square] },
      shown: {
        anyOf: [
          {
            type: "object",
            properties: { kind: { type: "string", enum: ["circle"] }, radius: { type: "number" } },
            required: ["kind"],
          },
          {
            type: "object",
            properties: { kind: { type: "string", enum: ["square"] }, side: { type: "number" } },
            required: ["kind"],
          },
        ],
      },
      losses: [["oneOf", "widened"]],
    },
    {
      title: "alternatives beside properties become a sentence",
      schema: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      shown: {
        type: "object",
        description: 'At least one of these must be given: "a"; or "b".',
        properties: { a: { type: "string" }, b: { type: "string" } },
      },
      losses: [["anyOf", "described"]],
    },
    {
      title: "alternatives of a closed object add no properties to it",
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: false,
        anyOf: [{ properties: { b: { type: "string" } } }, { required: ["a"] }],
      },
      shown: {
        type: "object",
        description:
          'At least one of these must hold: (1) {"properties":{"b":{"type":"string"}}}; (2) {"required":["a"]}.',
        properties: { a: { type: "string" } },
      },
      losses: [
        ["anyOf", "described"],
        ["additionalProperties", "dropped"],
      ],
    },
  ])("$title", check);

  test("alternatives that contradict their parent's type become a sentence", () => {
    check({
      title: "",
      schema: { type: "string", anyOf: [{ type: "integer" }, { minLength: 3 }] },
      shown: {
        type: "string",
        description: 'At least one of these must hold: (1) {"type":"integer"}; (2) {"minLength":3}.',
      },
      losses: [["anyOf", "described"]],
    });
  });
});

describe("conjunctions", () => {
  test.each<Case>([
    {
      title: "allOf is merged: tighter bounds, common types, all that is required",
      schema: {
        allOf: [
          { type: ["integer", "string"], minimum: 1, maximum: 9 },
          { type: "number", minimum: 3, maximum: 20 },
        ],
      },
      shown: { type: "integer", minimum: 3, maximum: 9 },
    },
    {
      title: "nullable beside allOf accepts null",
      schema: { nullable: true, description: "S.", allOf: [{ type: "string" }] },
      shown: { type: "string", nullable: true, description: "S." },
    },
    {
      title: "what cannot be written once is said",
      schema: { type: "string", pattern: "^a", allOf: [{ pattern: "b$" }] },
      shown: { type: "string", pattern: "^a", description: 'Must also match {"pattern":"b$"}.' },
      losses: [["allOf", "described"]],
    },
    {
      title: "a property that both sides declare is merged as well",
      schema: {
        allOf: [
          { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] },
          { type: "object", properties: { n: { maximum: 5 }, m: { type: "string" } } },
        ],
      },
      shown: {
        type: "object",
        properties: { n: { type: "integer", minimum: 1, maximum: 5 }, m: { type: "string" } },
        required: ["n"],
      },
    },
  ])("$title", check);
});

describe("what has no field", () => {
  const conditional: JsonObject = JSON.parse(
    '{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}',
  );

  test.each<[string, JsonObject, string]>([
    ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }, "Greater than 0."],
    ["exclusiveMaximum", { type: "number", exclusiveMaximum: 1.5 }, "Less than 1.5."],
    ["multipleOf", { type: "number", multipleOf: 5 }, "A multiple of 5."],
    ["format", { type: "string", format: "email" }, 'Format: "email".'],
    ["contentEncoding", { type: "string", contentEncoding: "base64" }, 'Content encoding: "base64".'],
    ["examples", { type: "string", examples: ["AAPL", "600519"] }, 'Examples: "AAPL", "600519".'],
    ["deprecated", { type: "string", deprecated: true }, "Deprecated."],
    ["readOnly", { type: "string", readOnly: true }, "Read-only."],
    ["not", { type: "string", not: { const: "all" } }, 'Must not match {"const":"all"}.'],
    [
      "uniqueItems",
      { type: "array", items: { type: "string" }, uniqueItems: true },
      "No two items are equal.",
    ],
    [
      "contains",
      { type: "array", items: { type: "string" }, contains: { const: "a" }, minContains: 2, maxContains: 3 },
      'At least 2 and at most 3 of the items match {"const":"a"}.',
    ],
    [
      "additionalProperties",
      { type: "object", additionalProperties: { type: "number", "x-widget": "slider" } },
      'Any properties may be given, each {"type":"number"}.',
    ],
    [
      "additionalProperties",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      "Other properties may be given.",
    ],
    [
      "patternProperties",
      {
        type: "object",
        properties: { a: { type: "string" } },
        patternProperties: { "^n_": { type: "number" } },
      },
      'Properties whose names match "^n_" are {"type":"number"}.',
    ],
    [
      "propertyNames",
      { type: "object", properties: { a: { type: "string" } }, propertyNames: { pattern: "^[a-z]$" } },
      'Property names match {"pattern":"^[a-z]$"}.',
    ],
    [
      "dependentRequired",
      { type: "object", properties: { a: { type: "string" } }, dependentRequired: { a: ["b", "c"] } },
      'If "a" is given, so is "b" and "c".',
    ],
    [
      "if",
      { type: "object", properties: { a: { type: "string" } }, ...conditional },
      'If the value matches {"required":["a"]}, it also matches {"required":["b"]}; otherwise it matches {"maxProperties":0}.',
    ],
  ])("%s is said in words: %j", (keyword, schema, sentence) => {
    const definition = functionOf(schema);
    expect(valueShownBy(gemini, definition)).toMatchObject({ description: sentence });
    expect(lossesOf(gemini, definition)).toContainEqual(["/properties/value", keyword, "described"]);
    expect(gemini.problemsOf(gemini.encodeTool(definition).json)).toEqual([]);
  });
});

describe("what has no field and no words", () => {
  test.each<[string, JsonObject]>([
    ["a closed object", { additionalProperties: false }],
    ["a word of somebody's own", { markdownDescription: "**A**" }],
  ])("%s is dropped, and named", (_what, said) => {
    const definition = functionOf({ type: "object", properties: { a: { type: "string" } }, ...said });
    expect(valueShownBy(gemini, definition)).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
    expect(lossesOf(gemini, definition)).toEqual([["/properties/value", Object.keys(said)[0], "dropped"]]);
  });

  test("what says nothing is no loss", () => {
    check({
      title: "",
      schema: { type: "array", items: { type: "string" }, uniqueItems: false },
      shown: { type: "array", items: { type: "string" } },
    });
  });

  test("a required property that is not declared is named in the description", () => {
    check({
      title: "",
      schema: { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] },
      shown: {
        type: "object",
        description: 'Also required: "b".',
        properties: { a: { type: "string" } },
        required: ["a"],
      },
      losses: [["required", "described"]],
    });
  });

  test("a tuple is a list of what it may hold, its order is said", () => {
    check({
      title: "",
      schema: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
      shown: {
        type: "array",
        description: 'Items in this order: {"type":"string"}, {"type":"integer"}.',
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        maxItems: 2,
      },
      losses: [["prefixItems", "described"]],
    });
  });

  test("a value that is never valid is said to be so", () => {
    const definition = functionWith({ type: "object", properties: { never: false } });
    expect(shownBy(gemini, definition).properties).toEqual({
      never: { type: "string", description: "No value is valid here." },
    });
  });
});

test("long rules are cut, by characters and not by halves of them", () => {
  const values = Array.from({ length: 300 }, (_, index) => `𠮷${index}`);
  const shown = JSON.stringify(shownBy(gemini, functionOf({ type: "string", not: { enum: values } })));
  const { description } = JSON.parse(shown).properties.value;
  expect(description.endsWith("…")).toBe(true);
  expect([...description].length).toBe(MAX_SCHEMA_SENTENCE_CHARACTERS);
  expect(description.isWellFormed()).toBe(true);
});

test("a list without items is a list of anything", () => {
  expect(valueShownBy(gemini, functionOf({ type: "array" }))).toMatchObject({
    type: "array",
    items: {
      anyOf: [
        { type: "string", nullable: true },
        { type: "number" },
        { type: "boolean" },
        {},
        { type: "array" },
      ],
    },
  });
});

test("property keys are letters, digits and underscores, and come back", () => {
  const definition = functionWith({
    type: "object",
    properties: { "page-size": { type: "integer" }, "2nd": { type: "string" }, plain: { type: "string" } },
    required: ["page-size"],
  });
  const shown = shownBy(gemini, definition);
  const [size = "", second = "", plain] = Object.keys(JSON.parse(JSON.stringify(shown.properties)));
  expect(size).toMatch(/^page_size_[0-9a-f]{10}$/);
  expect(second).toMatch(/^key_2nd_[0-9a-f]{10}$/);
  expect(plain).toBe("plain");
  expect(shown.required).toEqual([size]);
  expect(gemini.restoreArguments(definition, { [size]: 1, [second]: "b", plain: "c" })).toEqual({
    "page-size": 1,
    "2nd": "b",
    plain: "c",
  });
});

test("a constant that its own enumeration excludes is not lost", () => {
  const definition = functionOf({ type: "string", enum: ["a"], const: "b" });
  expect(valueShownBy(gemini, definition)).toEqual({
    type: "string",
    description: 'Always "b".',
    enum: ["a"],
  });
});

test("a property that only one alternative declares keeps its type, since others may hold other values", () => {
  const definition = functionWith({
    type: "object",
    properties: { a: { type: "string" } },
    anyOf: [{ properties: { level: { type: "integer", enum: [1, 2] } } }, { required: ["a"] }],
  });
  expect(shownBy(gemini, definition).properties).toEqual({
    a: { type: "string" },
    level: { type: "integer", description: "One of: 1, 2." },
  });
  const given = { a: "x", level: "2" };
  expect(gemini.restoreArguments(definition, given)).toEqual(given);
});

test("a definition that is used twice has each of its losses once", () => {
  const definition = functionWith({
    type: "object",
    properties: { from: { $ref: "#/$defs/Person" }, to: { $ref: "#/$defs/Person" } },
    $defs: { Person: { type: "object", properties: { mail: { type: "string", format: "email" } } } },
  });
  expect(lossesOf(gemini, definition)).toEqual([["/$defs/Person/properties/mail", "format", "described"]]);
});
