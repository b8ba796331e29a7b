import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ArgumentFault } from "../../src/errors.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import {
  MAX_FAULTS,
  MAX_LISTED_VALUES,
  MAX_MATCHED_NAME_CHARACTERS,
  MAX_SCHEMA_DEPTH,
} from "../../src/limits.ts";
import { checkSchema, schemaValidator } from "../../src/schema/index.ts";

function faultsOf(schema: JsonObject, value: JsonValue): ArgumentFault[] {
  expect(checkSchema(schema)).toEqual([]);
  return schemaValidator(schema).validate(value);
}

/** Numbers that a double cannot hold come as the texts in which they were written. */
const longNumbers: [schema: JsonObject, value: string, expected: string, got?: string][] = [
  [
    { type: "integer" },
    "9007199254740993",
    "integer, no further from 0 than 9007199254740991: of a longer one digits would be lost",
  ],
  [
    { type: ["integer", "null"] },
    "-9007199254740993",
    "integer or null, no further from 0 than 9007199254740991: of a longer one digits would be lost",
  ],
  [
    { anyOf: [{ type: "integer" }, { type: "null" }] },
    "9007199254740993",
    "integer, no further from 0 than 9007199254740991: of a longer one digits would be lost",
  ],
  [
    { type: "number" },
    "123456789012345678901234567890",
    "number of at most 15 digits, 1.23456789012346e+29: further ones would be lost",
  ],
  [
    { type: "number", maximum: 5 },
    "12345678901234567.25",
    "number of at most 15 digits, 1.23456789012346e+16: further ones would be lost",
  ],
  [{ type: "number" }, "1e400", "number, no further from 0 than 1.7976931348623157e+308"],
  [{ type: "number" }, "-1E+999", "number, no further from 0 than 1.7976931348623157e+308"],
  [
    { type: "integer", format: "int64" },
    "99999999999999999999",
    "integer from -9223372036854775808 to 9223372036854775807",
  ],
  [{ type: "integer" }, "9007199254740991", "integer", '"9007199254740991"'],
  [{ type: "integer" }, "0009007199254740993", "integer", '"0009007199254740993"'],
  [{ type: "boolean" }, "9007199254740993", "boolean", '"9007199254740993"'],
  [{ type: "integer", writeOnly: true }, "9007199254740993", "integer", "a string that is not shown"],
];

test.each(longNumbers)(
  "%j refuses the number %s in words that help",
  (schema, value, expected, got = value) => {
    expect(faultsOf(schema, value)).toEqual([{ path: "", rule: "type", expected, got }]);
  },
);

/** What a caller who knows members by other names is told; paths are in the schema's own. */
const named: [schema: JsonObject, value: JsonValue, path: string, expected: string, got: string][] = [
  [
    { properties: { 价: {}, 量: {} }, additionalProperties: false },
    { 价: 1, x: 2 },
    "/x",
    "no member of this name; there are price, size",
    "2",
  ],
  [
    { properties: { 价: {} }, unevaluatedProperties: false },
    { 量: { 价: 1 } },
    "/量",
    "no member of this name; there are price",
    '{"price":1}',
  ],
  [{ minProperties: 2 }, { 价: [{ 量: 1 }] }, "", "at least 2 members", '{"price":[{"size":1}]}'],
  [{ enum: [{ 价: 1 }] }, 5, "", 'one of {"price":1}', "5"],
  [{ dependentRequired: { 价: ["量"] } }, { 价: 1 }, "/量", "a value, because price is given", "nothing"],
  [
    { dependentSchemas: { 价: { required: ["量"] } } },
    { 价: 1 },
    "/量",
    "a value, because price is given",
    "nothing",
  ],
  [
    {
      anyOf: [
        { type: "object", required: ["价"] },
        { type: "array", items: { required: ["量"] } },
      ],
    },
    "x",
    "",
    "one of these: object with price; array of object with size",
    '"x", which is none of them',
  ],
  [
    {
      oneOf: [
        { properties: { 价: { const: "a" } }, required: ["量"] },
        { properties: { 价: { const: "b" } } },
      ],
    },
    { 价: "a" },
    "/量",
    'a value, where price is "a"',
    "nothing",
  ],
];

