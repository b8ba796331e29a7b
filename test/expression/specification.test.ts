/**
 * The engine held against CEL's specification (cel-spec, doc/langdef.md) in what skills use. The second half pins the
 * departures that stay; `src/expression/environment.ts` lists them.
 */
import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/expression/index.ts";
import type { JsonValue } from "../../src/json.ts";
import { reasonOf, resultOf, SCOPE } from "./computed.ts";

const faultOf = (source: string): string | undefined => {
  const compilation = compileExpression(source, SCOPE);
  return compilation.ok ? undefined : compilation.faults[0]?.message;
};

describe("numbers", () => {
  test.each<[string, JsonValue]>([
    ["7 / -2", -3],
    ["-7 / 2", -3],
    ["-7 % 3", -1],
    ["7 % -3", 1],
    ["-9223372036854775808", "-9223372036854775808"],
    ["18446744073709551615u", "18446744073709551615"],
    ["0xff", 255],
    ["1e3", 1000],
    ["int(-1.9)", -1],
    ["int('-5')", -5],
    ["int(5u)", 5],
    ["double('1e3')", 1000],
    ["double('.5')", 0.5],
    ["string(1.0)", "1"],
    ["string(1e21)", "1e+21"],
    ["string(0.0 / 0.0)", "NaN"],
    ["string(-1.0 / 0.0)", "-Inf"],
    ["0.0 / 0.0 == 0.0 / 0.0", false],
    ["0.0 / 0.0 != 0.0 / 0.0", true],
    ["1u < 2.5 && dyn(1) < 2.5 && 2 > 1.5", true],
    ["dyn(1) == 1.0 && dyn(1) == dyn(1u)", true],
  ])("%s", (source, value) => {
    expect(resultOf(source)).toBe(value);
  });

  test.each([
    ["-(-9223372036854775807 - 1)", "a whole number has at most 64 bits"],
    ["(-9223372036854775807 - 1) / -1", "a whole number has at most 64 bits"],
    ["9223372036854775807 * 2", "integer overflow: 18446744073709551614"],
    ["int(9.9e18)", "a whole number has at most 64 bits"],
    ["int(0.0 / 0.0)", "NaN is not a whole number"],
    ["int('9223372036854775808')", "a whole number has at most 64 bits"],
    ["int('')", '"" is not a whole number'],
    ["int('0x10')", '"0x10" is not a whole number'],
    ["int('1.5')", '"1.5" is not a whole number'],
    ["double('0x10')", '"0x10" is not a number'],
    ["double('')", '"" is not a number'],
    ["1u - 2u", "Unsigned integer overflow"],
    ["1 / 0", "division by zero"],
    ["1 % 0", "modulo by zero"],
    ["1u / 0u", "division by zero"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });

  test("a literal beyond 64 bits is refused", () => {
    expect(faultOf("1 + 9223372036854775809")).toBe("a whole number has at most 64 bits");
    expect(faultOf("18446744073709551616u")).toBe("Invalid integer: 18446744073709551616");
  });
});

describe("texts and bytes", () => {
  test.each<[string, JsonValue]>([
    ["'\\u00e9\\U0001F600\\x41\\101\\n\\t\\?\\`\\\\'", "é😀AA\n\t?`\\"],
    ["r'\\d\\n'", "\\d\\n"],
    ["'''a\n'b'''", "a\n'b"],
    ["b'\\xff\\377'", "//8="],
    ["bytes('潮')", "5r2u"],
    ["string(bytes('潮'))", "潮"],
    ["size(bytes('潮')) == 3 && size('潮') == 1 && size('e\\u0301') == 2", true],
    ["bytes('{\"a\": [1]}').json()", { a: [1] }],
    ["bytes('{\"constructor\": 1}').json().constructor", 1],
  ])("%s", (source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test.each([
    ["'\\q'", "Invalid escape sequence: \\q"],
    ["'\\ud83d'", "Invalid Unicode surrogate: \\ud83d"],
    ["'\\08'", "Octal escape must be 3 digits"],
    ["b'潮'", 'bytes beyond ASCII are written as bytes("…")'],
  ])("%s is refused", (source, message) => {
    expect(faultOf(source)).toBe(message);
  });

  test.each([
    ["bytes('[1]').json()", "the bytes are JSON, but no object"],
    ["bytes('{').json()", "the bytes are not JSON"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });
});

describe("maps, lists and null", () => {
  test.each<[string, JsonValue]>([
    ["'a' in {'a': null}", true],
    ["1 in {1: 'a'} && !(2 in {1: 'a'})", true],
    ["2 in [1, 2.0] && dyn('a') in ['a']", true],
    ["{true: 1}[true]", 1],
    ["{1u: 2}[1u]", 2],
    ["{'a': null}.a == null", true],
    ["has(options.a) && !has(options.zz)", true],
    ["null == null", true],
    ["dyn(null) == 1 || dyn('a') == 1 || dyn([1]) == dyn({'a': 1})", false],
    ["[1, [2]] == [1, [2]] && {'a': [1]} == {'a': [1]}", true],
    ["dyn([1]) == dyn([1.0]) && dyn({'a': 1}) == dyn({'a': 1.0})", true],
    ["[0.0 / 0.0] == [0.0 / 0.0]", false],
    ["type(1) == int && type(null) == null_type && type([]) == list", true],
    ["[1, 2, 2].exists_one(x, x == 2)", false],
    ["[1, 0].all(x, 1 / x == 2)", false],
    ["[1, 0].exists(x, 1 / x == 1)", true],
    ["[].all(x, false) && ![].exists(x, true)", true],
    ["{'a': 1}.filter(k, true)", ["a"]],
    ["1 / 0 == 1 && false", false],
    ["true ? 1 : 1 / 0", 1],
  ])("%s", (source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test.each([
    ["[1, 0].exists_one(x, 1 / x == 1)", "division by zero"],
    ["has(args.zz.b)", "No such key: zz"],
    ["1 / 0 == 1 || false", "division by zero"],
    ["[1, 2, 3][-1]", "No such key: index out of bounds, index -1 < 0"],
    ["dyn('a') ? 1 : 2", "Ternary condition must be bool, got 'string'"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });

  test.each([
    ["{'a': 1, 'a': 2}", "the key a stands in this map twice"],
    ["symbol == null", "no such overload: string == null"],
    ["[1] == ['a']", "no such overload: list<int> == list<string>"],
    ["null < 1", "no such overload: null < int"],
    ["[1] < [2]", "no such overload: list<int> < list<int>"],
    ["'1' in {1: 'a'}", "no such overload: string in map<int, string>"],
    ["[1].all(x, x)", "all(var, predicate) predicate must return bool, got 'int'"],
    ["[1].map(1, 1)", "map(var, transform) invalid predicate iteration variable"],
    ["[1].sortBy(1, 1)", "sortBy takes the name of an element first"],
    ["[1].sortBy(x, y)", "there is no y here"],
  ])("%s is refused", (source, message) => {
    expect(faultOf(source)).toBe(message);
  });
});

describe("optional values", () => {
  test.each<[string, JsonValue]>([
    ["options.?a.orValue(5)", 1],
    ["options.?zz.orValue(5)", 5],
    ["options[?'zz'].hasValue()", false],
    ["tags[?9].orValue('none')", "none"],
    ["options.?zz.?deep.orValue('none')", "none"],
    ["{'a': {'b': 1}}.?a.b.value()", 1],
    ["optional.of(1).or(optional.of(2)).value()", 1],
    ["optional.none().or(optional.of(2)).value()", 2],
    ["optional.of(null).hasValue()", true],
    ["options.?zz", null],
  ])("%s", (source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test("one that is none has no value", () => {
    expect(reasonOf("options.?zz.value()")).toBe("Optional value is not present");
  });
});

describe("a departure that stays", () => {
  test.each<[string, string, JsonValue]>([
    ["times have milliseconds", "timestamp('2024-01-01T00:00:00.123456Z')", "2024-01-01T00:00:00.123Z"],
    ["all milliseconds of a duration", "duration('1.5s').getMilliseconds()", 1500],
    ["small numbers as text", "string(1e-7)", "1e-7"],
    ["large numbers as text", "string(123456789.0)", "123456789"],
    ["minus nothing as text", "string(-0.0)", "0"],
    ["what is no UTF-8", "string(b'\\xff')", "\uFFFD"],
    ["decimal keys", "{1.5: 1}", { "1.5": 1 }],
    ["a text for a number as key", "{1: 'a'}[dyn('1')]", "a"],
    ["whole and decimal numbers mix", "1 + 2.5 == 3.5 && 1 == 1.0", true],
    ["trimming leaves U+0085", "'\\u0085a\\ufeff'.trim()", "\u0085a"],
  ])("%s", (_case, source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test.each([
    ["has of a literal", "has({'a': 1}.a)", "has() invalid argument"],
    ["numbers that begin with a point", ".5", "Unexpected token: DOT"],
    ["loops over two variables", "[1].all(i, v, v > 0)", "there is no i here"],
    ["optMap", "optional.of(1).optMap(x, x)", "there is no x here"],
    ["optional elements", "[?optional.of(1)]", "Unexpected token: QUESTION"],
    [
      "equal optional values",
      "optional.of(1) == optional.of(1)",
      "no such overload: optional<int> == optional<int>",
    ],
    ["an order of bytes", "b'a' < b'b'", "no such overload: bytes < bytes"],
  ])("there is no: %s", (_case, source, message) => {
    expect(faultOf(source)).toBe(message);
  });
});
