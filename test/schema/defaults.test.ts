import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { MAX_FILLED_DEFAULTS } from "../../src/limits.ts";
import { fillDefaults, resolved } from "../../src/schema/index.ts";

describe("defaults", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["fill what is absent", { properties: { a: { default: 1 }, b: { default: [1] } } }, {}, { a: 1, b: [1] }],
    ["leave what is given", { properties: { a: { default: 1 } } }, { a: 2 }, { a: 2 }],
    ["leave null, which was given", { properties: { a: { default: 1 } } }, { a: null }, { a: null }],
    [
      "leave false, nothing and an empty text",
      { properties: { a: { default: 1 }, b: { default: 1 }, c: { default: 1 } } },
      { a: false, b: 0, c: "" },
      { a: false, b: 0, c: "" },
    ],
    [
      "may be null or false",
      { properties: { a: { default: null }, b: { default: false } } },
      {},
      { a: null, b: false },
    ],
    [
      "fill objects that are there",
      { properties: { o: { properties: { a: { default: 1 } } } } },
      { o: {} },
      { o: { a: 1 } },
    ],
    [
      "do not make objects that are not",
      { properties: { o: { properties: { a: { default: 1 } } } } },
      {},
      {},
    ],
    [
      "fill an object that is itself a default",
      { properties: { o: { default: {}, properties: { a: { default: 1 } } } } },
      {},
      { o: { a: 1 } },
    ],
    [
      "fill the items of lists",
      { properties: { l: { items: { properties: { a: { default: 1 } } } } } },
      { l: [{}, { a: 2 }, 3] },
      { l: [{ a: 1 }, { a: 2 }, 3] },
    ],
    [
      "are found behind references",
      {
        properties: { o: { $ref: "#/$defs/o" } },
        $defs: { o: { default: { b: 2 }, properties: { a: { default: 1 } } } },
      },
      {},
      { o: { b: 2, a: 1 } },
    ],
    [
      "beside a reference come first",
      { properties: { a: { $ref: "#/$defs/a", default: 1 } }, $defs: { a: { default: 2 } } },
      {},
      { a: 1 },
    ],
    [
      "of a recursive schema end with the value",
      { properties: { n: { $ref: "#" }, a: { default: 1 } } },
      { n: { n: {} } },
      { n: { n: { a: 1 }, a: 1 }, a: 1 },
    ],
    [
      "of references in a circle are none",
      { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } },
      {},
      {},
    ],
    [
      "of a reference to nowhere are none",
      { properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "other" } } },
      { b: {} },
      { b: {} },
    ],
    ["keep what no schema describes", { properties: {} }, { x: 1 }, { x: 1 }],
    ["are none where there is no schema", {}, { x: 1 }, { x: 1 }],
  ])("%s", (_case, schema, value, filled) => {
    expect(fillDefaults(schema, value)).toEqual(filled);
  });

  test("do not put a schema into itself for ever", () => {
    const schema: JsonObject = {
      properties: { o: { default: {}, properties: { a: { default: 1 }, o: { $ref: "#/properties/o" } } } },
    };
    expect(fillDefaults(schema, {})).toEqual({ o: { a: 1 } });
    expect(fillDefaults(schema, { o: { o: {} } })).toEqual({ o: { a: 1, o: { a: 1 } } });
  });

  test("of schemas that all name each other are not filled in for ever", () => {
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const schema: JsonObject = {
      properties,
      $defs: Object.fromEntries(names.map((name) => [name, { default: {}, properties }])),
    };
    expect(JSON.stringify(fillDefaults(schema, {})).length).toBeLessThan(MAX_FILLED_DEFAULTS * 10);
  });

  test("of a member that every object has by nature are filled like any other", () => {
    const schema = JSON.parse('{"properties": {"toString": {"default": 1}, "__proto__": {"default": 2}}}');
    const filled = fillDefaults(schema, {});
    expect(Object.entries(filled)).toEqual([
      ["toString", 1],
      ["__proto__", 2],
    ]);
    expect(Object.getPrototypeOf(filled)).toBeNull();
  });

  test("change neither the schema nor the value, and are the same the second time", () => {
    const schema: JsonObject = {
      properties: {
        a: { default: { x: [1] } },
        o: { default: {}, properties: { a: { default: 1 }, o: { $ref: "#/properties/o" } } },
        l: { items: { properties: { a: { default: 1 } } } },
      },
    };
    const value = fc.dictionary(fc.constantFrom("a", "o", "l", "z"), fc.jsonValue());
    fc.assert(
      fc.property(value, (raw) => {
        const given: JsonObject = JSON.parse(JSON.stringify(raw));
        const before = structuredClone({ schema, given });
        const filled = fillDefaults(schema, given);
        expect(fillDefaults(schema, filled)).toEqual(filled);
        expect({ schema, given }).toEqual(before);
        for (const name of Object.keys(given)) expect(filled).toHaveProperty([name]);
      }),
    );
  });
});

describe("what a schema means", () => {
  const root: JsonObject = {
    $defs: { a: { $ref: "#/$defs/b" }, b: { type: "string" }, loop: { $ref: "#/$defs/loop" } },
  };

  test.each<[string, JsonObject, JsonObject]>([
    ["itself", { type: "integer" }, { type: "integer" }],
    ["what it refers to at last", { $ref: "#/$defs/a" }, { type: "string" }],
    ["itself where nothing is referred to", { $ref: "#/$defs/c" }, { $ref: "#/$defs/c" }],
    ["something, though it goes in a circle", { $ref: "#/$defs/loop" }, { $ref: "#/$defs/loop" }],
  ])("is %s", (_case, schema, meant) => {
    expect(resolved(root, schema)).toEqual(meant);
  });
});
