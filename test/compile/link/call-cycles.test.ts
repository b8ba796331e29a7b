import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callCycles } from "../../../src/compile/link/call-cycles.ts";

const place = { line: 1, column: 1, endColumn: 2, excerpt: "" };

type Arrow = readonly [from: string, to: string];

function cyclesOf(arrows: readonly Arrow[]): string[] {
  const calls = arrows.map(([from, to]) => ({ function: from, call: to, file: "SKILL.md", place }));
  return callCycles(calls).map((cycle) => [cycle[0]?.function, ...cycle.map(({ call }) => call)].join(" "));
}

describe("circles of calls", () => {
  test.each<[string, Arrow[], string[]]>([
    [
      "none where calls lead on",
      [
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
      ],
      [],
    ],
    ["a function that calls itself", [["b", "b"]], ["b b"]],
    [
      "beginning at the first function of the alphabet",
      [
        ["c", "a"],
        ["b", "c"],
        ["a", "b"],
      ],
      ["a b c a"],
    ],
    [
      "the shortest way round",
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
        ["b", "a"],
      ],
      ["a b a"],
    ],
    [
      "two that share a function",
      [
        ["a", "b"],
        ["b", "a"],
        ["b", "c"],
        ["c", "b"],
      ],
      ["a b a", "b c b"],
    ],
    [
      "without what leads to a circle and out of it",
      [
        ["x", "a"],
        ["a", "a"],
        ["a", "y"],
      ],
      ["a a"],
    ],
  ])("are found: %s", (_case, arrows, cycles) => {
    expect(cyclesOf(arrows)).toEqual(cycles);
  });

  test("begin wherever a function is reached again over later ones, and nowhere else", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e", "f");
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 14 }), (arrows) => {
        const firsts = cyclesOf(arrows).map((cycle) => cycle.charAt(0));
        const names = [...new Set(arrows.map(([from]) => from))].sort();
        expect(firsts).toEqual(names.filter((first) => comesBack(first, arrows)));
      }),
    );
  });

  test("are looked for in a line of ten thousand calls, where there is none", () => {
    const nameOf = (index: number): string => String(index).padStart(5, "0");
    const line = Array.from({ length: 10_000 }, (_, index): Arrow => [nameOf(index), nameOf(index + 1)]);
    expect(cyclesOf(line)).toEqual([]);
    expect(cyclesOf([...line, [nameOf(10_000), nameOf(9_999)]])).toEqual(["09999 10000 09999"]);
  });
});

/** Whether calls lead from a function back to it, over functions that come after it alone. */
function comesBack(first: string, arrows: readonly Arrow[]): boolean {
  const reached = new Set([first]);
  for (const name of reached) {
    for (const [from, to] of arrows) {
      if (from !== name) continue;
      if (to === first) return true;
      if (to > first) reached.add(to);
    }
  }
  return false;
}
