import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { MAX_ENUM_VALUES, MAX_SCHEMAS_FOR_ONE_VALUE } from "../../src/limits.ts";
import { checkSchema, walkSchema } from "../../src/schema/index.ts";

function said(schema: JsonObject): string[] {
  return checkSchema(schema).map(({ kind, path, message }) => `${kind} ${path.join("/")}: ${message}`);
}

const faulty: [string, JsonObject, string][] = [
  [
    "type",
    { type: "strng" },
    'keyword type: type is string, number, integer, boolean, array, object, null, or a list of these, not "strng"',
  ],
  [
    "no type",
    { type: [] },
    "keyword type: type is string, number, integer, boolean, array, object, null, or a list of these, not a list",
  ],
  ["enum", { enum: "a" }, 'keyword enum: enum is a list, not "a"'],
  ["a bound", { minimum: "1" }, 'keyword minimum: minimum is a number, not "1"'],
  [
    "an older exclusive bound",
    { exclusiveMaximum: true },
    "keyword exclusiveMaximum: exclusiveMaximum is a number, not true",
  ],
  ["a multiple of nothing", { multipleOf: 0 }, "keyword multipleOf: multipleOf is a number above 0, not 0"],
  ["a length", { maxLength: -1 }, "keyword maxLength: maxLength is a whole number, 0 or more, not -1"],
  ["half a length", { minItems: 0.5 }, "keyword minItems: minItems is a whole number, 0 or more, not 0.5"],
  ["a switch", { uniqueItems: "yes" }, 'keyword uniqueItems: uniqueItems is true or false, not "yes"'],
  ["required", { required: "a" }, 'keyword required: required is a list of names, not "a"'],
  ["required numbers", { required: [1] }, "keyword required: required is a list of names, not a list"],
  [
    "dependentRequired",
    { dependentRequired: { a: "b" } },
    "keyword dependentRequired: dependentRequired is a mapping of names to lists of names, not a mapping",
  ],
  [
    "properties",
    { properties: { a: "string" } },
    "keyword properties: properties is a mapping of names to schemas, not a mapping",
  ],
  ["items", { items: [{}] }, "keyword items: items is a schema, not a list"],
  [
    "no alternatives",
    { anyOf: [] },
    "keyword anyOf: anyOf is a list of schemas, with one at least, not a list",
  ],
  ["not", { not: null }, "keyword not: not is a schema, not null"],
  ["a description", { description: 5 }, "keyword description: description is a text, not 5"],
  [
    "a base of its own",
    { properties: { a: { $id: "x" } } },
    "keyword properties/a/$id: $id is not supported here",
  ],
  ["an anchor", { $dynamicRef: "#a" }, "keyword $dynamicRef: $dynamicRef is not supported here"],
  [
    "half a character in a name",
    { properties: { "\uD800": {} } },
    'keyword properties: "\\ud800" is not a text that can be sent',
  ],
  [
    "a pattern",
    { items: { pattern: "(" } },
    "pattern items/pattern: the pattern ( is not valid: unterminated group",
  ],
  [
    "a pattern that is too large to be run",
    { pattern: "n".repeat(1_000_000) },
    `pattern pattern: the pattern ${"n".repeat(1_000_000)} is not valid: regular expression too large`,
  ],
  [
    "a pattern of the older syntax",
    { pattern: "\\-" },
    "pattern pattern: the pattern \\- is not valid: invalid escape",
  ],
  [
    "a pattern of names",
    { patternProperties: { "[": {} } },
    "pattern patternProperties/[: the pattern [ is not valid: unterminated character class",
  ],
  [
    "a reference to nothing",
    { $ref: "#/$defs/b", $defs: { a: {}, c: {} } },
    "reference $ref: no schema stands at #/$defs/b; there are #/$defs/a, #/$defs/c",
  ],
  [
    "a reference into a value",
    { $ref: "#/default", default: {} },
    "reference $ref: no schema stands at #/default",
  ],
  [
    "a reference by an anchor",
    { $ref: "#a" },
    'reference $ref: "#a" is not a place in this schema, such as #/$defs/name',
  ],
  [
    "a reference that is no fragment",
    { $ref: "#/%E0%A4%A" },
    'reference $ref: "#/%E0%A4%A" is not a place in this schema, such as #/$defs/name',
  ],
  ["itself", { $ref: "#" }, "reference : this schema refers to itself without a step into the value"],
  [
    "itself by way of others",
    { if: { $ref: "#/$defs/a" }, $defs: { a: { dependentSchemas: { x: { $ref: "#" } } } } },
    "reference : this schema refers to itself without a step into the value",
  ],
];

