import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionTokens, tokensOf } from "../../src/search/tokens.ts";

describe("the tokens of a text", () => {
  test.each<[string, string, string[]]>([
    ["are its words in small letters", "Order Book, depth", ["order", "book", "depth"]],
    ["are the words of a name", "get_realtime-price.v2", ["get", "realtime", "price", "v2"]],
    ["are a word that is put together and its parts", "TickDB", ["tickdb", "tick", "db"]],
    ["are pairs of Chinese characters", "实时行情", ["实时", "时行", "行情"]],
    ["keep a single one", "A股", ["a", "股"]],
    ["do not reach over a sign between", "报价，行情", ["报价", "行情"]],
    ["are pairs in Japanese and Korean too", "データ 각각", ["デー", "ータ", "각각"]],
    ["are the same in any width", "ＯＨＬＣＶ ﾃﾞｰﾀ", ["ohlcv", "デー", "ータ"]],
    ["are the same in any composition", "cafe\u0301 각".normalize("NFD"), ["café", "각"]],
    ["are singular", "options strategies prices", ["option", "strategy", "price"]],
    [
      "keep words that only look like plurals",
      "basis loss status gas 10s",
      ["basis", "loss", "status", "gas", "10s"],
    ],
    ["are none of signs alone", "— … 😀", []],
  ])("%s", (_what, text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  test("are the same however it is composed, and none of them is empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const tokens = tokensOf(text);
        for (const form of ["NFC", "NFD", "NFKC", "NFKD"])
          expect(tokensOf(text.normalize(form))).toEqual(tokens);
        expect(tokens).not.toContain("");
      }),
    );
  });
});

describe("the tokens of a question", () => {
  test.each<[string, string, string[]]>([
    [
      "leave out what any question has",
      "What does this price of gold mean to us?",
      ["price", "gold", "mean"],
    ],
    ["also in Chinese", "请问怎么查黄金的价格呢", ["查黄", "黄金", "价格"]],
    ["are all there are where nothing else is left", "what is this", ["what", "is", "this"]],
  ])("%s", (_what, question, tokens) => {
    expect(questionTokens(question)).toEqual(tokens);
  });
});
