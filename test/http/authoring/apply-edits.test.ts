import { describe, expect, test } from "vitest";
import { applyEdits } from "../../../src/http/authoring/apply-edits.ts";
import { MAX_SKILL_BYTES } from "../../../src/limits.ts";

function edit(find: string, replace: string, all = false) {
  return { find, replace, all };
}

describe("edits", () => {
  test.each([
    ["replace a text", "a b c", [edit("b", "B")], "a B c"],
    ["are made in what the ones before made", "a", [edit("a", "b"), edit("b", "c")], "c"],
    ["replace every one where all are meant", "x y x", [edit("x", "z", true)], "z y z"],
    ["take a text by its letters, not as a pattern", "a.c abc", [edit("a.c", "$&$1")], "$&$1 abc"],
    ["may remove", "价格：旧\n", [edit("：旧", "")], "价格\n"],
    ["count texts that do not lie over each other", "aaa", [edit("aaa", "b")], "b"],
  ])("%s", (_what, document, edits, expected) => {
    expect(applyEdits(document, edits)).toEqual({ ok: true, value: expected });
  });

  test.each([
    ["absent", "a b", [edit("c", "d")], 0],
    ["ambiguous", "a a", [edit("a", "b")], 0],
    ["absent", "a b", [edit("a", "b"), edit("a", "c")], 1],
    ["ambiguous", "aaa", [edit("aa", "b")], 0],
    ["absent", "线\r\n", [edit("线\n", "c")], 0],
  ])("are refused where a text is %s in %j", (rule, document, edits, index) => {
    expect(applyEdits(document, edits)).toMatchObject({
      ok: false,
      failure: { code: "INVALID_REQUEST", faults: [{ path: `/edits/${index}/find`, rule }] },
    });
  });

  test("are refused before they make more than memory holds", () => {
    const document = "a".repeat(MAX_SKILL_BYTES);
    expect(applyEdits(document, [edit("a", document, true)])).toMatchObject({
      failure: { code: "PAYLOAD_TOO_LARGE" },
    });
  });

  test("are refused where they make more than a skill may be", () => {
    const large = "x".repeat(MAX_SKILL_BYTES - 1);
    expect(applyEdits("ab", [edit("a", large), edit("b", "ccc")])).toMatchObject({
      failure: { code: "PAYLOAD_TOO_LARGE" },
    });
  });
});
