import { expect, test } from "vitest";
import { merge } from "../../../src/dialect/schema/merge.ts";
import type { JsonObject } from "../../../src/json.ts";

test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ type: "string" }, { minLength: 1 }, { type: "string", minLength: 1 }],
  [{ type: "number" }, { type: "integer" }, { type: "integer" }],
  [{ type: ["string", "integer"] }, { type: ["number", "string"] }, { type: ["string", "integer"] }],
  [
    { minimum: 1, maximum: 9 },
    { minimum: 3, maximum: 12 },
    { minimum: 3, maximum: 9 },
  ],
  [{ enum: ["a", "b"] }, { enum: ["b", "c"] }, { enum: ["b"] }],
  [{ required: ["a"] }, { required: ["b", "a"] }, { required: ["a", "b"] }],
  [{ description: "Own." }, { description: "Other." }, { description: "Own." }],
  [{ deprecated: false }, { deprecated: true }, { deprecated: true }],
  [{ pattern: "a" }, { pattern: "a" }, { pattern: "a" }],
  [
    { items: { type: "string" } },
    { items: { minLength: 1 } },
    { items: { allOf: [{ type: "string" }, { minLength: 1 }] } },
  ],
  [
    { properties: { a: { type: "string" } } },
    { properties: { a: { minLength: 1 }, b: {} } },
    { properties: { a: { allOf: [{ type: "string" }, { minLength: 1 }] }, b: {} } },
  ],
  [
    { additionalProperties: true },
    { additionalProperties: { type: "string" } },
    { additionalProperties: { type: "string" } },
  ],
])("%j and %j are %j", (left, right, both) => {
  expect(merge(left, right)).toEqual(both);
});

test.each<[JsonObject, JsonObject]>([
  [{ type: "string" }, { type: "object" }],
  [{ pattern: "a" }, { pattern: "b" }],
  [{ enum: ["a"] }, { enum: ["b"] }],
  [{ anyOf: [{}] }, { anyOf: [{ type: "string" }] }],
  [{ minimum: 1 }, { minimum: "2" }],
])("%j and %j are not one schema", (left, right) => {
  expect(merge(left, right)).toBeNull();
});
