import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ArgumentFault, toWire } from "../../../src/errors.ts";
import { prepareArguments } from "../../../src/invoke/checks/arguments.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { MAX_QUOTED_CHARACTERS } from "../../../src/limits.ts";
import { parseJson } from "../../../src/parse-json.ts";
import { prepared, type Sketch } from "../compiled.ts";

function accepted(sketch: Sketch, given: JsonValue): JsonObject {
  const result = prepareArguments(prepared(sketch), given);
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}

function faults(sketch: Sketch, given: JsonValue): ArgumentFault[] {
  const result = prepareArguments(prepared(sketch), given);
  if (result.ok) throw new Error(`accepted ${JSON.stringify(result.value)}`);
  if (result.failure.code !== "INVALID_ARGUMENTS") throw new Error(result.failure.code);
  expect(result.failure.function).toBe("ask");
  return result.failure.faults;
}

describe("arguments", () => {
  test("are completed with defaults, also within objects, and are not changed themselves", () => {
    const parameters = {
      limit: { type: "integer", default: 10 },
      page: { type: "object", properties: { size: { type: "integer", default: 20 }, at: {} } },
    };
    const given = { page: { at: 3 } };
    expect(accepted({ parameters }, given)).toEqual({ limit: 10, page: { size: 20, at: 3 } });
    expect(given).toEqual({ page: { at: 3 } });
    expect(accepted({ parameters }, {})).toEqual({ limit: 10 });
  });

  test.each<[JsonValue, string]>([
    [null, "null"],
    ["{}", '"{}"'],
    [[], "[]"],
    [7, "7"],
  ])("that are not an object are refused: %j", (given, got) => {
    expect(faults({}, given)).toEqual([{ path: "", rule: "type", expected: "an object of arguments", got }]);
  });

  test("are refused with every fault at once: where, by which rule, what was expected and what came", () => {
    const parameters = {
      a: { type: "string" },
      b: { type: "integer", maximum: 5 },
      c: { enum: ["x", "y"] },
      d: { type: "array", items: { type: "number" } },
    };
    const given = { a: null, b: 9, c: "z", d: [1, "two"], typo: 1 };
    expect(faults({ parameters, required: ["a"] }, given)).toEqual([
      { path: "/a", rule: "type", expected: "string", got: "null" },
      { path: "/b", rule: "maximum", expected: "at most 5", got: "9" },
      { path: "/c", rule: "enum", expected: 'one of "x", "y"', got: '"z"' },
      { path: "/d/1", rule: "type", expected: "number", got: '"two"' },
      {
        path: "/typo",
        rule: "additionalProperties",
        expected: "no member of this name; there are a, b, c, d",
        got: "1",
      },
    ]);
  });

  test("are refused without the value where the schema says that it is a secret", () => {
    const parameters = { pin: { type: "string", format: "password", maxLength: 4 } };
    const [fault] = faults({ parameters }, { pin: "planted-value" });
    expect(fault).toMatchObject({ path: "/pin", rule: "maxLength" });
    expect(JSON.stringify(fault)).not.toContain("planted");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "named %s are declared or not like any others",
    (name) => {
      const given: JsonValue = JSON.parse(`{"${name}": 1}`);
      const parameters: JsonObject = JSON.parse(`{"${name}": {"type": "integer"}}`);
      expect(JSON.stringify(accepted({ parameters }, given))).toBe(`{"${name}":1}`);
      expect(accepted({ parameters }, {})).toEqual({});
      expect(faults({ parameters, required: [name] }, {})).toMatchObject([
        { path: `/${name}`, rule: "required" },
      ]);
      expect(faults({}, given)).toMatchObject([{ path: `/${name}`, rule: "additionalProperties" }]);
    },
  );
});

const TEXT = { type: "string" };
const INTEGER = { type: "integer" };
const NUMBER = { type: "number" };
const BOOLEAN = { type: "boolean" };
const TEXTS = { type: "array", items: TEXT };
const INTEGERS = { type: "array", items: INTEGER };

describe("what models habitually send", () => {
  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["a list as JSON text", TEXTS, '["a","b"]', ["a", "b"]],
    ["a list of numbers as JSON text", INTEGERS, " [1, 2]", [1, 2]],
    ["a list as JSON text, its items as text", INTEGERS, '["1","2"]', [1, 2]],
    ["an object as JSON text", { type: "object" }, '{"a":1}', { a: 1 }],
    ["a number as text", INTEGER, "10", 10],
    ["a negative number as text", INTEGER, "-3", -3],
    ["a decimal as text", NUMBER, "0.5", 0.5],
    ["a whole number as text for a decimal", NUMBER, "7", 7],
    ["a boolean as text", BOOLEAN, "false", false],
    ["a number as text where null is allowed too", { type: ["integer", "null"] }, "10", 10],
    ["a number as text for one of several numbers", { enum: [10, 20] }, "10", 10],
    ["a number as text for a number or null", { enum: [10, null] }, "10", 10],
    ["a number as text for the one that there is", { const: 5 }, "5", 5],
    ["a boolean as text for one of several values", { type: "boolean", enum: [true] }, "true", true],
    ["a number as text for one of several shapes", { anyOf: [INTEGER, { type: "null" }] }, "10", 10],
    ["a list as JSON text for one of several shapes", { oneOf: [TEXTS, { type: "null" }] }, '["a"]', ["a"]],
    ["a number as text within a list", INTEGERS, ["1", 2], [1, 2]],
    [
      "a number as text within an object",
      { type: "object", properties: { n: INTEGER } },
      { n: "1" },
      { n: 1 },
    ],
  ])("is read as meant: %s", (_what, schema, given, read) => {
    expect(accepted({ parameters: { a: schema } }, { a: given })).toEqual({ a: read });
  });

  test.each<[string, JsonObject, JsonValue]>([
    ["text that looks like JSON where text is wanted", TEXT, '["a"]'],
    ["text that looks like a number where text is wanted", TEXT, "10"],
    ["text that looks like a number where text is wanted too", { type: ["integer", "string"] }, "10"],
    ["text that looks like a boolean where anything will do", {}, "true"],
    ["text that is one of several values beside the same number", { enum: ["10", 10] }, "10"],
    ["text that looks like a number where a shape of any kind will do", { anyOf: [INTEGER, {}] }, "10"],
    ["text that looks like a number where one shape is text", { anyOf: [INTEGER, TEXT] }, "10"],
    ["null where it is allowed", { type: ["string", "null"] }, null],
    ["null where it is one of the values", { enum: ["a", null] }, null],
    ["null where an alternative allows it", { anyOf: [TEXT, { type: "null" }] }, null],
    ["null where anything will do", {}, null],
  ])("is kept as it is: %s", (_what, schema, given) => {
    expect(accepted({ parameters: { a: schema } }, { a: given })).toEqual({ a: given });
  });

  test.each<[string, JsonObject, JsonValue]>([
    ["true for a number", INTEGER, true],
    ["empty text for a number", INTEGER, ""],
    ["a hexadecimal number", INTEGER, "0x10"],
    ["a number with an exponent", INTEGER, "1e3"],
    ["a number between blanks", INTEGER, " 5 "],
    ["a number with leading zeros", INTEGER, "007"],
    ["a decimal for a whole number", INTEGER, "1.5"],
    ["infinity", NUMBER, "Infinity"],
    ["a number that would be rounded", INTEGER, "9007199254740993"],
    ["one for a boolean", BOOLEAN, 1],
    ["a boolean in capitals", BOOLEAN, "True"],
    ["an object as JSON text for a list", TEXTS, '{"a":1}'],
    ["broken JSON", TEXTS, '["a"'],
    ["JSON nested without end", { type: "array" }, `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["null within a list", TEXTS, [null]],
  ])("is refused where there is doubt: %s", (_what, schema, given) => {
    expect(faults({ parameters: { a: schema } }, { a: given })[0]?.path).toMatch(/^\/a(\/0)?$/);
  });

  test.each<[string, JsonObject]>([
    ["no null by its type", TEXT],
    ["no null by its values", { enum: ["a", "b"] }],
    ["no null by its one value", { const: "a" }],
    ["no null by its alternatives", { oneOf: [TEXT, INTEGER] }],
    ["no null by a schema that it refers to", { $ref: "#/$defs/text" }],
  ])("is nothing where it is null for an optional argument that knows %s", (_what, schema) => {
    const also = { parameters: { type: "object", properties: { a: schema }, $defs: { text: TEXT } } };
    expect(accepted({ also }, { a: null })).toEqual({});
  });

  test("gives way to the default where it is null", () => {
    expect(accepted({ parameters: { limit: { type: "integer", default: 5 } } }, { limit: null })).toEqual({
      limit: 5,
    });
  });

  test("is refused, by path, where it is null for a required argument", () => {
    const sketch = { parameters: { q: TEXT, limit: INTEGER }, required: ["q"] };
    expect(faults(sketch, { q: null, limit: null })).toEqual([
      { path: "/q", rule: "type", expected: "string", got: "null" },
    ]);
  });

  test("is read through references, also recursive ones", () => {
    const kids = { type: "array", items: { $ref: "#/$defs/node" } };
    const $defs = { node: { type: "object", properties: { n: INTEGER, kids } } };
    const also = { parameters: { type: "object", properties: { tree: { $ref: "#/$defs/node" } }, $defs } };
    const tree = { n: "1", kids: [{ n: "2", kids: [{ n: "3" }] }] };
    expect(accepted({ also }, { tree })).toEqual({ tree: { n: 1, kids: [{ n: 2, kids: [{ n: 3 }] }] } });
  });

  test("changes nothing that is valid as it came", () => {
    const parameters = { a: TEXT, b: INTEGER, c: BOOLEAN, d: TEXTS, e: { type: ["number", "null"] }, f: {} };
    const valid = fc.record(
      {
        a: fc.oneof(fc.string(), fc.constantFrom("10", "true", "null", "[]", "{}")),
        b: fc.integer(),
        c: fc.boolean(),
        d: fc.array(fc.constantFrom("1", "false", "[1]")),
        e: fc.constantFrom(null, 0.5),
        f: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(valid, (given) => {
        const args: JsonObject = JSON.parse(JSON.stringify(given));
        expect(JSON.stringify(accepted({ parameters }, args))).toBe(JSON.stringify(args));
      }),
    );
  });
});

describe("whole numbers of 64 bits", () => {
  const sketch = { parameters: { id: { type: "integer", format: "int64", minimum: 5 } } };

  test.each<[string, JsonValue, JsonValue]>([
    ["digits that no number of JavaScript holds stay text", "9007199254740993", "9007199254740993"],
    ["so do the largest", "9223372036854775807", "9223372036854775807"],
    ["digits that a number holds become one", "9007199254740991", 9007199254740991],
    ["numbers stay what they are", 42, 42],
  ])("%s", (_what, given, read) => {
    expect(accepted(sketch, { id: given })).toEqual({ id: read });
  });

  test("lose no digit of a body that holds them as a number", () => {
    const body = parseJson('{"id": 9007199254740993}', 8);
    expect(accepted(sketch, body.ok ? body.value : null)).toEqual({ id: "9007199254740993" });
  });

  test("are asked for as text where they may have been rounded already", () => {
    expect(faults(sketch, { id: 2 ** 53 })).toEqual([
      {
        path: "/id",
        rule: "format",
        expected:
          'a whole number; one beyond 9007199254740991 as text, "9007199254740993", so that none of its digits is lost',
        got: "9007199254740992",
      },
    ]);
  });

  test.each<[JsonValue, string]>([
    ["9223372036854775808", "type"],
    ["-9223372036854775809", "type"],
    ["09007199254740993", "type"],
    ["9007199254740993.0", "type"],
    ["-9007199254740993", "minimum"],
  ])("%j is none, by %s", (given, rule) => {
    expect(faults(sketch, { id: given })).toMatchObject([{ path: "/id", rule }]);
  });
});

describe("a refusal of arguments", () => {
  const numbers = { parameters: { numbers: { type: "array", items: { type: "string" } } } };

  test.each([
    [29, 29, 0],
    [30, 30, 0],
    [31, 30, 1],
    [5_000, 30, 4_970],
  ])("for %d faults lists %d, and counts %d more", (wrong, listed, unlisted) => {
    const result = prepareArguments(prepared(numbers), { numbers: Array(wrong).fill(0) });
    if (result.ok || result.failure.code !== "INVALID_ARGUMENTS") throw new Error("not refused");
    expect(result.failure.faults).toHaveLength(listed);
    expect(result.failure.faults[0]).toMatchObject({ path: "/numbers/0", rule: "type" });
    expect(result.failure.unlisted).toBe(unlisted);
    expect(JSON.stringify(toWire(result.failure, "request-1")).length).toBeLessThan(20_000);
  });

  test("is short where the caller's own names are long, and cuts them between characters", () => {
    const open = { parameters: { table: { type: "object", additionalProperties: { type: "string" } } } };
    const table = Object.fromEntries(
      Array.from({ length: 40 }, (_, row) => [`${row}${"\u{1F600}".repeat(2_000)}`, 0]),
    );
    const [fault] = faults(open, { table });
    expect([...(fault?.path ?? "")]).toHaveLength(MAX_QUOTED_CHARACTERS);
    expect(fault?.path).toMatch(/^\/table\/0\u{1F600}+…$/u);
    const result = prepareArguments(prepared(open), { table });
    if (result.ok) throw new Error("accepted");
    expect(JSON.stringify(toWire(result.failure, "request-1")).length).toBeLessThan(60_000);
  });
});
