import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_EXPRESSION_CHARACTERS, MAX_PATTERN_INSTRUCTIONS } from "../../src/limits.ts";
import { compilePattern, PatternError } from "../../src/pattern/index.ts";

function faultOf(source: string): { message: string; offset: number } {
  try {
    compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return { message: error.message, offset: error.offset };
    throw error;
  }
  throw new Error(`${source} is a pattern`);
}

/** Patterns of RE2, texts that they match somewhere, and texts that they do not. */
const semantics: [string, string[], string[]][] = [
  ["", ["", "a"], []],
  ["abc", ["abc", "xabcx"], ["ab", "ac", "ABC"]],
  ["a.c", ["abc", "a潮c", "a😀c"], ["a\nc", "ac"]],
  ["(?s)a.c", ["a\nc"], ["ac"]],
  ["^a", ["ab"], ["ba", "b\na"]],
  ["a$", ["ba"], ["ab", "a\n"]],
  ["(?m)^a$", ["b\na\nc", "a"], ["ba", "ab\nba"]],
  ["\\Aa\\z", ["a"], ["a\n", "\na"]],
  ["(?m)\\Aa\\z", ["a"], ["b\na"]],
  ["a|b", ["a", "b"], ["c"]],
  ["a|", ["", "b"], []],
  ["^(a|bc)$", ["a", "bc"], ["abc", "b"]],
  ["^ab*$", ["a", "abbb"], ["b", "aba"]],
  ["^ab+$", ["ab"], ["a"]],
  ["^ab?$", ["a", "ab"], ["abb"]],
  ["^a{2}$", ["aa"], ["a", "aaa"]],
  ["^a{2,}$", ["aa", "aaaaa"], ["a"]],
  ["^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]],
  ["^a{0}b$", ["b"], ["ab"]],
  ["^a{,2}$", ["a{,2}"], ["aa"]],
  ["a{x", ["a{x"], ["ax"]],
  ["^a*?$", ["", "aa"], ["b"]],
  ["^(a+)+$", ["aaa"], ["aab"]],
  ["[abc]", ["b"], ["d"]],
  ["[^abc]", ["d", "\n"], ["abc", ""]],
  ["[a-c-]", ["b", "-"], ["d"]],
  ["[-a]", ["-", "a"], ["b"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[^]a]", ["b"], ["]", "a"]],
  ["[\\]\\\\]", ["]", "\\"], ["["]],
  ["[\\d.]", ["5", "."], ["a"]],
  ["[^\\W]", ["a"], ["-"]],
  ["[[:alpha:]]", ["a", "Z"], ["1", "é"]],
  ["[[:^digit:]]", ["a"], ["1"]],
  ["[[:blank:][:punct:]]", ["\t", "!"], ["a", "\n"]],
  ["^[[:xdigit:]]+$", ["0aF"], ["g"]],
  ["[汐-潮]", ["潮", "汐", "洋"], ["a"]],
  ["[😀-😂]", ["😁"], ["😃"]],
  ["\\d", ["5"], ["٥", "a"]],
  ["\\D", ["٥", "a"], ["5"]],
  ["\\w", ["a", "_"], ["é", "潮", "-"]],
  ["\\s", ["\t", "\n", "\r", "\f", " "], ["\v", "\u00A0"]],
  ["\\S", ["\v", "\u00A0"], [" "]],
  ["\\bab\\b", ["ab", "x ab y", "é ab"], ["xab", "ab_"]],
  ["\\Bb", ["ab"], ["b", " b"]],
  ["\\.\\*\\[\\$", [".*[$"], ["a*[$"]],
  ["\\x41\\x{1F600}", ["A😀"], ["A"]],
  ["\\t\\n\\r\\f\\v\\a", ["\t\n\r\f\v\u0007"], ["tnrfva"]],
  ["\\Qa.b*\\E+", ["a.b*", "a.b***"], ["axb*", "a.ba.b"]],
  ["^\\Qa.b", ["a.b"], ["axb"]],
  ["\\p{Han}", ["潮"], ["a", "あ"]],
  ["\\P{Han}", ["a"], ["潮"]],
  ["\\p{^Han}", ["a"], ["潮"]],
  ["\\pN", ["5", "٥", "Ⅷ"], ["a"]],
  ["\\p{Lu}[\\p{Ll}]", ["Éa"], ["éA"]],
  ["(?i)straße", ["STRAßE", "Straße"], ["STRASSE"]],
  ["(?i)s", ["S", "ſ"], ["ß"]],
  ["(?i)k", ["K", "\u212A"], ["c"]],
  ["(?i)\u212A", ["k", "K"], ["c"]],
  ["(?i)i", ["I"], ["İ", "ı"]],
  ["(?i)σ", ["ς", "Σ"], ["s"]],
  ["(?i)[a-c]", ["B"], ["D"]],
  ["(?i)[^a]", ["b"], ["A"]],
  ["(?i)潮", ["潮"], ["汐"]],
  ["a(?i)b", ["aB", "ab"], ["AB"]],
  ["(?i:a)b", ["Ab"], ["AB"]],
  ["(?i)a(?-i:b)c", ["AbC"], ["ABC"]],
  ["((?i)a)b", ["Ab"], ["AB"]],
  ["(?i-s)a.", ["Ab"], ["A\n"]],
  ["(?U)a+", ["aa"], ["b"]],
  ["(?P<year>\\d{4})-(?<month>\\d\\d)", ["2024-01"], ["24-01"]],
  ["(?:a|b)+c", ["abac"], ["ab"]],
  ["^*a", ["a", "ba"], ["b"]],
  ["(|a)+b", ["b", "aab"], ["a"]],
];

describe("a pattern means what it means in RE2", () => {
  test.each(semantics)("%j", (source, matching, others) => {
    const pattern = compilePattern(source);
    expect(matching.filter((text) => !pattern.test(text))).toEqual([]);
    expect(others.filter((text) => pattern.test(text))).toEqual([]);
  });

  test.each([
    ["(", "missing )", 0],
    ["a)", "unmatched )", 1],
    ["[a", "missing ]", 0],
    ["[]", "missing ]", 0],
    ["*a", "nothing to repeat", 0],
    ["a|+", "nothing to repeat", 2],
    ["(?:{2})", "nothing to repeat", 3],
    ["a**", "a repetition of a repetition", 0],
    ["a{2}{3}", "a repetition of a repetition", 0],
    ["a{2,1}", "a repetition goes from 0 to at most 1000", 1],
    ["a{1001}", "a repetition goes from 0 to at most 1000", 1],
    ["[b-a]", "a range that runs backwards", 1],
    ["[[:letters:]]", "there is no class [:letters:]", 1],
    ["a\\", "the pattern ends too early", 2],
    ["\\y", "there is no escape \\y (RE2)", 0],
    ["(a)\\1", "there is no escape \\1 (RE2)", 3],
    ["\\p{Klingon}", "there is no character property Klingon", 0],
    ["\\p", "a property is written \\pL or \\p{Han}", 0],
    ["\\x{110000}", "there is no character of this number", 0],
    ["a(?=b)", "look-around, back references and the like do not exist in this syntax (RE2)", 1],
    ["(?<!a)b", "look-around, back references and the like do not exist in this syntax (RE2)", 0],
    ["(?x)a", "look-around, back references and the like do not exist in this syntax (RE2)", 0],
    ["(".repeat(51), "groups are nested more than 50 deep", 50],
    [
      "((a{1000}){1000}){1000}",
      `the pattern needs more than ${MAX_PATTERN_INSTRUCTIONS} steps a character`,
      0,
    ],
    [
      `[${"\\p{Lu}".repeat(500)}]{4}`,
      `the pattern needs more than ${MAX_PATTERN_INSTRUCTIONS} steps a character`,
      0,
    ],
    [
      "a".repeat(MAX_EXPRESSION_CHARACTERS + 1),
      `a pattern has at most ${MAX_EXPRESSION_CHARACTERS} characters`,
      0,
    ],
  ])("%j is none, and says why and where", (source, message, offset) => {
    expect(faultOf(source)).toEqual({ message, offset });
  });
});

describe("a pattern takes steps in proportion to the text", () => {
  // A backtracking engine would try each way of cutting a hundred thousand letters into pieces.
  test.each([
    ["(a+)+$", `${"a".repeat(100_000)}b`, false],
    ["(a|a)*b", "a".repeat(100_000), false],
    ["(.*)*x", "a".repeat(100_000), false],
    ["(.*)*x", `${"a".repeat(100_000)}x`, true],
    ["(a?){500}a{500}$", "a".repeat(1_000), true],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
    ["(\\w+\\s?)*!$", `${"word ".repeat(20_000)}?`, false],
  ])("%s", (source, text, is) => {
    const pattern = compilePattern(source);
    expect(pattern.size).toBeLessThanOrEqual(MAX_PATTERN_INSTRUCTIONS);
    expect(pattern.test(text)).toBe(is);
  });

  test.each([
    ["a", 2],
    ["(a+)+$", 12],
    ["(a|a)*b", 8],
    ["a{3}", 4],
    ["a{2,4}", 7],
    ["[A-Za-z0-9._-]", 2],
    [`[${"\\p{Lu}".repeat(500)}]`, 501],
    [`[${"\\d".repeat(5)}]{3}`, 16],
    ["(?i)[\\d\\s]", 9],
    [`[${"a".repeat(800)}]`, 101],
    ["(){1000}", 1],
    ["((((){1000}){1000}){1000}){1000}", 1],
  ])("%s is a program of %i steps", (source, size) => {
    expect(compilePattern(source).size).toBe(size);
  });
});

describe("where RE2 and JavaScript mean the same, both find the same", () => {
  const letters = [..."ab1_- \n潮😀"];
  const character = fc.constantFrom(
    "a",
    "b",
    "1",
    "_",
    "-",
    " ",
    "\\n",
    "潮",
    "😀",
    ".",
    "\\d",
    "\\w",
    "\\D",
    "\\W",
    "[ab]",
    "[^a]",
    "[a-c1]",
    "[^\\d]",
    "[潮-😀]",
    "\\.",
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
    const part = tie("pattern");
    const group = part.map((inner) => `(?:${inner})`);
    const times = fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{0}");
    return {
      pattern: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        character,
        fc.constantFrom("^", "$", "\\b", "\\B", ""),
        fc.tuple(fc.oneof(character, group), times).map(([item, count]) => item + count),
        fc.tuple(part, part).map(([left, right]) => left + right),
        fc.tuple(part, part).map(([left, right]) => `(?:${left}|${right})`),
        part.map((inner) => `(${inner})`),
      ),
    };
  });
  const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });

  /** V8 looks for a `\B` between the halves of a character too, against ECMA-262. */
  const isMisread = (source: string, one: string) => source.includes("\\B") && one.includes("😀");

  test("in any text", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        fc.pre(!isMisread(source, texts.join("")));
        const ours = compilePattern(source);
        const theirs = new RegExp(source, "u");
        expect(texts.map((one) => ours.test(one))).toEqual(texts.map((one) => theirs.test(one)));
      }),
      { numRuns: 1_500 },
    );
  });

  test("with the flags i, m and s", () => {
    const flagged = fc.tuple(fc.subarray(["i", "m", "s"]), pattern);
    fc.assert(
      fc.property(flagged, text, ([flags, source], one) => {
        fc.pre(!isMisread(source, one));
        // Word characters are ASCII in RE2 whatever the flags; in JavaScript the flag i adds to them.
        fc.pre(!(flags.includes("i") && /\\[wWbB]/.test(source)));
        const ours = compilePattern(flags.length === 0 ? source : `(?${flags.join("")})${source}`);
        const upper = one.toUpperCase();
        expect([ours.test(one), ours.test(upper)]).toEqual(
          [one, upper].map((subject) => new RegExp(source, `u${flags.join("")}`).test(subject)),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("no text is a pattern that breaks anything", () => {
    const soup = fc
      .array(fc.constantFrom(..."()[]{}|*+?^$.\\-,:<>=!P01aipQEx".split("")), { maxLength: 20 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: "binary" })), text, (source, one) => {
        try {
          expect(typeof compilePattern(source).test(one)).toBe("boolean");
        } catch (error) {
          if (!(error instanceof PatternError)) throw error;
          expect(error.offset).toBeGreaterThanOrEqual(0);
          expect(error.offset).toBeLessThanOrEqual(source.length);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("the steps of a search", () => {
  const taken = (source: string, text: string): number => {
    const budget = { left: 1_000_000 };
    compilePattern(source).test(text, budget);
    return 1_000_000 - budget.left;
  };

  test("grow with the text, and with the states that are alive in it", () => {
    const text = "a".repeat(1_000);
    expect(taken("b", text + text) / taken("b", text)).toBeCloseTo(2, 1);
    expect(taken(`${"a?".repeat(50)}b`, text)).toBeGreaterThan(5 * taken("b", text));
  });

  test("are those up to where it matches", () => {
    expect(taken("a", "a".repeat(1_000))).toBe(taken("a", "a"));
  });

  test("end it where there are no more of them", () => {
    const budget = { left: 100 };
    expect(compilePattern("b").test(`${"a".repeat(1_000)}b`, budget)).toBe(false);
    expect(budget.left).toBeLessThan(0);
    expect(compilePattern("b").test(`${"a".repeat(1_000)}b`)).toBe(true);
  });
});
