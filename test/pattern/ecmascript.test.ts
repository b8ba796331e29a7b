import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backtracksLittle, compilePattern, PatternError } from "../../src/pattern/index.ts";

/** Where ECMA-262 in Unicode mode and RE2 differ, and what only the first has: patterns and texts. */
const differences: [string, string[]][] = [
  ["^\\s$", [" ", "\v", "\u00A0", "\uFEFF", "\u3000", "\u2028", "a", ""]],
  ["^\\S$", ["\v", "\u00A0", "潮"]],
  ["^.$", ["a", "\n", "\r", "\u2028", "\u2029", "\u0085", "😀"]],
  ["[]", ["", "a", "]"]],
  ["a[^]b", ["a\nb", "a😀b", "ab"]],
  ["^[[:alpha:]$", ["[", ":", "a", "z"]],
  ["^\\u6F6E[\\u4e00-\\u9fff]$", ["潮汐", "潮a"]],
  ["^\\u{1F600}$", ["😀", "u"]],
  ["^\\uD83D\\uDE00$", ["😀", "\uD83D", "\uDE00"]],
  ["^[\\uD83D\\uDE00-\\uD83D\\uDE02]$", ["😁", "😃", "\uD83D"]],
  ["^\\uD83D$", ["\uD83D", "😀"]],
  ["^\\cJ\\0[\\b]$", ["\n\0\b", "J0b"]],
  ["^\\p{Script=Han}+$", ["潮汐", "a"]],
  ["^\\p{General_Category=Uppercase_Letter}$", ["A", "a"]],
  ["^\\P{L}[^\\p{L}]$", ["1-", "aa"]],
  ["^[a-z\\-\\].\\/]+$", ["a-].", "a/", "A"]],
  ["^[+--][a-]$", [",-", "+a", "aa"]],
  ["^(?<year>\\d{4})(?:-\\d\\d){2}$", ["2024-01-01", "2024-01"]],
  ["\\bword\\B", ["words", "word"]],
  ["^a{2,}?b??$", ["aa", "ab", "aab"]],
  ["$^|\\x41", ["", "A", "a"]],
];

describe("patterns of JSON Schema mean what RegExp makes of them", () => {
  test.each(differences)("%s", (source, texts) => {
    const ours = compilePattern(source, "ecmascript");
    const theirs = new RegExp(source, "u");
    expect(texts.map((text) => ours.test(text))).toEqual(texts.map((text) => theirs.test(text)));
  });

  test.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "(?i:a)",
    "(?-i:a)",
    "a{1001}",
    "a{00000000000000001}",
    "(?:a{1000}){3}",
  ])("or are refused: %s", (source) => {
    expect(() => new RegExp(source, "u")).not.toThrow();
    expect(() => compilePattern(source, "ecmascript")).toThrow(PatternError);
  });

  test("whatever pieces they are made of", () => {
    const pieces =
      "a - ] [ ^ [^ ( (?: ) | * + ? {2} {1,3} . $ \\b \\B \\d \\s \\S \\w \\W \\] \\- \\u0061 \\u{2028} \\p{L} \\P{L} \\0 \\cJ [a-z] []".split(
        " ",
      );
    const source = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(""));
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "-", "]", "\n", "\u2028", "\u00A0", "潮", "\0"),
      maxLength: 6,
    });
    let compared = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 3, maxLength: 6 }), (pattern, texts) => {
        const theirs = validOrNull(pattern);
        if (theirs === null) return;
        const ours = compilePattern(pattern, "ecmascript");
        compared++;
        expect(texts.map((one) => ours.test(one))).toEqual(texts.map((one) => theirs.test(one)));
      }),
      { numRuns: 5_000 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});

function validOrNull(source: string): RegExp | null {
  try {
    return new RegExp(source, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

describe("a pattern that only RegExp can be given", () => {
  test.each([
    "^x-",
    "^[a-z]+$",
    "^x-(?:a|b)-[a-z]*$",
    "abc",
    "^a{1,63}$",
    "^\\d{4}-\\d{2}$",
    "^(?:ab)+$",
    "^\\p{L}+$",
    "",
  ])("is plain enough: %s", (source) => {
    expect(backtracksLittle(source)).toBe(true);
  });

  test.each([
    "^(a+)+$",
    "^(a|a)*$",
    "^a*a*$",
    "^a{0,9}a*$",
    "^a?b?$",
    "^(?:(?:){1000}){1000}$",
    "a*b",
    "^a|b*c",
    "^(a?){50}$",
    "(a|a)".repeat(20),
    "^(?:(?:a|b){9}){9}$",
    "^(?!a)",
  ])("is not: %s", (source) => {
    expect(backtracksLittle(source)).toBe(false);
  });
});
