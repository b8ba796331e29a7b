import { describe, expect, test } from "vitest";
import { type Diagnostic, plainPaint, renderDiagnostic } from "../../src/compile/index.ts";

function diagnostic(
  excerpt: string,
  column: number,
  endColumn: number,
  rest: Partial<Diagnostic> = {},
): Diagnostic {
  return {
    code: "wrong-type",
    severity: "error",
    file: "SKILL.md",
    line: 7,
    column,
    endColumn,
    message: "this is wrong",
    fix: null,
    edits: [],
    excerpt,
    ...rest,
  };
}

/** The two lines that show the source: the line, and the marks under it, without the gutter. */
function drawn(excerpt: string, column: number, endColumn: number): string[] {
  const [, shown = "", marks = ""] = renderDiagnostic(diagnostic(excerpt, column, endColumn)).split("\n");
  return [shown.slice("  7 | ".length), marks.slice("  7 | ".length)];
}

describe("a drawn diagnostic", () => {
  test("has the place, the message, the line with marks, and the fix", () => {
    const text = renderDiagnostic(diagnostic("name: Tide", 7, 11, { line: 12, fix: "name: tide" }));
    expect(text).toBe(
      [
        "SKILL.md:12:7: error[wrong-type]: this is wrong",
        "  12 | name: Tide",
        "     |       ^^^^",
        "     = fix: name: tide",
      ].join("\n"),
    );
  });

  // On a terminal an East Asian character takes two cells, so marks under it and blanks before them are doubled.
  test.each([
    ["plain text", "name: tide", 7, 11, "      ^^^^"],
    ["behind Chinese", "名称：tide", 4, 8, "      ^^^^"],
    ["under Chinese", "name: 潮汐表", 7, 10, "      ^^^^^^"],
    ["behind Korean and Japanese", "각かな x", 5, 6, "       ^"],
    ["behind characters beyond the basic plane", "𠮷𠮷x", 3, 4, "    ^"],
    ["behind an emoji", "🌊x", 2, 3, "  ^"],
    ["behind a text symbol that may be an emoji", "©x", 2, 3, " ^"],
    ["behind a combining accent", "e\u0301x", 3, 4, " ^"],
    ["behind full-width punctuation", "（x", 2, 3, "  ^"],
    ["behind a tab, which is drawn as one blank", "\tx", 2, 3, " ^"],
    ["at the end of the line", "name:", 6, 7, "     ^"],
  ])("marks the right cells %s", (_case, excerpt, column, endColumn, marks) => {
    expect(drawn(excerpt, column, endColumn)[1]).toBe(marks);
  });

  test.each([
    ["near the beginning", 3, 5],
    ["in the middle", 150, 155],
    ["at the end", 298, 300],
  ])("cuts a long line around a fault %s", (_where, column, endColumn) => {
    const line = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const [shown = "", marks = ""] = drawn(line, column, endColumn);
    expect([...shown].length).toBeLessThanOrEqual(102);
    // Two cells a character, one for the sign that something was left out.
    const lead = (marks.indexOf("^") - (shown.startsWith("…") ? 1 : 0)) / 2 + (shown.startsWith("…") ? 1 : 0);
    expect([...shown][lead]).toBe([...line][column - 1]);
  });

  test.each([
    ["an escape sequence", "\u001B[31mred", "\uFFFD[31mred"],
    ["a bell", "a\u0007b", "a\uFFFDb"],
    ["characters that turn text round", "a\u202Eb\u2066c", "a\uFFFDb\uFFFDc"],
    ["tag characters", "a\u{E0041}b", "a\uFFFDb"],
  ])("shows a sign in place of %s, so that no document drives the terminal", (_case, excerpt, shown) => {
    expect(drawn(excerpt, 1, 2)[0]).toBe(shown);
    const elsewhere = renderDiagnostic(diagnostic("x", 1, 2, { message: excerpt, fix: excerpt })).split("\n");
    expect(elsewhere[0]).toContain(shown);
    expect(elsewhere[3]).toContain(shown);
  });

  test("is coloured by whoever draws it", () => {
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const paint = { ...plainPaint, error: mark("error"), fix: mark("fix"), place: mark("place") };
    const text = renderDiagnostic(diagnostic("x", 1, 2, { fix: "y" }), paint);
    expect(text).toContain("<place>SKILL.md:7:1</place>: <error>error[wrong-type]</error>");
    expect(text).toContain("<fix>fix:</fix> y");
  });
});