test.each(named)("%j refuses %j in a caller's names for members", (schema, value, path, expected, got) => {
  const names = new Map([
    ["价", "price"],
    ["量", "size"],
  ]);
  expect(checkSchema(schema)).toEqual([]);
  expect(schemaValidator(schema).validateNamed(value, names)).toMatchObject([{ path, expected, got }]);
  const own = schemaValidator(schema).validate(value);
  expect(schemaValidator(schema).validateNamed(value, new Map())).toEqual(own);
  expect(JSON.stringify(own)).not.toMatch(/price|size/);
});

test("a number in the digits that are proposed in place of a longer one is right", () => {
  expect(faultsOf({ type: "number" }, Number("1.23456789012346e+29"))).toEqual([]);
  expect(faultsOf({ type: "integer", format: "int64" }, "9223372036854775807")).toEqual([]);
});

/** For each keyword: a schema, a value that it refuses, where, what was expected and what was got. */
const keywords: [string, JsonObject, JsonValue, string, string, string][] = [
  ["type", { type: "integer" }, "5", "", "integer", '"5"'],
  ["type", { type: ["string", "null"] }, 5, "", "string or null", "5"],
  ["type", { type: "object" }, [1], "", "object", "[1]"],
  ["enum", { enum: ["a", 1, null] }, "b", "", 'one of "a", 1, null', '"b"'],
  ["const", { const: { a: 1 } }, { a: 2 }, "", '{"a":1}', '{"a":2}'],
  ["pattern", { pattern: "^[A-Z]+$" }, "abc", "", "text matching ^[A-Z]+$", '"abc"'],
  [
    "pattern",
    { pattern: "^\\p{Lu}", examples: ["A", "B", "C", "D"] },
    "a",
    "",
    'text matching ^\\p{Lu}, e.g. "A", "B", "C"',
    '"a"',
  ],
  ["format", { format: "date" }, "2024-02-30", "", "text in the format date", '"2024-02-30"'],
  ["minimum", { minimum: 1 }, 0, "", "at least 1", "0"],
  ["maximum", { maximum: 10 }, 11, "", "at most 10", "11"],
  ["exclusiveMinimum", { exclusiveMinimum: 0 }, 0, "", "more than 0", "0"],
  ["exclusiveMaximum", { exclusiveMaximum: 1.5 }, 1.5, "", "less than 1.5", "1.5"],
  ["multipleOf", { multipleOf: 0.01 }, 0.005, "", "a multiple of 0.01", "0.005"],
  ["minLength", { minLength: 1 }, "", "", "at least 1 character", '""'],
  ["minLength", { minLength: 3 }, "潮汐", "", "at least 3 characters", '"潮汐"'],
  ["maxLength", { maxLength: 2 }, "😀😀😀", "", "at most 2 characters", '"😀😀😀"'],
  ["minItems", { minItems: 2 }, [1], "", "at least 2 items", "[1]"],
  ["maxItems", { maxItems: 1 }, [1, 2], "", "at most 1 item", "[1,2]"],
  [
    "uniqueItems",
    { uniqueItems: true },
    [{ a: 1 }, { a: 1 }],
    "",
    "no item twice",
    '[{"a":1},{"a":1}], with the same items 0 and 1 (from 0)',
  ],
  [
    "uniqueItems",
    { uniqueItems: true },
    [1, 2, 3, 2],
    "",
    "no item twice",
    "[1,2,3,2], with the same items 1 and 3 (from 0)",
  ],
  ["minProperties", { minProperties: 1 }, {}, "", "at least 1 member", "{}"],
  ["maxProperties", { maxProperties: 0 }, { a: 1 }, "", "at most 0 members", '{"a":1}'],
  ["required", { required: ["a"] }, {}, "/a", "a value", "nothing"],
  [
    "dependentRequired",
    { dependentRequired: { a: ["b"] } },
    { a: 1 },
    "/b",
    "a value, because a is given",
    "nothing",
  ],
  ["contains", { contains: { const: 1 } }, [2, 3], "", "an item that is: 1", "[2,3]"],
  [
    "minContains",
    { contains: { type: "object", required: ["id"] }, minContains: 2 },
    [{ id: 1 }, 3],
    "",
    "at least 2 of such items: object with id",
    '[{"id":1},3], with 1',
  ],
  [
    "maxContains",
    { contains: { const: 1 }, maxContains: 1 },
    [1, 1],
    "",
    "at most 1 of such items: 1",
    "[1,1], with 2",
  ],
  [
    "additionalProperties",
    { properties: { a: {}, b: {} }, additionalProperties: false },
    { c: 1 },
    "/c",
    "no member of this name; there are a, b",
    "1",
  ],
  ["additionalProperties", { additionalProperties: false }, { c: 1 }, "/c", "no member of this name", "1"],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false },
    { a: 1, c: 1 },
    "/c",
    "no member of this name; there are b, a",
    "1",
  ],
  ["properties", { properties: { a: false } }, { a: 1 }, "/a", "no member of this name", "1"],
  [
    "patternProperties",
    { patternProperties: { "^x-": false } },
    { "x-a": 1 },
    "/x-a",
    "no member of this name",
    "1",
  ],
  ["items", { prefixItems: [{}], items: false }, [1, 2], "/1", "no further item; at most 1", "2"],
  [
    "unevaluatedItems",
    { prefixItems: [{}], unevaluatedItems: false },
    [1, 2],
    "/1",
    "no further item; at most 1",
    "2",
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ["if", { if: { const: 1 }, then: false }, 1, "", "anything but 1", "1"],
  ["if", { if: { const: 1 }, else: false }, 2, "", "1", "2"],
  ["allOf", { allOf: [false] }, 1, "", "nothing, as no value is right here", "1"],
  [
    "anyOf",
    { anyOf: [false] },
    1,
    "",
    "one of these: nothing, as no value is right here",
    "1, which is none of them",
  ],
  ["not", { not: {} }, 1, "", "nothing, as no value is right here", "1"],
  ["propertyNames", { propertyNames: false }, { a: 1 }, "", "an object without members", '{"a":1}'],
  ["prefixItems", { prefixItems: [false] }, [1], "/0", "no item at this place", "1"],
  [
    "dependentSchemas",
    { dependentSchemas: { a: false } },
    { a: 1 },
    "",
    "no such object, because a is given",
    '{"a":1}',
  ],
];

