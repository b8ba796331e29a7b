import { describe, expect, test } from "vitest";
import { promptText, renderPrompt } from "../../../src/invoke/plan/prompt.ts";
import type { PromptPart } from "../../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { MAX_PROMPT_CHARACTERS } from "../../../src/limits.ts";

describe("a value within a prompt", () => {
  test.each<[JsonValue, string]>([
    [null, ""],
    ["贵州茅台 ${x} {y}", "贵州茅台 ${x} {y}"],
    ["", ""],
    [true, "true"],
    [0, "0"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [1e21, "1000000000000000000000"],
    [1.25e22, "12500000000000000000000"],
    [1e-7, "0.0000001"],
    [-1.5e-9, "-0.0000000015"],
    [[], ""],
    [["NVDA", "AAPL"], "NVDA, AAPL"],
    [[1, null, 2.5, false], "1, 2.5, false"],
    [[["a"], "b"], '[["a"],"b"]'],
    [[{ a: 1 }], '[{"a":1}]'],
    [{ a: [1, "二"] }, '{"a":[1,"二"]}'],
    [{}, "{}"],
  ])("%j reads %j", (value, text) => {
    expect(promptText(value)).toBe(text);
  });
});

const PARTS: PromptPart[] = [
  "Explain ",
  { parameter: "symbol" },
  "'s move.",
  { clause: "period", pieces: [" Over ", { parameter: "period" }, "."] },
  { clause: "focus", pieces: [" 关注：", { parameter: "focus" }, " (", { parameter: "symbol" }, ")"] },
];

function rendered(args: JsonObject, parts = PARTS): string {
  const result = renderPrompt(parts, args);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

describe("a prompt", () => {
  test.each<[string, JsonObject, string]>([
    [
      "is whole with all of its clauses",
      { symbol: "NVDA", period: "2d", focus: ["量", "价"] },
      "Explain NVDA's move. Over 2d. 关注：量, 价 (NVDA)",
    ],
    ["leaves out the clause of a parameter that was not given", { symbol: "NVDA" }, "Explain NVDA's move."],
    [
      "leaves out the clause of null, of an empty text and of an empty list",
      { symbol: "N", period: null, focus: [] },
      "Explain N's move.",
    ],
    ["leaves out the clause of an empty text", { symbol: "N", period: "" }, "Explain N's move."],
    [
      "keeps the clause of 0 and of false",
      { symbol: "N", period: 0, focus: false },
      "Explain N's move. Over 0. 关注：false (N)",
    ],
    [
      "never takes what an argument contains for a placeholder",
      { symbol: "{period} ${1 + 1}", period: "$&" },
      "Explain {period} ${1 + 1}'s move. Over $&.",
    ],
    ["knows no parameter but those that were given", {}, "Explain 's move."],
  ])("%s", (_what, args, text) => {
    expect(rendered(args)).toBe(text);
  });

  test("names no member of an object's prototype", () => {
    expect(rendered({}, [{ parameter: "constructor" }, { clause: "toString", pieces: ["never"] }])).toBe("");
  });

  test("has an end, however often a long argument stands in it", () => {
    const parts: PromptPart[] = Array.from({ length: 1_000 }, () => ({ parameter: "text" }));
    expect(renderPrompt(parts, { text: "x".repeat(10_000) })).toEqual({
      ok: false,
      reason: `the prompt has more than ${MAX_PROMPT_CHARACTERS} characters`,
    });
  });
});
