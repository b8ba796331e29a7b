import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits, compatibleEdits, type Edit } from "../../src/compile/index.ts";

function edit(start: number, end: number, text = ""): Edit {
  return { start, end, text };
}

describe("edits of a text", () => {
  test.each([
    ["none", "tides", [], "tides"],
    ["a replacement", "tides", [edit(0, 1, "s")], "sides"],
    ["a removal", "tides", [edit(4, 5)], "tide"],
    ["an insertion", "tides", [edit(0, 0, "the ")], "the tides"],
    ["several, in any order", "tides", [edit(4, 5, "!"), edit(0, 1, "T")], "Tide!"],
    ["two that touch", "tides", [edit(0, 2, "a"), edit(2, 4, "b")], "abs"],
    ["beyond the basic plane", "潮𠮷汐", [edit(1, 3, "")], "潮汐"],
  ])("are made: %s", (_case, text, edits, expected) => {
    expect(applyEdits(text, edits)).toBe(expected);
  });

  /** A text in pieces, with what becomes of every second one. */
  const revisions = fc.array(
    fc.record({ kept: fc.string(), was: fc.string({ minLength: 1 }), text: fc.string() }),
    {
      maxLength: 20,
    },
  );

  test("change what they name and nothing else, in whatever order they come", () => {
    fc.assert(
      fc.property(revisions, fc.boolean(), (pieces, isReversed) => {
        const before = pieces.map(({ kept, was }) => kept + was).join("");
        const after = pieces.map(({ kept, text }) => kept + text).join("");
        let at = 0;
        const edits = pieces.map(({ kept, was, text }) => {
          const start = at + kept.length;
          at = start + was.length;
          return { start, end: at, text };
        });
        expect(applyEdits(before, isReversed ? edits.reverse() : edits)).toBe(after);
      }),
    );
  });
});

describe("edits that can be made at once", () => {
  test.each([
    ["those apart from each other", [[edit(0, 2)], [edit(4, 6)]], [0, 1]],
    ["those that touch", [[edit(0, 2)], [edit(2, 4)]], [0, 1]],
    ["the first of those that meet", [[edit(3, 6)], [edit(0, 4)]], [1]],
    ["the outer of those within each other, where it begins first", [[edit(2, 3)], [edit(0, 9)]], [1]],
    ["one of two insertions at a place", [[edit(3, 3, "a")], [edit(3, 3, "b")]], [0]],
    ["no group of which one edit meets another", [[edit(0, 2)], [edit(1, 3), edit(8, 9)]], [0]],
    ["no empty group", [[], [edit(0, 1)]], [1]],
  ])("are %s", (_case, groups, expected) => {
    expect(compatibleEdits(groups)).toEqual(expected.map((index) => groups[index]));
  });

  test("are found among hundreds of thousands", () => {
    const every = (from: number): Edit[] =>
      Array.from({ length: 200_000 }, (_, index) => edit(from + 4 * index, from + 4 * index + 1));
    const groups = [every(0), every(2), [edit(4, 5)]];
    expect(compatibleEdits(groups)).toEqual(groups.slice(0, 2));
  });

  test("never meet, and what is left out meets one of them", () => {
    const far = 100;
    const group = fc
      .tuple(fc.nat(30), fc.nat(6), fc.boolean())
      .map(([at, length, isDouble]) =>
        isDouble ? [edit(at, at + length), edit(far + at, far + at + length)] : [edit(at, at + length)],
      );
    const meet = (one: Edit, other: Edit): boolean =>
      one.start === other.start || (one.start < other.end && other.start < one.end);
    fc.assert(
      fc.property(fc.array(group), (groups) => {
        const chosen = compatibleEdits(groups);
        const edits = chosen.flat();
        edits.forEach((one, index) => {
          expect(edits.slice(index + 1).filter((other) => meet(one, other))).toEqual([]);
        });
        expect(edits.length).toBeGreaterThanOrEqual(groups.length === 0 ? 0 : 1);
        for (const candidate of groups) {
          const isChosen = chosen.some((other) => other[0] === candidate[0]);
          expect(isChosen || candidate.some((one) => edits.some((other) => meet(one, other)))).toBe(true);
        }
      }),
    );
  });
});