describe("a schema is refused", () => {
  test.each(faulty)("for %s", (_case, schema, fault) => {
    expect(said(schema)).toEqual([fault]);
  });

  test("for every fault of its own at once, and for its references only when it has none", () => {
    const faults = said({ type: "x", minimum: "y", properties: { a: { pattern: "(" }, b: { $ref: "#/z" } } });
    expect(faults.map((fault) => fault.split(":")[0])).toEqual([
      "keyword type",
      "keyword minimum",
      "pattern properties/a/pattern",
    ]);
  });

  test("when one value would be checked against too many others", () => {
    const union = (count: number): JsonObject => ({
      anyOf: Array.from({ length: count }, () => ({ type: "string" })),
    });
    expect(said(union(MAX_SCHEMAS_FOR_ONE_VALUE - 1))).toEqual([]);
    expect(said(union(MAX_SCHEMAS_FOR_ONE_VALUE))).toEqual([
      `reference : this schema combines more than ${MAX_SCHEMAS_FOR_ONE_VALUE} schemas for one value`,
    ]);
  });

  test("when an enum has too many values", () => {
    const numbers = (count: number): JsonObject => ({
      enum: Array.from({ length: count }, (_, index) => index),
    });
    expect(said(numbers(MAX_ENUM_VALUES))).toEqual([]);
    expect(said({ items: numbers(MAX_ENUM_VALUES + 1) })).toEqual([
      `keyword items/enum: enum has ${MAX_ENUM_VALUES} values at most, not ${MAX_ENUM_VALUES + 1}`,
    ]);
  });

  test("with the older form put right", () => {
    const fixOf = (schema: JsonObject) => checkSchema(schema)[0]?.fix;
    expect(fixOf({ minimum: 3, exclusiveMinimum: true })).toBe("exclusiveMinimum: 3");
    expect(fixOf({ maximum: 3, exclusiveMaximum: false })).toBe("remove exclusiveMaximum");
    expect(fixOf({ exclusiveMinimum: true })).toBe("remove exclusiveMinimum");
    expect(fixOf({ items: [{}] })).toBe("prefixItems: […]");
    expect(fixOf({ type: "x" })).toBeNull();
  });
});

describe("a schema is accepted", () => {
  test.each<[string, JsonObject]>([
    ["that says nothing", {}],
    [
      "with a place for anything and for nothing",
      { properties: { a: true, b: false }, additionalProperties: false, items: true },
    ],
    [
      "with keywords that nobody knows",
      { "x-a": { $ref: 1 }, discriminator: { propertyName: "a" }, example: 1 },
    ],
    [
      "that is recursive by way of members, items and names",
      {
        properties: { a: { $ref: "#" } },
        items: { $ref: "#" },
        propertyNames: { $ref: "#/$defs/n" },
        $defs: { n: { type: "string" } },
      },
    ],
    [
      "with definitions of the older name",
      { $ref: "#/definitions/a", definitions: { a: { type: "string" } } },
    ],
    ["that says which draft it is written in", { $schema: "https://json-schema.org/draft/2020-12/schema" }],
    [
      "with values that look like schemas",
      { enum: [{ type: "x" }], const: { $ref: 5 }, default: { minimum: "1" }, examples: [{ items: [] }] },
    ],
    [
      "with properties named like keywords",
      { properties: { type: { type: "string" }, required: {}, $ref: {}, $id: {}, pattern: {}, enum: {} } },
    ],
  ])("%s", (_case, schema) => {
    expect(said(schema)).toEqual([]);
  });
});

test("a walk visits every schema once, values and annotations not", () => {
  const schema: JsonObject = {
    properties: { a: { items: { const: { items: {} } } }, b: true },
    allOf: [{ not: {} }],
    $defs: { d: { default: { properties: {} } } },
    "x-a": { properties: {} },
  };
  const paths: string[] = [];
  walkSchema(schema, (_schema, path) => paths.push(path.join("/")));
  expect(paths.sort()).toEqual([
    "",
    "$defs/d",
    "allOf/0",
    "allOf/0/not",
    "properties/a",
    "properties/a/items",
  ]);
});