describe("a fault says where, by which rule, what was expected and what was got", () => {
  test.each(keywords)("%s in %j of %j", (rule, schema, value, path, expected, got) => {
    expect(faultsOf(schema, value)).toEqual([{ path, rule, expected, got }]);
  });

  test("a long list of allowed values is cut, with how many more there are", () => {
    const values = Array.from({ length: MAX_LISTED_VALUES + 5 }, (_, index) => index);
    const [fault] = faultsOf({ enum: values }, -1);
    expect(fault?.expected).toMatch(new RegExp(`^one of 0, 1, .*, ${MAX_LISTED_VALUES - 1} or 5 more$`));
  });

  test("a long value is cut after whole characters", () => {
    const [fault] = faultsOf({ type: "integer" }, "潮😀".repeat(500));
    expect(fault?.got).toMatch(/^"(潮😀)+潮… \(string, 1002 characters\)$/);
  });
});

describe("all faults are listed in one pass", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      symbol: { type: "string", pattern: "^[A-Z]+$" },
      limit: { type: "integer", minimum: 1 },
      legs: {
        type: "array",
        items: {
          type: "object",
          properties: { side: { enum: ["buy", "sell"] }, size: { type: "number" } },
          required: ["side"],
          additionalProperties: false,
        },
      },
    },
    required: ["symbol", "limit"],
    additionalProperties: false,
  };

  test("of every member, item and level", () => {
    const faults = faultsOf(schema, {
      limit: 0,
      legs: [{ side: "hold" }, { side: "buy", size: "2", note: 1 }, {}],
      extra: true,
    });
    expect(faults.map(({ path, rule }) => `${path} ${rule}`).sort()).toEqual([
      "/extra additionalProperties",
      "/legs/0/side enum",
      "/legs/1/note additionalProperties",
      "/legs/1/size type",
      "/legs/2/side required",
      "/limit minimum",
      "/symbol required",
    ]);
  });

  test("a value of the wrong type is told so, and nothing else", () => {
    expect(faultsOf(schema, { symbol: 5, limit: null }).map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      "/symbol type",
      "/limit type",
    ]);
  });

  test("of a condition what follows from it is said", () => {
    const conditional: JsonObject = {
      if: { properties: { kind: { const: "limit" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["price"] },
      else: { properties: { price: false } },
    };
    expect(faultsOf(conditional, { kind: "limit" })).toMatchObject([{ path: "/price", rule: "required" }]);
    expect(faultsOf(conditional, { kind: "market", price: 1 })).toMatchObject([
      { path: "/price", rule: "properties" },
    ]);
  });
});

