import { describe, expect, test } from "vitest";
import { anthropic } from "../../../src/dialect/providers/anthropic.ts";
import { isJsonObject, type JsonObject } from "../../../src/json.ts";
import { functionWith, lossesOf, shownBy } from "../definition.ts";

function descriptionOf(parameters: JsonObject): string {
  return JSON.parse(anthropic.encodeTool(functionWith(parameters)).json).description;
}

const ab = { a: { type: "string" }, b: { type: "string" } };

test("a tool is a name, a description and an input schema", () => {
  const { json } = anthropic.encodeTool(functionWith({ type: "object", properties: ab, required: ["a"] }));
  expect(JSON.parse(json)).toEqual({
    name: "look_up",
    description: "Looks something up.",
    input_schema: { type: "object", properties: ab, required: ["a"] },
  });
});

describe("alternatives at the root", () => {
  test.each([
    ["anyOf", "At least one of these must be given: "],
    ["oneOf", "Exactly one of these must be given: "],
  ])("%s of required properties becomes a sentence", (keyword, words) => {
    const parameters = {
      type: "object",
      properties: ab,
      [keyword]: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(shownBy(anthropic, functionWith(parameters))).toEqual({ type: "object", properties: ab });
    expect(descriptionOf(parameters)).toBe(`Looks something up.\n${words}"a"; or "b".`);
    expect(lossesOf(anthropic, functionWith(parameters))).toEqual([["", keyword, "described"]]);
  });

  test("what only the alternatives declare stays visible, as optional", () => {
    const parameters = {
      type: "object",
      oneOf: [
        { properties: { by: { const: "id" }, id: { type: "integer" } }, required: ["by", "id"] },
        { $ref: "#/$defs/ByName" },
      ],
      $defs: {
        ByName: { properties: { by: { const: "name" }, name: { type: "string" } }, required: ["by", "name"] },
      },
    };
    expect(shownBy(anthropic, functionWith(parameters))).toEqual({
      type: "object",
      properties: {
        by: { anyOf: [{ const: "id" }, { const: "name" }] },
        id: { type: "integer" },
        name: { type: "string" },
      },
      required: ["by"],
    });
    expect(descriptionOf(parameters)).toContain("Exactly one of these must hold: (1) {");
  });

  test("allOf is merged into the root, references and all", () => {
    const parameters = {
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ $ref: "#/$defs/Page" }, { properties: { b: { type: "string" } }, required: ["b"] }],
      $defs: { Page: { type: "object", properties: { page: { type: "integer", minimum: 1 } } } },
    };
    expect(shownBy(anthropic, functionWith(parameters))).toEqual({
      type: "object",
      properties: { ...ab, page: { type: "integer", minimum: 1 } },
      required: ["b"],
    });
    expect(lossesOf(anthropic, functionWith(parameters))).toEqual([]);
  });

  test("a reference at the root is followed", () => {
    const parameters = { $ref: "#/$defs/All", $defs: { All: { type: "object", properties: ab } } };
    expect(shownBy(anthropic, functionWith(parameters))).toEqual({ type: "object", properties: ab });
  });

  test("alternatives below the root stay", () => {
    const value = { anyOf: [{ type: "string" }, { type: "integer" }] };
    const parameters = { type: "object", properties: { value } };
    expect(shownBy(anthropic, functionWith(parameters))).toEqual(parameters);
  });
});

describe("property keys that the API refuses", () => {
  const long = "x".repeat(70);
  const keys = ["when<", "when>", "$top", "page[size]", "城市", "", long];
  const parameters = (order: string[]): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(order.map((key) => [key, { type: "string", description: key }])),
    required: ["when<", "城市"],
  });

  function aliasesOf(order: string[]): Map<string, string> {
    const { properties } = shownBy(anthropic, functionWith(parameters(order)));
    const aliases = Object.keys(isJsonObject(properties) ? properties : {});
    return new Map(order.map((key, index) => [key, aliases[index] ?? ""]));
  }

  test("are renamed to keys that it accepts, different ones to different ones", () => {
    const aliases = [...aliasesOf(keys).values()];
    expect(aliases.every((alias) => /^[a-zA-Z0-9_.-]{1,64}$/.test(alias))).toBe(true);
    expect(new Set(aliases).size).toBe(keys.length);
    expect(aliases.slice(0, 2).every((alias) => alias.startsWith("when_"))).toBe(true);
  });

  test("are renamed in the same way whatever their order", () => {
    const reversed = aliasesOf([...keys].reverse());
    for (const [key, alias] of aliasesOf(keys)) expect(reversed.get(key)).toBe(alias);
  });

  test("keep their place among the required ones, and their name in the description", () => {
    const aliases = aliasesOf(keys);
    const shown = shownBy(anthropic, functionWith(parameters(keys)));
    expect(shown.required).toEqual([aliases.get("when<"), aliases.get("城市")]);
    expect(JSON.stringify(shown)).toContain(JSON.stringify('$top\nOriginal name: "$top".'));
  });

  test("come back in arguments, at every depth", () => {
    const definition = functionWith({
      ...parameters(keys),
      additionalProperties: { type: "array", items: { type: "object", properties: { $in: {} } } },
    });
    const aliases = aliasesOf(keys);
    const inner = Object.keys(
      JSON.parse(JSON.stringify(shownBy(anthropic, definition))).additionalProperties.items.properties,
    )[0];
    const sent = {
      [aliases.get("when<") ?? ""]: "a",
      [aliases.get(long) ?? ""]: "b",
      free: [{ [inner ?? ""]: 1 }],
    };
    expect(anthropic.restoreArguments(definition, sent)).toEqual({
      "when<": "a",
      [long]: "b",
      free: [{ $in: 1 }],
    });
  });

  test("are named as losses where they stand", () => {
    expect(lossesOf(anthropic, functionWith(parameters(["when<", "a/b", "fine.key"])))).toEqual([
      ["/properties/when<", "properties", "renamed"],
      ["/properties/a~1b", "properties", "renamed"],
    ]);
  });

  test("appear under their new names wherever else the schema speaks of them", () => {
    const definition = functionWith({
      ...parameters(["when<", "when>"]),
      anyOf: [{ required: ["when<"] }, { required: ["when>"] }],
      dependentRequired: { "when<": ["when>"] },
      dependentSchemas: { "when>": { required: ["when<"] } },
      default: { "when<": "now" },
    });
    const { json } = anthropic.encodeTool(definition);
    const shown = shownBy(anthropic, definition);
    const [before, after] = Object.keys(isJsonObject(shown.properties) ? shown.properties : {});
    expect(shown.dependentRequired).toEqual({ [before ?? ""]: [after] });
    expect(shown.dependentSchemas).toEqual({ [after ?? ""]: { required: [before] } });
    expect(shown.default).toEqual({ [before ?? ""]: "now" });
    expect(JSON.parse(json).description).toContain(`must be given: "${before}"; or "${after}".`);
  });

  test("need no renaming when there are none", () => {
    const given = { a: { $top: 1 } };
    const definition = functionWith({ type: "object", properties: ab });
    expect(anthropic.restoreArguments(definition, given)).toBe(given);
  });
});
