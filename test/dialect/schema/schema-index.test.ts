import { expect, test } from "vitest";
import { indexSchema, resolveReference } from "../../../src/dialect/schema/schema-index.ts";
import type { JsonObject } from "../../../src/json.ts";

const document: JsonObject = {
  type: "object",
  properties: {
    n: { type: "array", items: { type: "object", properties: { c: { type: "integer" } } } },
    "a/b": { type: "string" },
    "50%": { type: "number" },
    "50%25": { type: "boolean" },
  },
  anyOf: [{ required: ["n", "undeclared"] }, true],
  $defs: { Named: { $anchor: "named", type: "null" } },
};

test.each([
  ["#", ""],
  ["#/properties/n/items", "/properties/n/items"],
  ["#/properties/n/items/properties/c", "/properties/n/items/properties/c"],
  ["#/properties/a~1b", "/properties/a~1b"],
  ["#/properties/50%25", "/properties/50%"],
  ["#/properties/50%2525", "/properties/50%25"],
  ["#/anyOf/0", "/anyOf/0"],
  ["#/anyOf/1", "/anyOf/1"],
  ["#named", "/$defs/Named"],
])("%s leads to %s", (reference, pointer) => {
  const index = indexSchema(document);
  const found = resolveReference(index, reference);
  expect(found?.pointer).toBe(pointer);
  expect(found?.schema).toEqual(index.at(pointer));
});

test.each([
  "#/properties/none",
  "#/anyOf/2",
  "#/type",
  "#/%",
  "#other",
  "other.json#/a",
  "https://example.com/s",
  3,
])("%s leads nowhere", (reference) => {
  expect(resolveReference(indexSchema(document), reference)).toBeNull();
});

test("every property that is declared or required is known", () => {
  expect([...indexSchema(document).propertyKeys].sort()).toEqual([
    "50%",
    "50%25",
    "a/b",
    "c",
    "n",
    "undeclared",
  ]);
});

test("an object in two places is two objects", () => {
  const shared: JsonObject = { type: "string" };
  const index = indexSchema({ properties: { a: shared, b: shared } });
  expect([...index.pointers.values()].sort()).toEqual(["", "/properties", "/properties/a", "/properties/b"]);
});

test("a document may nest deeper than the stack", () => {
  let deep: JsonObject = { type: "string" };
  for (let level = 0; level < 200_000; level += 1) deep = { items: deep };
  expect(indexSchema(deep).pointers.size).toBe(200_001);
});