describe("names", () => {
  test.each(["符号", "a b", "50%", "a/b", "a~b", "#", 'a"b', "ключ", "😀", "__proto__", "constructor", ""])(
    "of members are given as they are: %j",
    (name) => {
      const properties = JSON.parse(`{${JSON.stringify(name)}: {"type": "integer"}}`);
      const value = JSON.parse(`{${JSON.stringify(name)}: "x"}`);
      const path = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      expect(faultsOf({ properties }, value)).toEqual([
        { path, rule: "type", expected: "integer", got: '"x"' },
      ]);
      expect(faultsOf({ required: [name] }, {})).toMatchObject([{ path, rule: "required" }]);
    },
  );

  test("with half a surrogate pair are named like any others", () => {
    const value = JSON.parse('{"\\ud800": 1}');
    expect(faultsOf({ additionalProperties: false }, value)).toEqual([
      { path: "/\ud800", rule: "additionalProperties", expected: "no member of this name", got: "1" },
    ]);
  });

  test("are what is wrong where they are refused themselves", () => {
    expect(faultsOf({ propertyNames: { maxLength: 2 } }, { abc: 1 })).toEqual([
      {
        path: "/abc",
        rule: "maxLength",
        expected: "at most 2 characters, in the name of a member",
        got: '"abc"',
      },
    ]);
  });
});

describe("secrets are not shown", () => {
  const secret = "s3cr3t";
  test.each<[string, JsonObject, JsonValue]>([
    ["that are written only", { properties: { key: { type: "integer", writeOnly: true } } }, { key: secret }],
    [
      "that are passwords",
      { properties: { key: { type: "string", format: "password", maxLength: 1 } } },
      { key: secret },
    ],
    [
      "by a rule beside the mark",
      { properties: { key: { writeOnly: true, allOf: [{ pattern: "^a" }] } } },
      { key: secret },
    ],
    [
      "by a rule elsewhere",
      { properties: { key: { writeOnly: true, $ref: "#/$defs/key" } }, $defs: { key: { maxLength: 2 } } },
      { key: secret },
    ],
    [
      "whose mark is elsewhere",
      { properties: { key: { $ref: "#/$defs/key", maxLength: 2 } }, $defs: { key: { writeOnly: true } } },
      { key: secret },
    ],
    [
      "whose mark is in one of several shapes",
      { properties: { key: { anyOf: [{ writeOnly: true, type: "null" }] } } },
      { key: secret },
    ],
    [
      "within an object that is secret",
      { properties: { login: { writeOnly: true, properties: { key: { type: "integer" } } } } },
      { login: { key: secret } },
    ],
    [
      "with the object that holds them",
      { properties: { key: { writeOnly: true } }, maxProperties: 0 },
      { key: secret },
    ],
    [
      "with the list that holds them",
      { items: { properties: { key: { format: "password" } } }, maxItems: 0 },
      [{ key: secret }],
    ],
    [
      "under a name that is misspelt",
      { properties: { key: { writeOnly: true } }, additionalProperties: false },
      { kee: secret },
    ],
  ])("%s", (_case, schema, value) => {
    const faults = faultsOf(schema, value);
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain(secret);
    expect(faults[0]?.got).toMatch(/^an? \w+ that is not shown\b/);
  });

  test("and what is beside them is", () => {
    const schema: JsonObject = { properties: { key: { writeOnly: true }, limit: { type: "integer" } } };
    expect(faultsOf(schema, { key: secret, limit: "x" })).toMatchObject([{ path: "/limit", got: '"x"' }]);
  });
});

