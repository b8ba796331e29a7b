import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../src/json.ts";
import { isNumberInText, parseJson } from "../src/parse-json.ts";

describe("numbers are never rounded in silence", () => {
  test.each<[string, string, JsonValue]>([
    ["an identifier", '{"id":1915000000000000001}', { id: "1915000000000000001" }],
    ["alone", "1915000000000000001", "1915000000000000001"],
    ["negative", "[-1915000000000000001]", ["-1915000000000000001"]],
    ["the first unsafe integer", "[9007199254740992]", ["9007199254740992"]],
    ["the last safe integer", "[9007199254740991,-9007199254740991]", [9007199254740991, -9007199254740991]],
    ["beside others", '{"a":[1, 12345678901234567890, 2.5]}', { a: [1, "12345678901234567890", 2.5] }],
    ["after line breaks", '{"a":\n\t12345678901234567890}', { a: "12345678901234567890" }],
    ["with decimals", "[12345678901234567.25]", ["12345678901234567.25"]],
    ["with a decimal that a double holds", "[1234567890123456.5]", [1234567890123456.5]],
    ["out of a double's range", "[1e400,-1E+999]", ["1e400", "-1E+999"]],
    ["in scientific notation", "[1e20,1.5e300]", [1e20, 1.5e300]],
    ["many decimals of a small number", "[0.12345678901234567890]", [0.12345678901234568]],
    ["digits in a string", '{"a":"x: 12345678901234567890","b":1}', { a: "x: 12345678901234567890", b: 1 }],
    [
      "a key of digits",
      '{"12345678901234567890":12345678901234567890}',
      { "12345678901234567890": "12345678901234567890" },
    ],
  ])("%s", (_name, text, value) => {
    expect(parseJson(text, 10)).toEqual({ ok: true, value });
  });

  test("any integer comes back as itself, in digits where a double cannot hold it", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
        const exact = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer.toString();
        expect(parseJson(`{"a":[${integer}]}`, 10)).toEqual({ ok: true, value: { a: [exact] } });
      }),
    );
  });
});

describe("a number kept as text is known for one", () => {
  test.each<[string, boolean]>([
    ["9007199254740992", true],
    ["-12345678901234567.25", true],
    ["1e400", true],
    ["9007199254740991", false],
    ["1e20", false],
    ["0.12345678901234567890", false],
    ["009007199254740992", false],
    ["9007199254740992 ", false],
    ["NaN", false],
    ["Infinity", false],
    ["", false],
  ])("%j: %j", (text, isKept) => {
    expect(isNumberInText(text)).toBe(isKept);
  });

  test("so are exactly those that parsing keeps", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true }), fc.bigInt()), (number) => {
        const text = String(number).replace("Infinity", "1e999");
        expect(parseJson(text, 0)).toEqual({ ok: true, value: isNumberInText(text) ? text : Number(text) });
      }),
    );
  });
});

describe("text is always well-formed", () => {
  test.each<[string, string, JsonValue]>([
    ["a lone high surrogate", '"a\\ud83dz"', "a\ufffdz"],
    ["a lone low surrogate", '"\\uDE00"', "\ufffd"],
    ["a whole pair stays", '"\\ud83d\\ude00"', "😀"],
    ["a half before a whole pair", '"\\ud83d\\ud83d\\ude00"', "\ufffd😀"],
    ["in a key", '{"\\ud83d":1}', { "\ufffd": 1 }],
    ["an escaped backslash is not an escape", '"\\\\ud83d"', "\\ud83d"],
    ["a backslash, then an escape", '"\\\\\\ud83d"', "\\\ufffd"],
  ])("%s", (_name, text, value) => {
    expect(parseJson(text, 10)).toEqual({ ok: true, value });
  });

  test("whatever units a string was escaped from, it comes back as its well-formed self", () => {
    const anyUnits = fc
      .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7fe, max: 0xe001 })))
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(parseJson(JSON.stringify([text]), 10)).toEqual({ ok: true, value: [text.toWellFormed()] });
      }),
      { numRuns: 500 },
    );
  });
});

test("JSON without such things is what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const result = parseJson(text, 10);
      // Where the two differ, every difference is a number kept as its text.
      if (result.ok && !/\d{16}|[eE]\+?\d{3}/.test(text)) expect(result.value).toEqual(JSON.parse(text));
      expect(result.ok).toBe(true);
    }),
  );
});
