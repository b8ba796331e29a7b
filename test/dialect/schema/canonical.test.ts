import { expect, test } from "vitest";
import { canonical, distinct, isNullSchema } from "../../../src/dialect/schema/canonical.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";

test.each<[string, JsonObject, JsonObject]>([
  ["drops what is for interfaces", { type: "string", "x-in": "query" }, { type: "string" }],
  [
    "drops what is for those who keep the schema",
    { $schema: "s", $id: "i", $comment: "c", $defs: {}, definitions: {}, type: "string" },
    { type: "string" },
  ],
  [
    "drops repeated values",
    { enum: ["a", "a", { x: 1, y: 2 }, { y: 2, x: 1 }] },
    { enum: ["a", { y: 2, x: 1 }] },
  ],
  ["drops repeated names", { required: ["a", "b", "a"] }, { required: ["a", "b"] }],
  ["takes a list of one type for the type", { type: ["string"] }, { type: "string" }],
  ["makes an exclusive bound of a flag", { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
  ["drops a flag that is not set", { minimum: 0, exclusiveMinimum: false }, { minimum: 0 }],
  ["drops a flag without a bound", { exclusiveMaximum: true }, {}],
  ["leaves an exclusive bound", { minimum: 0, exclusiveMaximum: 9 }, { minimum: 0, exclusiveMaximum: 9 }],
  [
    "makes prefixItems of a list of items",
    { items: [{ type: "string" }], additionalItems: false },
    { prefixItems: [{ type: "string" }], items: false },
  ],
  ["makes examples of an example", { example: 3 }, { examples: [3] }],
  [
    "lets null into type and values",
    { type: "string", nullable: true, enum: ["x", "y"] },
    { type: ["string", "null"], enum: ["x", "y", null] },
  ],
  [
    "lets null in beside what null cannot pass",
    { description: "S.", nullable: true, allOf: [{ $ref: "#/$defs/S" }] },
    { description: "S.", anyOf: [{ allOf: [{ $ref: "#/$defs/S" }] }, { type: "null" }] },
  ],
  ["takes nullable: false for what it is", { type: "string", nullable: false }, { type: "string" }],
  ["leaves nullable alone where anything goes", { nullable: true, title: "T" }, { title: "T" }],
  [
    "leaves the rest",
    { type: "object", properties: { "x-a": { "x-b": 1 } } },
    { type: "object", properties: { "x-a": { "x-b": 1 } } },
  ],
])("%s", (_what, schema, expected) => {
  const before = JSON.stringify(schema);
  expect(canonical(schema)).toEqual(expected);
  expect(canonical(canonical(schema))).toEqual(expected);
  expect(JSON.stringify(schema)).toBe(before);
});

test("values are the same whatever the order of their keys, and different where they differ", () => {
  expect(distinct([1, "1", 1, null, [1], [1], true])).toEqual([1, "1", null, [1], true]);
});

test.each<[JsonValue, boolean]>([
  [{ type: "null" }, true],
  [{ const: null }, true],
  [{ enum: [null] }, true],
  [{ enum: [null, 1] }, false],
  [{ enum: [] }, false],
  [{ type: ["null", "string"] }, false],
  [{}, false],
  [true, false],
])("whether %j accepts null alone: %j", (schema, expected) => {
  expect(isNullSchema(schema)).toBe(expected);
});
