/** References, recursion and size: what could bring the walk down, or make it go on for ever. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../../src/dialect/index.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { functionOf, functionWith, lossesOf, schemaOf, shownBy, valueShownBy } from "../definition.ts";

const all = Object.values(dialects);
const keeping = all.filter(({ name }) => name !== "gemini");
const [gemini] = all.filter(({ name }) => name === "gemini");

const node = {
  type: "object",
  description: "A node.",
  properties: {
    name: { type: "string" },
    kids: { type: "array", items: { $ref: "#/components/schemas/Node" } },
  },
};

describe.each(keeping)("$name keeps references", (dialect) => {
  test("wherever the definition stood, it moves to $defs", () => {
    const definition = functionOf(
      { $ref: "#/components/schemas/Node" },
      { components: { schemas: { Node: node } } },
    );
    const { $defs, properties } = shownBy(dialect, definition);
    expect(properties).toEqual({ value: { $ref: "#/$defs/Node" } });
    expect($defs).toMatchObject({
      Node: { properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } },
    });
    expect(lossesOf(dialect, definition)).toEqual([]);
  });

  test("into the middle of the schema, and to the whole of it", () => {
    const definition = functionWith({
      type: "object",
      properties: {
        n: {
          type: "array",
          items: {
            type: "object",
            properties: { c: { type: "array", items: { $ref: "#/properties/n/items" } } },
          },
        },
        again: { $ref: "#" },
      },
    });
    const { $defs, properties } = shownBy(dialect, definition);
    expect(properties).toMatchObject({ again: { $ref: "#/$defs/root" } });
    expect($defs).toMatchObject({
      items: { properties: { c: { items: { $ref: "#/$defs/items" } } } },
      root: { properties: { again: { $ref: "#/$defs/root" } } },
    });
  });

  test("definitions of the same name stay two", () => {
    const definition = functionWith({
      type: "object",
      properties: { a: { $ref: "#/$defs/Item" }, b: { $ref: "#/definitions/Item" } },
      $defs: { Item: { type: "string" } },
      definitions: { Item: { type: "integer" } },
    });
    expect(shownBy(dialect, definition)).toMatchObject({
      properties: { a: { $ref: "#/$defs/Item" }, b: { $ref: "#/$defs/Item_2" } },
      $defs: { Item: { type: "string" }, Item_2: { type: "integer" } },
    });
  });
});

describe("without references", () => {
  test("a recursive structure is spelled out twice, then said to go on", () => {
    if (gemini === undefined) throw new Error("no such dialect");
    const definition = functionOf(
      { $ref: "#/components/schemas/Node" },
      { components: { schemas: { Node: node } } },
    );
    const described = { type: "object", description: "A node." };
    expect(valueShownBy(gemini, definition)).toEqual({
      ...described,
      properties: {
        name: { type: "string" },
        kids: {
          type: "array",
          items: {
            ...described,
            properties: {
              name: { type: "string" },
              kids: {
                type: "array",
                items: {
                  type: "object",
                  description: "Structured like the level above; not spelled out further.",
                },
              },
            },
          },
        },
      },
    });
    expect(lossesOf(gemini, definition)).toEqual([
      ["/components/schemas/Node/properties/kids/items", "$ref", "described"],
    ]);
  });

  test("words beside a reference come before those of what it leads to", () => {
    if (gemini === undefined) throw new Error("no such dialect");
    const definition = functionOf(
      { $ref: "#/$defs/Day", description: "First day." },
      { $defs: { Day: { type: "string", description: "A day.", pattern: "^\\d{8}$" } } },
    );
    expect(valueShownBy(gemini, definition)).toEqual({
      type: "string",
      description: "First day.\nA day.",
      pattern: "^\\d{8}$",
    });
    expect(lossesOf(gemini, definition)).toEqual([]);
  });

  test("a title and a default that give way to those beside the reference are losses, examples are joined", () => {
    const definition = functionOf(
      { $ref: "#/$defs/Day", title: "First", default: "a", examples: ["a"] },
      { $defs: { Day: { type: "string", title: "Day", default: "b", examples: ["b"] } } },
    );
    expect(valueShownBy(dialects.gemini, definition)).toEqual({
      type: "string",
      title: "First",
      description: 'Examples: "a", "b".',
      default: "a",
    });
    expect(lossesOf(dialects.gemini, definition)).toEqual([
      ["/properties/value", "title", "dropped"],
      ["/properties/value", "default", "dropped"],
      ["/properties/value", "examples", "described"],
    ]);
  });

  test("what lists of a recursive structure hold below the levels spelled out is any value, and said to be", () => {
    const definition = functionOf(
      { $ref: "#/$defs/T" },
      { $defs: { T: { type: "array", items: { $ref: "#/$defs/T" } } } },
    );
    expect(valueShownBy(dialects.gemini, definition)).toMatchObject({
      items: {
        items: { type: "array", items: { anyOf: [{ description: "Any JSON value." }, {}, {}, {}, {}] } },
      },
    });
    expect(lossesOf(dialects.gemini, definition)).toContainEqual(["/$defs/T/items", "type", "described"]);
  });

  test("of conjuncts that cannot be merged, the loss says how many there are", () => {
    const patterns = Array.from({ length: 99 }, (_, index) => ({ pattern: `p${index}` }));
    const definition = functionOf({ type: "string", allOf: patterns });
    const { losses } = dialects.gemini.encodeTool(definition);
    expect(losses).toMatchObject([{ path: "/properties/value", keyword: "allOf", outcome: "described" }]);
    expect(losses[0]?.note).toMatch(/^98 of its parts cannot be merged/);
  });

  test.each([
    { dialect: dialects.gemini, closing: "additionalProperties" },
    { dialect: dialects.gemini, closing: "unevaluatedProperties" },
    { dialect: dialects.openai, closing: "additionalProperties" },
    { dialect: dialects.openai, closing: "unevaluatedProperties" },
  ])(
    "$dialect.name: a property that a conjunct closed by $closing refuses is not shown, and is a loss",
    ({ dialect, closing }) => {
      const definition = functionOf({
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, [closing]: false },
          { properties: { b: { type: "string" } } },
        ],
      });
      const { tools } = dialect.encodeTools([definition], { strict: true, examples: false, defer: false });
      const [{ json = "{}", losses = [] } = {}] = tools;
      expect(schemaOf(json)).not.toHaveProperty(["properties", "value", "properties", "b"]);
      expect(losses).toContainEqual(
        expect.objectContaining({ path: "/properties/value", keyword: "properties" }),
      );
    },
  );
});

const loops: [string, JsonObject][] = [
  ["a definition that is itself", { A: { $ref: "#/$defs/A" } }],
  ["two that are each other", { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } }],
  [
    "one that is part of itself",
    { A: { allOf: [{ $ref: "#/$defs/A" }, { type: "object", properties: { a: { type: "string" } } }] } },
  ],
  ["one among its own alternatives", { A: { anyOf: [{ $ref: "#/$defs/A" }, { type: "string" }] } }],
  [
    "one that comes back through a property of an alternative",
    {
      A: {
        type: "object",
        properties: { a: { type: "string" } },
        oneOf: [{ $ref: "#/$defs/B" }, { required: ["a"] }],
      },
      B: {
        type: "object",
        properties: {
          b: { type: "object", properties: { c: {} }, anyOf: [{ $ref: "#/$defs/B" }, { $ref: "#/$defs/A" }] },
        },
      },
    },
  ],
];

describe.each(all)("$name", (dialect) => {
  test.each(loops)("comes to an end with %s", (_what, $defs) => {
    for (const parameters of [
      { type: "object", properties: { value: { $ref: "#/$defs/A" } }, $defs },
      { $ref: "#/$defs/A", $defs },
      { type: "object", anyOf: [{ $ref: "#/$defs/A" }, { required: ["value"] }], $defs },
    ]) {
      const strict = { strict: true, examples: false, defer: false };
      const { tools } = dialect.encodeTools([functionWith(parameters)], strict);
      for (const { json } of [...tools, dialect.encodeTool(functionWith(parameters))])
        expect(dialect.problemsOf(json)).toEqual([]);
    }
  });

  test("a reference that leads nowhere is a loss and nothing worse", () => {
    const definition = functionOf({ $ref: "https://example.com/other.json", description: "Other." });
    expect(dialect.problemsOf(dialect.encodeTool(definition).json)).toEqual([]);
    expect(lossesOf(dialect, definition)).toContainEqual(["/properties/value", "$ref", "dropped"]);
    expect(JSON.stringify(valueShownBy(dialect, definition))).toContain("Other.");
  });

  test("a schema that nests too far is cut, and its arguments still come back", () => {
    let deep: JsonObject = { type: "integer", enum: [1, 2] };
    for (let level = 0; level < 20_000; level += 1) deep = { type: "object", properties: { "in>": deep } };
    const definition = functionOf(deep);
    const { json, losses } = dialect.encodeTool(definition);
    expect(json.length).toBeLessThan(20_000);
    expect(losses.filter(({ keyword }) => keyword === "type")).toHaveLength(1);
    expect(dialect.problemsOf(json)).toEqual([]);
    let given: JsonValue = 1;
    for (let level = 0; level < 20_000; level += 1) given = { a: [given] };
    expect(Object.keys(dialect.restoreArguments(definition, { value: given }))).toEqual(["value"]);
  });

  test("definitions that multiply each other are cut before they fill the memory", () => {
    const $defs: JsonObject = { D0: { type: "string" } };
    for (let level = 1; level <= 40; level += 1) {
      const below = { $ref: `#/$defs/D${level - 1}` };
      $defs[`D${level}`] = { type: "object", properties: { left: below, right: below, more: below } };
    }
    const { json } = dialect.encodeTool(functionOf({ $ref: "#/$defs/D40" }, { $defs }));
    expect(json.length).toBeLessThan(2_000_000);
    expect(dialect.problemsOf(json)).toEqual([]);
  });

  test("a long chain of definitions does not exhaust the stack", () => {
    const $defs: JsonObject = {};
    for (let index = 0; index < 3_000; index += 1) {
      $defs[`D${index}`] = { type: "object", properties: { next: { $ref: `#/$defs/D${index + 1}` } } };
    }
    $defs.D3000 = { type: "string" };
    const { json } = dialect.encodeTool(functionOf({ $ref: "#/$defs/D0" }, { $defs }));
    expect(dialect.problemsOf(json)).toEqual([]);
  });
});
