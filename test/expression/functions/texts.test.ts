import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/json.ts";
import { reasonOf, resultOf } from "../computed.ts";

const values = { symbol: "潮汐😀abc" };

describe("a function of texts counts characters", () => {
  test.each<[string, JsonValue]>([
    ["size(symbol)", 6],
    ["symbol.charAt(2)", "😀"],
    ["symbol.charAt(6)", ""],
    ["symbol.substring(2)", "😀abc"],
    ["symbol.substring(2, 4)", "😀a"],
    ["symbol.substring(6)", ""],
    ["symbol.indexOf('a')", 3],
    ["symbol.indexOf('😀', 2)", 2],
    ["symbol.indexOf('😀', 3)", -1],
    ["symbol.indexOf('a', 99)", -1],
    ["symbol.indexOf('')", 0],
    ["symbol.indexOf('', 2)", 2],
    ["symbol.lastIndexOf('c')", 5],
    ["symbol.lastIndexOf('潮', 0)", 0],
    ["symbol.lastIndexOf('c', 4)", -1],
    ["symbol.lastIndexOf('')", 6],
    ["'a-a-a'.lastIndexOf('a', 3)", 2],
    ["symbol.split('')", ["潮", "汐", "😀", "a", "b", "c"]],
    ["symbol.split('', 2)", ["潮", "汐😀abc"]],
    ["'a,b,c'.split(',')", ["a", "b", "c"]],
    ["'a,b,c'.split(',', 2)", ["a", "b,c"]],
    ["'a,b,c'.split(',', 1)", ["a,b,c"]],
    ["'a,b,c'.split(',', 0)", []],
    ["'a,b,c'.split(',', -1)", ["a", "b", "c"]],
    ["''.split(',')", [""]],
    ["symbol.replace('😀', '-')", "潮汐-abc"],
    ["'a-b-c'.replace('-', '', 1)", "ab-c"],
    ["'a-b-c'.replace('-', '+', 0)", "a-b-c"],
    ["'a-b'.replace('-', '$&')", "a$&b"],
    ["'潮😀'.replace('', '-')", "-潮-😀-"],
    ["'潮😀'.replace('', '-', 2)", "-潮-😀"],
    ["symbol.reverse()", "cba😀汐潮"],
    ["'ÀBc'.lowerAscii()", "Àbc"],
    ["'straße'.upperAscii()", "STRAßE"],
    ["' \\u3000潮 \\n'.trim()", "潮"],
    ["symbol.contains('😀a')", true],
    ["'abcdefghijk'.contains('cdefghijk')", true],
    ["'abcdefghijk'.contains('cdefghijx')", false],
    ["['潮', '😀'].join('、')", "潮、😀"],
    ["['！', '😀', '潮'].sort()", ["潮", "！", "😀"]],
    ["'😀' > '！' && '！' >= '！' && '！' < '😀' && '！' <= '😀'", true],
  ])("%s", (source, value) => {
    expect(resultOf(source, values)).toEqual(value);
  });

  test.each([
    ["symbol.charAt(7)", "a text of 6 characters has none at 7"],
    ["symbol.charAt(-1)", "a text of 6 characters has none at -1"],
    ["symbol.substring(7)", "a text of 6 characters has none from 7 to 6"],
    ["symbol.substring(3, 2)", "a text of 6 characters has none from 3 to 2"],
    ["symbol.substring(0, 7)", "a text of 6 characters has none from 0 to 7"],
    ["symbol.indexOf('a', -1)", "-1 is not a position in a text"],
    ["symbol.lastIndexOf('a', -1)", "-1 is not a position in a text"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source, values)).toBe(reason);
  });
});

describe("a format", () => {
  test.each<[string, JsonValue]>([
    ["'%s is %d'.format([symbol, 3])", "潮汐😀abc is 3"],
    ["'%d of %d'.format([args.n, 4u])", "2 of 4"],
    ["'%.2f %f'.format([2.005, 3])", "2.00 3.000000"],
    ["'%.3e %e'.format([12345.678, 1.0])", "1.235e+04 1.000000e+00"],
    ["'%x %X %o %b'.format([255, 255, 8, 5])", "ff FF 10 101"],
    ["'100%% %s %s'.format([true, null])", "100% true null"],
    ["'%s %s'.format([timestamp(0), duration('90s')])", "1970-01-01T00:00:00Z 90s"],
    ["'none'.format([])", "none"],
    ["'%s'.format(['%s'])", "%s"],
  ])("%s", (source, value) => {
    expect(resultOf(source, { ...values, args: { n: 2 } })).toBe(value);
  });

  test.each([
    ["'%s %s'.format([1])", "there is no value for %s"],
    ["'%s'.format([1, 2])", "of 2 values the format takes 1"],
    ["'%d'.format([1.5])", "%d takes a whole number"],
    ["'%f'.format(['a'])", "%f takes a whole number"],
    ["'%s'.format([[1]])", "%s takes a single value"],
    ["'%q'.format([1])", "there is no %q in a format"],
    ["'%.200f'.format([1])", "%.200f has more than 100 digits"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });
});

describe("searching finds what the platform finds", () => {
  /** Texts that repeat themselves, in which a search has to step back. */
  const row = (most: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength: most });
  const law = (source: string, expected: (text: string, part: string) => JsonValue) =>
    fc.assert(
      fc.property(row(60), row(14), (text, part) => {
        expect(resultOf(source, { args: { text, part } })).toEqual(expected(text, part));
      }),
      { numRuns: 300 },
    );
  test("first", () => law("args.text.indexOf(args.part)", (text, part) => text.indexOf(part)));
  test("last", () => law("args.text.lastIndexOf(args.part)", (text, part) => text.lastIndexOf(part)));
  test("anywhere", () => law("args.text.contains(args.part)", (text, part) => text.includes(part)));
  test("cutting", () => law("args.text.split(args.part)", (text, part) => text.split(part)));
  test("and putting together again", () => law("args.text.split(args.part).join(args.part)", (text) => text));
  test("replacing", () =>
    law("args.text.replace(args.part, 'c')", (text, part) => text.replaceAll(part, "c")));
});
