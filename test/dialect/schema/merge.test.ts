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
  [{ description: "Own." }, { description: "Other." }, { description: "Own.\nOther." }],
  [{ description: "Own." }, { description: "Own." }, { description: "Own." }],
  [{ title: "Own" }, { title: "Other" }, { title: "Own" }],
  [{ default: 1 }, { default: 2 }, { default: 1 }],
  [{ examples: [1] }, { examples: [2, 1] }, { examples: [1, 2] }],
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
  [
    { additionalProperties: { type: "string" } },
    { additionalProperties: { minLength: 1 } },
    { additionalProperties: { allOf: [{ type: "string" }, { minLength: 1 }] } },
  ],
  [
    { properties: { a: {} }, additionalProperties: false },
    { properties: { a: {}, b: {} }, required: ["a"] },
    { properties: { a: {} }, required: ["a"], additionalProperties: false },
  ],
  [
    { properties: { a: {}, b: {} } },
    { properties: { b: {}, c: {} }, additionalProperties: false },
    { properties: { b: {}, c: {} }, additionalProperties: false },
  ],
  [
    { properties: { a: {}, b: {} }, additionalProperties: false },
    { properties: { b: {}, c: {} }, additionalProperties: false },
    { properties: { b: {} }, additionalProperties: false },
  ],
  [
    { properties: { a: {} } },
    { additionalProperties: { type: "string" } },
    { properties: { a: { allOf: [{}, { type: "string" }] } }, additionalProperties: { type: "string" } },
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
  [{ description: "Own." }, { description: 2 }],
  [
    { properties: { a: {} }, additionalProperties: false },
    { properties: { b: {} }, required: ["b"] },
  ],
  [{ additionalProperties: false }, { patternProperties: { "^n": {} } }],
  [{ patternProperties: { "^n": {} }, additionalProperties: false }, { properties: { name: {} } }],
])("%j and %j are not one schema", (left, right) => {
  expect(merge(left, right)).toBeNull();
});

test.each<[JsonObject, JsonObject, [string, string][]]>([
  [{ title: "Own" }, { title: "Other" }, [["title", 'The nearer schema\'s is kept, not "Other".']]],
  [{ default: 1 }, { default: 2 }, [["default", "The nearer schema's is kept, not 2."]]],
  [{ default: 1 }, { default: 1, title: "Other" }, []],
  [{ title: "Own", pattern: "a" }, { title: "Other", pattern: "b" }, []],
  [
    { properties: { a: {} }, additionalProperties: false },
    { properties: { b: {}, c: {} } },
    [["properties", 'What has to match as well refuses ["b","c"].']],
  ],
  [{ description: "Own." }, { description: "Other." }, []],
])("of %j and %j it is told what is left out", (left, right, expected) => {
  const told: [string, string][] = [];
  merge(left, right, (keyword, note) => told.push([keyword, note]));
  expect(told).toEqual(expected);
});
