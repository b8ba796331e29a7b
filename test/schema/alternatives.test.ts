import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { MAX_EXPECTED_CHARACTERS, MAX_FAULTS } from "../../src/limits.ts";
import { checkSchema, schemaValidator } from "../../src/schema/index.ts";

function told(schema: JsonObject, value: JsonValue): string[] {
  expect(checkSchema(schema)).toEqual([]);
  return schemaValidator(schema)
    .validate(value)
    .map(({ path, rule, expected, got }) => `${path} ${rule}: ${expected}; got ${got}`);
}

const limit: JsonObject = {
  type: "object",
  properties: { kind: { const: "limit" }, side: { enum: ["buy", "sell"] }, price: { type: "number" } },
  required: ["kind", "price"],
  additionalProperties: false,
};
const market: JsonObject = {
  title: "Market order",
  properties: { kind: { const: "market" }, side: { $ref: "#/$defs/side" } },
  allOf: [{ type: "object" }, { required: ["kind"] }],
};
const orders: JsonObject = {
  oneOf: [{ $ref: "#/$defs/limit" }, market],
  $defs: { limit, side: { enum: ["buy", "sell"] } },
};
const ids: JsonObject = {
  anyOf: [{ type: "integer", minimum: 1 }, { type: "string", pattern: "^[A-Z]+$" }, false],
};

describe("of alternatives", () => {
  test.each<[string, JsonObject, JsonValue, string[]]>([
    [
      "the one whose constant fits tells its own faults",
      orders,
      { kind: "limit", price: "1", note: 1 },
      [
        '/price type: number, where kind is "limit"; got "1"',
        '/note additionalProperties: no member of this name; there are kind, side, price, where kind is "limit"; got 1',
      ],
    ],
    [
      "the constant tells, though another member is wrong",
      orders,
      { kind: "market", side: "hold" },
      ['/side enum: one of "buy", "sell", where kind is "market"; got "hold"'],
    ],
    [
      "a value out of several tells where it is right for one alone",
      {
        anyOf: [
          { type: "object", properties: { unit: { enum: ["s", "ms"] } }, required: ["seconds"] },
          { type: "object", properties: { unit: { enum: ["m", "km"] } }, required: ["metres"] },
        ],
      },
      { unit: "km" },
      ['/metres required: a value, where unit is "km"; got nothing'],
    ],
    ["the one that takes such values tells its own faults", ids, 0, ["/ minimum: at least 1; got 0"]],
    [
      "so does one that takes whole numbers among others",
      { anyOf: [{ type: "number", maximum: 1 }, { const: "x" }] },
      5,
      ["/ maximum: at most 1; got 5"],
    ],
    [
      "the one that is not null does",
      { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
      ["a", 1],
      ["/1 type: string; got 1"],
    ],
    [
      "all are named where none is meant",
      orders,
      { kind: "stop" },
      [
        '/ oneOf: exactly one of these: limit (object with kind "limit", side "buy" or "sell", price); Market order (object with kind "market"); got {"kind":"stop"}, which is none of them',
      ],
    ],
    [
      "and where nothing tells",
      orders,
      {},
      [
        '/ oneOf: exactly one of these: limit (object with kind "limit", side "buy" or "sell", price); Market order (object with kind "market"); got {}, which is none of them',
      ],
    ],
    [
      "those are named that a value may be",
      ids,
      true,
      [
        "/ anyOf: one of these: integer, at least 1; string, text matching ^[A-Z]+$; got true, which is none of them",
      ],
    ],
    [
      "those are named that fit where only one should",
      { oneOf: [{ required: ["id"] }, { required: ["name"] }, { required: ["url"] }] },
      { id: 1, name: "x" },
      [
        '/ oneOf: exactly one of these: object with id; object with name; object with url; got {"id":1,"name":"x"}, which is several of them: object with id; object with name',
      ],
    ],
    [
      "within others the faults are told of the one that is meant at each level",
      {
        anyOf: [
          { type: "null" },
          {
            type: "object",
            properties: { order: { anyOf: [{ type: "null" }, { type: "object", required: ["id"] }] } },
          },
        ],
      },
      { order: {} },
      ["/order/id required: a value; got nothing"],
    ],
  ])("%s", (_behaviour, schema, value, faults) => {
    expect(told(schema, value)).toEqual(faults.map((fault) => fault.replace(/^\/ /, " ")));
  });
});

describe("a shape is called", () => {
  test.each<[JsonValue, string]>([
    [{ type: "string" }, "string"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ const: { a: 1 } }, '{"a":1}'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7] }, "1 or 2 or 3 or 4 or 5 or 2 more"],
    [{ type: "array", items: { type: "integer" } }, "array of integer"],
    [{ type: "array", items: true, minItems: 1 }, "array, at least 1 item"],
    [{ properties: { a: {}, b: { const: 1 } } }, "object with b 1"],
    [{ properties: { a: {}, b: {} } }, "object that may have a, b"],
    [{ required: ["a"], title: "A thing" }, "A thing (object with a)"],
    [{ format: "date" }, "text in the format date"],
    [{ $ref: "#/$defs/day" }, "day (text in the format date)"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ not: { type: "null" } }, "anything but null"],
    [{ if: {} }, "a certain shape"],
  ])("%j: %s", (shape, name) => {
    const schema: JsonObject = { not: shape, $defs: { day: { format: "date" } } };
    const values: JsonValue[] = ["x", 1, null, [1], [], { a: 1 }, { a: 1, b: 1 }, "2024-01-01"];
    const [fault] = values.flatMap((value) => schemaValidator(schema).validate(value));
    expect(fault?.expected).toBe(`anything but ${name}`);
  });

  test("in few words, however much there is to it", () => {
    const names = Array.from({ length: 500 }, (_, index) => `name-${index}`);
    const shape = { title: "T".repeat(5_000), required: names };
    const [fault] = schemaValidator({ anyOf: Array.from({ length: 400 }, () => shape) }).validate({});
    expect(fault?.expected.length).toBeLessThanOrEqual(MAX_EXPECTED_CHARACTERS);
  });
});