describe("references", () => {
  test.each<[string, JsonObject, JsonValue, string[]]>([
    ["to a definition", { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } }, "x", [" type"]],
    [
      "to a property",
      { properties: { a: { type: "integer" }, b: { $ref: "#/properties/a" } } },
      { b: "x" },
      ["/b type"],
    ],
    [
      "to a name with signs",
      { $ref: "#/$defs/a~1b%25%20c", $defs: { "a/b% c": { type: "integer" } } },
      "x",
      [" type"],
    ],
    [
      "to true and false",
      {
        properties: { a: { $ref: "#/$defs/any" }, b: { $ref: "#/$defs/none" } },
        $defs: { any: true, none: false },
      },
      { a: 1, b: 1 },
      ["/b $ref"],
    ],
    [
      "to the whole",
      { properties: { next: { $ref: "#" } }, required: ["id"] },
      { id: 1, next: { id: 2, next: {} } },
      ["/next/next/id required"],
    ],
    [
      "to the place of an item, from within it",
      {
        properties: {
          n: {
            items: { properties: { c: { items: { $ref: "#/properties/n/items" } }, v: { type: "integer" } } },
          },
        },
      },
      { n: [{ c: [{ c: [{ v: "x" }] }] }] },
      ["/n/0/c/0/c/0/v type"],
    ],
    [
      "beside rules of their own",
      { $ref: "#/$defs/a", minimum: 5, $defs: { a: { maximum: 3 } } },
      4,
      [" maximum", " minimum"],
    ],
  ])("%s are followed", (_case, schema, value, faults) => {
    expect(faultsOf(schema, value).map(({ path, rule }) => `${path} ${rule}`)).toEqual(faults);
  });

  test("that double at every level end the check instead of the program", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { a: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } },
    };
    const value = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
    expect(faultsOf(schema, value)).toEqual([
      {
        path: expect.stringMatching(/^(\/a){20,}$/),
        rule: expect.stringMatching(/^(anyOf|\$ref|type|properties)$/),
        expected: expect.stringContaining("were used up here"),
        got: "one that takes more",
      },
    ]);
    expect(faultsOf(schema, { a: { a: {} } })).toEqual([]);
  });

  test("that lead through too many schemas at every level end the check, however deep the value", () => {
    let schema: JsonObject = { $ref: "#" };
    for (let depth = 0; depth < 50; depth++) schema = { allOf: [schema] };
    const value = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect(faultsOf({ items: schema }, value(10))).toEqual([]);
    expect(faultsOf({ items: schema }, value(200))).toEqual([
      {
        path: expect.stringMatching(/^(\/0){10,}$/),
        rule: "allOf",
        expected: `a value that can be checked within ${MAX_SCHEMA_DEPTH} schemas, each in the one before`,
        got: "one that takes more",
      },
    ]);
  });
});

