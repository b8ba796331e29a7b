import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { MAX_VALIDATION_STEPS } from "../../src/limits.ts";
import { checkSchema, schemaValidator } from "../../src/schema/index.ts";

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const all = (count: number, make: (index: number) => JsonObject): JsonObject => ({
  allOf: times(count, make),
});
const table = (count: number, value: JsonValue): JsonObject =>
  Object.fromEntries(times(count, (index) => [`n${index}`, value]));
const nested = (levels: number): JsonValue => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
const text = (length: number): string => "a".repeat(length);

/** The steps that a check takes, and the fault that says there were too few. */
function cost(schema: JsonObject, value: JsonValue) {
  expect(checkSchema(schema)).toEqual([]);
  const steps = { left: MAX_VALIDATION_STEPS };
  const faults = schemaValidator(schema).validate(value, steps);
  const ended = faults.find(({ got }) => got === "one that takes more") ?? null;
  return { taken: MAX_VALIDATION_STEPS - steps.left, ended };
}

/** Kinds of work: a schema, values by their size, a small size, and one that is too much (0 where none can be). */
const work: [string, JsonObject, (size: number) => JsonValue, number, number][] = [
  ["items", { items: { type: "integer" } }, (size) => times(size, () => 1), 1_000, 200_000],
  [
    "items that may be anything",
    all(400, () => ({ contains: true })),
    (size) => times(size, () => 1),
    100,
    20_000,
  ],
  ["members", all(400, () => ({ additionalProperties: true })), (size) => table(size, 1), 50, 20_000],
  [
    "members by unevaluatedProperties",
    all(400, () => ({ unevaluatedProperties: true })),
    (size) => table(size, 1),
    10,
    9_000,
  ],
  ["names", all(400, () => ({ propertyNames: { minLength: 1 } })), (size) => table(size, 1), 50, 20_000],
  ["names counted", all(400, () => ({ maxProperties: 25_000 })), (size) => table(size, 1), 100, 20_000],
  [
    "properties looked up",
    { items: { properties: table(10_000, true) } },
    (size) => times(size, () => ({})),
    5,
    500,
  ],
  [
    "names required",
    { items: { not: { required: Object.keys(table(10_000, 1)) } } },
    (size) => times(size, () => ({})),
    5,
    500,
  ],
  [
    "names that others require",
    { items: { dependentRequired: table(10_000, ["n0"]) } },
    (size) => times(size, () => ({})),
    5,
    500,
  ],
  [
    "items compared with each other",
    all(400, () => ({ uniqueItems: true })),
    (size) => times(size, (id) => ({ id })),
    5,
    5_000,
  ],
  [
    "values compared as a whole",
    all(400, () => ({ const: { a: 1 } })),
    (size) => ({ b: table(size, 1) }),
    5,
    5_000,
  ],
  [
    "characters of a format",
    all(400, () => ({ format: "uri" })),
    (size) => `http://a/${text(size)}`,
    50,
    50_000,
  ],
  [
    "characters of a pattern",
    all(50, (index) => ({ not: { pattern: `(?:ab|b)+c${index}` } })),
    text,
    20,
    50_000,
  ],
  [
    "names matched",
    all(20, (index) => ({ patternProperties: { [`x+y+${index}`]: true } })),
    (size) => table(size, 1),
    20,
    5_000,
  ],
  ["fractions", all(400, () => ({ items: { multipleOf: 0.5 } })), (size) => times(size, () => 1.5), 2, 500],
  [
    "whole numbers as digits",
    all(400, () => ({ items: { type: "integer", format: "int64" } })),
    (size) => times(size, () => "9007199254740993"),
    5,
    5_000,
  ],
  [
    "alternatives",
    { items: { anyOf: times(400, () => ({ type: "string" })) } },
    (size) => times(size, () => 1),
    5,
    900,
  ],
  ["faults", { items: { type: "string" } }, (size) => times(size, () => [text(100)]), 5, 0],
];

