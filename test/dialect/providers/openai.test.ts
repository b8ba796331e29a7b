import { describe, expect, test } from "vitest";
import { openai } from "../../../src/dialect/providers/openai.ts";
import type { JsonObject } from "../../../src/json.ts";
import { functionOf, functionWith, lossesOf, shownBy, valueShownBy } from "../definition.ts";

test("a tool is a function with name, description and parameters, and claims no strictness", () => {
  const { json } = openai.encodeTool(functionWith({ type: "object", properties: { q: { type: "string" } } }));
  expect(JSON.parse(json)).toEqual({
    type: "function",
    function: {
      name: "look_up",
      description: "Looks something up.",
      parameters: { type: "object", properties: { q: { type: "string" } } },
    },
  });
});

describe("objects without properties", () => {
  test.each<[string, JsonObject]>([
    ["nothing", { type: "object" }],
    ["an empty list of properties", { type: "object", properties: {} }],
    ["only a title", { type: "object", title: "None" }],
  ])("a function that declares %s takes no arguments", (_what, parameters) => {
    expect(shownBy(openai, functionWith(parameters))).toMatchObject({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["anything", { additionalProperties: true }, { additionalProperties: true }],
    ["numbers", { additionalProperties: { type: "number" } }, { additionalProperties: { type: "number" } }],
    ["what a pattern names", { patternProperties: { "^n_": {} } }, { additionalProperties: true }],
  ])("a function that takes %s stays open", (_what, said, expected) => {
    expect(shownBy(openai, functionWith({ type: "object", ...said }))).toMatchObject({
      properties: {},
      ...expected,
    });
  });

  test("an inner object without properties may hold anything, and says so", () => {
    const open = { type: "object", properties: {}, additionalProperties: true };
    expect(valueShownBy(openai, functionOf({ type: "object" }))).toEqual(open);
    expect(valueShownBy(openai, functionOf({ type: "array", items: { type: "object" } }))).toEqual({
      type: "array",
      items: open,
    });
  });

  test("an object that was closed stays closed", () => {
    const closed = { type: "object", additionalProperties: false };
    expect(valueShownBy(openai, functionOf(closed))).toEqual({ ...closed, properties: {} });
  });
});

test("a list without items is a list of anything", () => {
  expect(valueShownBy(openai, functionOf({ type: "array" }))).toEqual({ type: "array", items: {} });
});

describe("patterns", () => {
  test.each([
    ["look-ahead", "^(?!-)[a-z-]+$"],
    ["look-behind", "(?<=a)b"],
    ["a Unicode property class", "^\\p{Letter}+$"],
  ])("%s goes into the description", (_what, pattern) => {
    const definition = functionOf({ type: "string", description: "A name.", pattern });
    expect(valueShownBy(openai, definition)).toEqual({
      type: "string",
      description: `A name.\nMatches the regular expression ${JSON.stringify(pattern)}.`,
    });
    expect(lossesOf(openai, definition)).toEqual([["/properties/value", "pattern", "described"]]);
  });

  test.each([
    ["a group without capture", "^(?:a|b)$"],
    ["a named group", "^(?<year>\\d{4})$"],
    ["an escaped parenthesis", "^\\(?=$"],
    ["a parenthesis in a class", "[(?=]"],
  ])("%s stays", (_what, pattern) => {
    const definition = functionOf({ type: "string", pattern });
    expect(valueShownBy(openai, definition)).toEqual({ type: "string", pattern });
    expect(lossesOf(openai, definition)).toEqual([]);
  });

  test("a pattern that names properties is judged in the same way", () => {
    const definition = functionOf({
      type: "object",
      patternProperties: { "^(?!n)": { type: "string" }, "^n": { type: "number" } },
    });
    expect(valueShownBy(openai, definition)).toMatchObject({
      patternProperties: { "^n": { type: "number" } },
      description: 'Properties whose names match "^(?!n)" are {"type":"string"}.',
    });
    expect(lossesOf(openai, definition)).toEqual([["/properties/value", "patternProperties", "described"]]);
  });
});

test.each(["anyOf", "oneOf", "allOf", "not", "enum", "const"])("%s leaves the root", (keyword) => {
  const value = {
    anyOf: [{ required: ["a"] }],
    enum: [{ a: "x" }],
    const: { a: "x" },
    not: { required: ["b"] },
  };
  const said = keyword in value ? value[keyword as keyof typeof value] : [{ required: ["a"] }];
  const shown = shownBy(
    openai,
    functionWith({ type: "object", properties: { a: { type: "string" } }, [keyword]: said }),
  );
  expect(Object.keys(shown)).not.toContain(keyword);
});

test("bounds, formats, defaults and examples stay as they are", () => {
  const schema = {
    type: "integer",
    description: "How many.",
    minimum: 1,
    maximum: 9,
    multipleOf: 2,
    format: "int32",
    default: 4,
    examples: [2, 4],
  };
  expect(valueShownBy(openai, functionOf(schema))).toEqual(schema);
  expect(lossesOf(openai, functionOf(schema))).toEqual([]);
});