describe("patterns", () => {
  const hostile = `${"a".repeat(50)}!`;

  test.each(["^(a+)+$", "^(a|a)*$", "(.*a){20}b"])("%s takes no longer than the text is long", (pattern) => {
    expect(faultsOf({ properties: { a: { pattern } } }, { a: hostile })).toEqual([
      { path: "/a", rule: "pattern", expected: `text matching ${pattern}`, got: JSON.stringify(hostile) },
    ]);
  });

  test("are checked beside other rules, and within schemas of several kinds", () => {
    const schema: JsonObject = {
      allOf: [{ properties: { a: { pattern: "^x" } } }],
      properties: {
        a: { allOf: [{ minLength: 9 }], pattern: "^y", format: "date" },
        b: { anyOf: [{ pattern: "^p" }, { pattern: "^q" }] },
        c: { not: { pattern: "^n" } },
        d: { $ref: "#/$defs/d" },
        e: { items: { pattern: "^(?!no)" } },
      },
      propertyNames: { pattern: "^[a-e]$" },
      $defs: { d: { type: "string", pattern: "潮$" } },
    };
    const value = { a: "z", b: "z", c: "nn", d: "汐", e: ["no", "yes"], f: 1 };
    expect(
      faultsOf(schema, value)
        .map(({ path, rule, expected }) => `${path} ${rule}: ${expected}`)
        .sort(),
    ).toEqual([
      "/a format: text in the format date",
      "/a minLength: at least 9 characters",
      "/a pattern: text matching ^x",
      "/a pattern: text matching ^y",
      "/b anyOf: one of these: text matching ^p; text matching ^q",
      "/c not: anything but text matching ^n",
      "/d pattern: text matching 潮$",
      "/e/0 pattern: text matching ^(?!no)",
      "/f pattern: text matching ^[a-e]$, in the name of a member",
    ]);
    expect(faultsOf(schema, { a: "2024-01-01", b: "q", c: "m", d: "大潮", e: ["yes"] })).toMatchObject([
      { path: "/a", rule: "pattern" },
      { path: "/a", rule: "pattern" },
    ]);
  });

  test("are about texts only", () => {
    expect(faultsOf({ items: { pattern: "^a$" } }, [1, null, true, {}, []])).toEqual([]);
  });

  test("of names that need backtracking take names up to a bound", () => {
    const named = (length: number) => ({ nested: [{ [`y${"x".repeat(length - 1)}`]: 1 }] });
    const schema: JsonObject = {
      properties: { nested: { items: { patternProperties: { "^(?=y)yx*$": { type: "integer" } } } } },
    };
    expect(faultsOf(schema, named(MAX_MATCHED_NAME_CHARACTERS))).toEqual([]);
    expect(faultsOf(schema, named(MAX_MATCHED_NAME_CHARACTERS + 1))).toEqual([
      {
        path: "/nested/0",
        rule: "patternProperties",
        expected: `member names of at most ${MAX_MATCHED_NAME_CHARACTERS} characters`,
        got: `one of ${MAX_MATCHED_NAME_CHARACTERS + 1} characters`,
      },
    ]);
  });

  test("of names take no longer than the names are long, and all names pay for all patterns", () => {
    expect(faultsOf({ patternProperties: { "^(a+)+$": false } }, { [hostile]: 1 })).toEqual([]);
    const patterns = Array.from({ length: 10 }, (_, index) => [`^${"x".repeat(100)}${index}*$`, {}]);
    const names = Array.from({ length: 10 }, (_, index) => ["x".repeat(900 + index), 1]);
    const many: JsonObject = { patternProperties: Object.fromEntries(patterns) };
    expect(faultsOf(many, Object.fromEntries(names.slice(0, 1)))).toEqual([]);
    expect(faultsOf(many, Object.fromEntries(names))).toMatchObject([
      { path: "", rule: "patternProperties", got: "one that takes more" },
    ]);
  });

  test.each(["\u0000name:1000000000", "\u0000pattern:^(?=a)", "\u0000pattern:^a", "constructor", "toString"])(
    "are not hidden in formats: %j means nothing",
    (format) => {
      expect(faultsOf({ format }, "b")).toEqual([]);
    },
  );
});