describe("every kind of work pays for itself", () => {
  test.each(work)("%s: twice as much takes twice as many steps", (_kind, schema, value, small) => {
    const once = cost(schema, value(small));
    const twice = cost(schema, value(2 * small));
    expect(once.ended).toBeNull();
    expect(twice.ended).toBeNull();
    const nothing = cost(schema, value(0)).taken;
    expect((twice.taken - nothing) / (once.taken - nothing)).toBeCloseTo(2, 0);
  });

  test.each(work.filter(([, , , , large]) => large > 0))(
    "%s: too much of it ends the check",
    (_kind, schema, value, _small, large) => {
      expect(cost(schema, value(large)).ended).not.toBeNull();
    },
  );

  test("characters are counted only where the length in UTF-16 units does not decide", () => {
    const bounds: JsonObject = { minLength: 100, maxLength: 500 };
    expect(cost(bounds, text(499)).taken).toBe(cost(bounds, text(201)).taken);
    expect(cost(bounds, text(200)).taken).toBeGreaterThan(cost(bounds, text(201)).taken);
    const least = (minLength: number) => all(400, () => ({ minLength }));
    expect(cost(least(1), text(200_000)).ended).toBeNull();
    expect(cost(least(150_000), text(200_000)).ended).toMatchObject({ rule: "minLength" });
  });

  test("texts of an enum are compared with those of their own length", () => {
    const long = { enum: times(10, (index) => text(20_000) + index) };
    const none = all(200, () => ({ not: long }));
    expect(cost(none, text(20_000)).ended).toBeNull();
    expect(
      cost(
        { items: none },
        times(10, () => `${text(20_000)}x`),
      ).ended,
    ).toMatchObject({ rule: "enum" });
  });
});

describe("a check that ends says where, and at which keyword", () => {
  test.each<[string, JsonObject, JsonValue, RegExp, RegExp]>([
    [
      "references that double",
      { type: "object", properties: { a: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } } },
      nested(60),
      /^(\/a){20,}$/,
      /^(anyOf|\$ref|properties)$/,
    ],
    [
      "conditions that double",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { properties: { a: { if: { $ref: "#" }, then: { $ref: "#" } } } },
      nested(60),
      /^(\/a){20,}$/,
      /^(if|\$ref|properties)$/,
    ],
    [
      "sets of seen members",
      all(400, () => ({ unevaluatedProperties: {} })),
      table(20_000, 1),
      /^(\/n\d+)?$/,
      /^(allOf|unevaluatedProperties)$/,
    ],
    [
      "a pattern",
      { properties: { a: { items: { pattern: "(a+)+b" } } } },
      { a: ["a", text(200_000)] },
      /^\/a\/1$/,
      /^pattern$/,
    ],
    [
      "a format",
      { properties: { "a/b": { format: "uri" } } },
      { "a/b": text(1_000_000) },
      /^\/a~1b$/,
      /^format$/,
    ],
  ])("%s", (_what, schema, value, path, rule) => {
    const { ended } = cost(schema, value);
    expect(ended?.path).toMatch(path);
    expect(ended?.rule).toMatch(rule);
    expect(ended?.expected).toContain("were used up here");
  });

  test("after what was found before", () => {
    const faults = schemaValidator({
      properties: { a: { type: "integer" }, b: { pattern: "(a+)+b" } },
    }).validate({ a: "x", b: text(200_000) });
    expect(faults.map(({ path, rule }) => `${path} ${rule}`)).toEqual(["/a type", "/b pattern"]);
  });

  test("whatever `not` makes of it", () => {
    const schema = { not: { not: { pattern: "(a+)+b" } } };
    expect(cost(schema, text(200_000)).ended).toMatchObject({ rule: "pattern" });
  });
});

test("several checks may share their steps", () => {
  const validator = schemaValidator({ items: { type: "integer" } });
  const steps = { left: 100 };
  expect(validator.validate([1, 2, 3], steps)).toEqual([]);
  expect(steps.left).toBeLessThan(100);
  expect(
    validator.validate(
      times(20, () => 1),
      steps,
    ),
  ).toMatchObject([{ got: "one that takes more" }]);
});

test("patterns that take too long to be made are refused with the schema", () => {
  const patterns = (count: number) => all(count, (index) => ({ pattern: `^(?:a{1,400}b${index})$` }));
  expect(checkSchema(patterns(10))).toEqual([]);
  expect(checkSchema(patterns(100))).toMatchObject([
    { kind: "pattern", message: "all patterns of this schema together have more than 20000 states" },
  ]);
});
