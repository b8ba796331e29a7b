import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeTexts } from "../../../src/compile/compare/merge.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

describe("a three-way merge", () => {
  test.each([
    [
      "what only we changed",
      lines("a", "b", "c"),
      lines("a", "B", "c"),
      lines("a", "b", "c"),
      lines("a", "B", "c"),
    ],
    [
      "what only they changed",
      lines("a", "b", "c"),
      lines("a", "b", "c"),
      lines("a", "b", "C"),
      lines("a", "b", "C"),
    ],
    [
      "both, where they lie apart",
      lines("a", "b", "c"),
      lines("A", "b", "c"),
      lines("a", "b", "C"),
      lines("A", "b", "C"),
    ],
    [
      "what both changed alike, once",
      lines("a", "b", "c"),
      lines("a", "X", "c"),
      lines("a", "X", "c"),
      lines("a", "X", "c"),
    ],
    [
      "lines put in at both ends",
      lines("m"),
      lines("first", "m"),
      lines("m", "last"),
      lines("first", "m", "last"),
    ],
    [
      "what was removed on one side",
      lines("a", "b", "c", "d"),
      lines("a", "c", "d"),
      lines("a", "b", "c", "D"),
      lines("a", "c", "D"),
    ],
    ["a last line without an end", "a\nb", "A\nb", "a\nb", "A\nb"],
    ["an empty base that one side filled", "", lines("x"), "", lines("x")],
    [
      "lines of Chinese with CRLF",
      "一\r\n二\r\n三\r\n",
      "壹\r\n二\r\n三\r\n",
      "一\r\n二\r\n叁\r\n",
      "壹\r\n二\r\n叁\r\n",
    ],
  ])("takes over %s", (_what, base, ours, theirs, expected) => {
    expect(mergeTexts(base, ours, theirs)).toEqual({ ok: true, text: expected });
  });

  test("says where both changed the same lines differently, with what each has", () => {
    expect(
      mergeTexts(lines("a", "b", "c"), lines("a", "ours", "c"), lines("a", "theirs", "more", "c")),
    ).toEqual({
      ok: false,
      conflicts: [
        {
          base: { first: 2, lines: ["b\n"] },
          ours: { first: 2, lines: ["ours\n"] },
          theirs: { first: 2, lines: ["theirs\n", "more\n"] },
        },
      ],
    });
  });

  test("says every place of conflict", () => {
    const merge = mergeTexts(lines("a", "m", "b"), lines("1", "m", "2"), lines("3", "m", "4"));
    expect(merge?.ok === false && merge.conflicts.map(({ base }) => base.first)).toEqual([1, 3]);
  });

  test("gives up on texts that have nothing in common", () => {
    const long = (letter: string) =>
      lines(...Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`));
    expect(mergeTexts(long("a"), long("b"), long("a"))).toBeNull();
  });

  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 8 })
    .map((all) => lines(...all));

  test("obeys its laws: with an unchanged side it gives the other, and it does not care which side is ours", () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergeTexts(base, ours, base)).toEqual({ ok: true, text: ours });
        expect(mergeTexts(base, base, theirs)).toEqual({ ok: true, text: theirs });
        expect(mergeTexts(base, ours, ours)).toEqual({ ok: true, text: ours });
        const [one, other] = [mergeTexts(base, ours, theirs), mergeTexts(base, theirs, ours)];
        expect(one?.ok).toBe(other?.ok);
        if (one?.ok) expect(other).toEqual(one);
      }),
      { numRuns: 500 },
    );
  });
});