describe("faults that follow from something say from what", () => {
  const kind: JsonObject = { properties: { kind: { const: "limit" } }, required: ["kind"] };

  test.each<[string, JsonObject, JsonValue, string[]]>([
    [
      "a condition that is met",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: kind, then: { required: ["price"] } },
      { kind: "limit" },
      ['/price required: a value, for object with kind "limit"; got nothing'],
    ],
    [
      "a condition that is not met",
      { if: kind, else: { properties: { price: false } } },
      { price: 1 },
      ['/price properties: no member of this name, for anything but object with kind "limit"; got 1'],
    ],
    [
      "a member that asks for others",
      { dependentSchemas: { a: { required: ["b"] } } },
      { a: 1 },
      ["/b required: a value, because a is given; got nothing"],
    ],
    [
      "a name",
      { propertyNames: { enum: ["a", "b"] } },
      { c: 1 },
      ['/c enum: one of "a", "b", in the name of a member; got "c"'],
    ],
  ])("%s", (_what, schema, value, faults) => {
    expect(told(schema, value)).toEqual(faults);
  });
});

describe("members that are not asked for", () => {
  test("are told the names that any schema about the object knows", () => {
    const schema: JsonObject = {
      $ref: "#/$defs/base",
      anyOf: [{ properties: { b: {} } }, { properties: { c: {}, gone: false } }],
      patternProperties: { "^x-": {} },
      unevaluatedProperties: false,
      $defs: { base: { properties: { a: {} } } },
    };
    expect(told(schema, { d: 1 })).toEqual([
      "/d unevaluatedProperties: no member of this name; there are any that match ^x-, a, b, c; got 1",
    ]);
  });
});

describe("what faults say is short", () => {
  const long = "n".repeat(100_000);

  test.each<[string, JsonObject, JsonValue]>([
    ["a name that is not asked for", { additionalProperties: false }, { [long]: 1 }],
    ["a name that is missing", { required: [long] }, {}],
    ["a name that others ask for", { dependentRequired: { [long]: ["a"] } }, { [long]: 1 }],
    ["a pattern", { pattern: `^${long.slice(0, 5_000)}$` }, "x"],
    ["a value", { const: long }, `${long}x`],
    ["names that there are", { properties: { [long]: {} }, additionalProperties: false }, { a: 1 }],
    [
      "a value that tells an alternative",
      { anyOf: [{ properties: { k: { const: long } }, required: ["a"] }, false] },
      { k: long },
    ],
  ])("%s", (_what, schema, value) => {
    const faults = schemaValidator(schema).validate(value);
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(faults).length).toBeLessThan(2 * MAX_EXPECTED_CHARACTERS);
  });

  test("and there are not too many", () => {
    const schema: JsonObject = { items: { type: "string" } };
    expect(schemaValidator(schema).validate(Array.from({ length: 12_000 }, () => 0))).toHaveLength(
      MAX_FAULTS,
    );
  });
});

test("a schema that came as text and one that was written as code are told of alike", () => {
  const value = { kind: "limit", price: "1" };
  expect(schemaValidator(JSON.parse(JSON.stringify(orders))).validate(value)).toEqual(
    schemaValidator(orders).validate(value),
  );
});
