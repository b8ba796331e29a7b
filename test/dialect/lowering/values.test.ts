/** Enumerations, constants, defaults and examples agree with the type beside them, in every provider's schema. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../../src/dialect/index.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { functionOf, functionWith, lossesOf, shownBy, valueShownBy } from "../definition.ts";

const strict = { strict: true, examples: false, defer: false };
const large = "9007199254740993";

const contradictions: [string, JsonObject][] = [
  [
    "whole numbers of 64 bits as texts",
    { type: "integer", format: "int64", enum: [large, 1], default: large },
  ],
  ["one such number", { type: "integer", format: "int64", const: large }],
  ["a default of that kind", { type: "integer", format: "int64", default: large, examples: [large] }],
  ["null among texts", { type: "string", enum: ["a", null] }],
  ["null as a type without a value", { type: ["string", "null"], enum: ["a"] }],
  ["no value that is valid", { type: "string", enum: [1, 2] }],
  ["a constant that is not valid", { type: "string", const: 1 }],
  ["a default of null", { type: "string", default: null }],
  ["an example that is no whole number", { type: "integer", examples: [1, 1.5] }],
  ["a default that is none of the values", { type: "integer", enum: [1, 2], default: "3" }],
  ["OpenAPI's null", { type: "string", enum: ["a"], nullable: true, default: null }],
];

describe.each(Object.values(dialects))("$name", (dialect) => {
  test.each(contradictions)("sends nothing that contradicts itself: %s", (_what, schema) => {
    for (const required of [[], ["value"]]) {
      const definition = functionWith({ type: "object", properties: { value: schema }, required });
      const plain = dialect.encodeTool(definition);
      for (const { json, losses } of [plain, ...dialect.encodeTools([definition], strict).tools]) {
        expect(dialect.problemsOf(json)).toEqual([]);
        expect(losses.filter(({ note }) => note.includes("would refuse"))).toEqual([]);
      }
    }
  });

  test("a value that the type refuses is left out, and is a loss", () => {
    const definition = functionOf({ type: "string", enum: ["a", null] });
    expect(valueShownBy(dialect, definition)).toMatchObject({ type: "string", enum: ["a"] });
    expect(lossesOf(dialect, definition)).toContainEqual(["/properties/value", "enum", "dropped"]);
  });

  test("a default that the type refuses is said in words", () => {
    const definition = functionOf({ type: "integer", format: "int64", default: large });
    expect(valueShownBy(dialect, definition)).toMatchObject({
      type: "integer",
      description: expect.stringContaining(`Default: "${large}".`),
    });
    expect(valueShownBy(dialect, definition)).not.toHaveProperty("default");
    expect(lossesOf(dialect, definition)).toContainEqual(["/properties/value", "default", "described"]);
  });
});

test.each([dialects.openai, dialects.anthropic, dialects.mcp])(
  "$name lists whole numbers of 64 bits as texts, and has a type for them",
  (dialect) => {
    const definition = functionOf({ type: "integer", format: "int64", enum: [large, 1] });
    expect(valueShownBy(dialect, definition)).toEqual({ type: ["integer", "string"], enum: [large, 1] });
  },
);

describe("null for Gemini", () => {
  test.each<[string, JsonObject, boolean]>([
    ["in the type, not among the values", { type: ["string", "null"], enum: ["a"] }, false],
    ["in the type and among the values", { type: ["string", "null"], enum: ["a", null] }, true],
    ["an alternative, beside a type", { type: "string", anyOf: [{ const: "a" }, { type: "null" }] }, false],
    ["an alternative, beside values", { enum: ["a"], anyOf: [{ type: "string" }, { type: "null" }] }, false],
    ["an alternative alone", { anyOf: [{ const: "a" }, { type: "null" }] }, true],
    [
      "in the type, in no alternative",
      { type: ["string", "null"], anyOf: [{ minLength: 1, type: "string" }] },
      false,
    ],
  ])("%s", (_what, schema, isNullable) => {
    const shown = JSON.stringify(valueShownBy(dialects.gemini, functionOf(schema)));
    expect(shown.includes('"nullable":true')).toBe(isNullable);
  });
});

test("an optional value that is one of some texts may be null in a strict tool of OpenAI, once", () => {
  const definition = functionOf({ type: ["string", "null"], enum: ["a"] });
  const [tool] = dialects.openai.encodeTools([definition], strict).tools;
  expect(JSON.parse(tool?.json ?? "")).toMatchObject({
    function: {
      strict: true,
      parameters: { properties: { value: { type: ["string", "null"], enum: ["a", null] } } },
    },
  });
  expect(dialects.openai.restoreArguments(definition, { value: null })).toEqual({});
});

test.each<[string, JsonObject, JsonValue]>([
  ["enum", { enum: [{ a: 1 }] }, 'One of: {"a":1}.'],
  ["const", { const: { a: 1 } }, 'Always {"a":1}.'],
])("Gemini: %s at the root is said in words, and the rest of the schema stays", (_keyword, said, words) => {
  const definition = functionWith({ type: "object", properties: { a: { type: "integer" } }, ...said });
  expect(shownBy(dialects.gemini, definition)).toEqual({
    type: "object",
    properties: { a: { type: "integer" } },
  });
  expect(dialects.gemini.encodeTool(definition).json).toContain(JSON.stringify(words).slice(1, -1));
});