describe("a list in which no item may be twice", () => {
  const numbered = (count: number): JsonValue[] => Array.from({ length: count }, (_, id) => ({ id }));
  const schema: JsonObject = { properties: { ids: { uniqueItems: true } } };

  test("is compared in time linear in its length", () => {
    expect(faultsOf(schema, { ids: numbered(5_000) })).toEqual([]);
    expect(faultsOf(schema, { ids: [...numbered(5_000), { id: 0 }] })).toMatchObject([
      { path: "/ids", rule: "uniqueItems", expected: "no item twice" },
    ]);
  });

  test("may hold an item twice where the keyword is false", () => {
    expect(faultsOf({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test.each<[JsonValue, boolean]>([
    [[1, JSON.parse("1.0")], false],
    [[{ a: 1, b: 2 }, JSON.parse('{"b": 2, "a": 1}')], false],
    [[null, null], false],
    [[1, "1", true, "true", null, "null", [], {}, [1], ["1"]], true],
    ["aa", true],
  ])("of %j is right: %j", (value, isRight) => {
    expect(faultsOf({ uniqueItems: true }, value)).toHaveLength(isRight ? 0 : 1);
  });

  test("is checked beside other rules, and within schemas of several kinds", () => {
    const combined: JsonObject = {
      properties: {
        a: { allOf: [{ minItems: 3 }], uniqueItems: true, items: { type: "integer" } },
        b: { anyOf: [{ uniqueItems: true }, { maxItems: 1 }] },
        c: { not: { uniqueItems: true } },
        d: { $ref: "#/$defs/d" },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        e: { allOf: [{ if: { minItems: 1 }, then: { uniqueItems: true } }] },
      },
      $defs: { d: { uniqueItems: true, unevaluatedItems: { type: "string" } } },
    };
    const value = { a: ["x", "x"], b: [1, 1], c: [1, 2], d: ["s", "s"], e: [1, 1] };
    expect(
      faultsOf(combined, value)
        .map(({ path, rule, got }) => `${path} ${rule}: ${got}`)
        .sort(),
    ).toEqual([
      '/a minItems: ["x","x"]',
      '/a uniqueItems: ["x","x"], with the same items 0 and 1 (from 0)',
      '/a/0 type: "x"',
      '/a/1 type: "x"',
      "/b anyOf: [1,1], which is none of them",
      "/c not: [1,2]",
      '/d uniqueItems: ["s","s"], with the same items 0 and 1 (from 0)',
      "/e uniqueItems: [1,1], with the same items 0 and 1 (from 0)",
    ]);
  });
});

describe("a value of an enum", () => {
  const schema: JsonObject = {
    properties: { a: { $ref: "#/$defs/short", minLength: 2, enum: ["ab"] } },
    $defs: { short: { maxLength: 3 } },
  };

  test.each<[string, string[]]>([
    ["ab", []],
    ["xy", []],
    ["a", ["minLength"]],
    ["abcd", ["maxLength"]],
  ])("%j is checked against all but the enum itself", (value, rules) => {
    const faults = schemaValidator(schema).validateEnumValue(["properties", "a"], value);
    expect(faults.map(({ rule }) => rule)).toEqual(rules);
    expect(schemaValidator(schema).validateAt(["properties", "a"], "xy")).toMatchObject([{ rule: "enum" }]);
  });
});

describe("a value with very many faults", () => {
  test("is refused with those that are found first", () => {
    const zeros = Array.from({ length: 130_000 }, () => 0);
    const schema: JsonObject = { properties: { a: { type: "array", items: { type: "string" } } } };
    const faults = faultsOf(schema, { a: zeros });
    expect(faults).toHaveLength(MAX_FAULTS);
    expect(faults[0]).toEqual({ path: "/a/0", rule: "type", expected: "string", got: "0" });
  });
});

describe("annotations", () => {
  test.each<[string, JsonObject]>([
    [
      "that look like schemas",
      { "x-widget": { $ref: "http://[", id: "http://[", type: "nothing" }, properties: { a: {} } },
    ],
    ["that name schemas twice", { "x-a": { $id: "s" }, "x-b": { $id: "s" } }],
    [
      "for people",
      {
        title: "T",
        description: "d",
        deprecated: true,
        readOnly: true,
        default: { $ref: "#/nowhere" },
        examples: [{ $id: "x" }],
      },
    ],
  ])("%s mean nothing to a check", (_case, schema) => {
    expect(faultsOf(schema, { a: 1 })).toEqual([]);
  });

  test("a name that is no format of JSON Schema does not take for ever to be looked for", () => {
    const schema: JsonObject = {
      properties: { site: { type: "string", format: "url" }, other: { format: "whatever" } },
    };
    expect(faultsOf(schema, { site: `http://${"a".repeat(200)}!`, other: "x" })).toEqual([]);
    expect(faultsOf(schema, { site: "not a link" })).toMatchObject([{ path: "/site", rule: "format" }]);
  });
});

test("the schema and the value stay as they are", () => {
  const schema: JsonObject = {
    properties: { a: { $ref: "#/$defs/a", default: 1 } },
    $defs: { a: { type: "string" } },
    "x-a": 1,
  };
  const value: JsonObject = { a: 5, b: [1] };
  const before = structuredClone({ schema, value });
  faultsOf(schema, value);
  expect({ schema, value }).toEqual(before);
  expect(Object.getOwnPropertyNames(schema.properties)).toEqual(["a"]);
  expect(Object.getOwnPropertyNames(schema)).toEqual(["properties", "$defs", "x-a"]);
});

test("whatever the value, a check gives faults whose paths lead to something, or to what is missing", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { a: { type: "integer" }, b: { items: { type: "string" } }, c: { $ref: "#" } },
    required: ["a"],
    additionalProperties: { type: ["string", "null"] },
  };
  const name = fc.oneof(
    fc.constantFrom("a", "b", "c", "d/e", "~", "符"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, 1, "x", true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (given) => {
      for (const { path, rule, expected, got } of faultsOf(schema, given)) {
        expect(path === "" || path.startsWith("/")).toBe(true);
        expect(expected).not.toBe("");
        expect(got === "nothing").toBe(rule === "required");
      }
    }),
    { numRuns: 500 },
  );
});
