import { describe, expect, test } from "vitest";
import { characterOf, plainText } from "../../../src/compile/prose/plain-text.ts";

describe("the text of a heading or a paragraph", () => {
  test.each([
    ["## C#", "C#"],
    ["## C# ##", "C#"],
    ["## a#b", "a#b"],
    ["#", ""],
    ["# 1. First", "1. First"],
    ["# - not a list", "- not a list"],
    ["Two\nlines\n===", "Two\nlines"],
    ["# **bold** and *it* and __so__", "bold and it and so"],
    ["# snake_case_name", "snake_case_name"],
    ["# the `code` and ``a`b``", "the code and a`b"],
    ["# [text](x.md 'title') ![alt](y.png)", "text alt"],
    ["# [![alt](y.png)](x.md)", "alt"],
    ["# <https://example.com/x> and <me@example.com>", "https://example.com/x and me@example.com"],
    ["# AT&amp;T &lt;b&gt; &#x2192; &unknown;", "AT&T <b> → &unknown;"],
    ["# \\*not\\* \\# a", "*not* # a"],
    ["# a <b>c</b> <!-- d --> e", "a c  e"],
    ["# values[0] and [Unreleased]", "values[0] and [Unreleased]"],
    ["# see [the text][Known], [known][] and [known]", "see the text, known and known"],
    ["# see [the text][unknown]", "see [the text][unknown]"],
    ["# 天气 **预报** 😀", "天气 预报 😀"],
    ["first *line*\nsecond", "first line\nsecond"],
    ["hard break  \nsecond", "hard break\nsecond"],
  ])("%j is %j", (block, plain) => {
    expect(plainText(block, new Set(["KNOWN"]))).toBe(plain);
  });

  test("is taken from the beginning of a block that is long", () => {
    expect(plainText(`*${"a".repeat(100_000)}*`, new Set()).length).toBeLessThan(1_000);
  });

  test.each([
    ["&amp;", "&"],
    ["&#33;", "!"],
    ["&#X1F600;", "😀"],
    ["&#0;", "\uFFFD"],
    ["&#x110000;", "\uFFFD"],
    ["&constructor;", "&constructor;"],
  ])("%s stands for %s", (reference, character) => {
    expect(characterOf(reference)).toBe(character);
  });
});
