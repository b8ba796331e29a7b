import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SkillSection } from "../../src/ir.ts";
import { SectionNames } from "../../src/reading/index.ts";

/** Sections of these headings, written as Markdown has them. */
function sections(...headings: string[]): SkillSection[] {
  return headings.map((heading, start) => {
    const [, marks = "", title = ""] = /^(#+) ?(.*)$/s.exec(heading) ?? [];
    return { title, level: marks.length, start, end: start + 1, firstLine: "" };
  });
}

describe("the label of a section", () => {
  test.each<[string, string[], string[]]>([
    ["is its heading", ["# Use", "## Install", "## 安装"], ["Use", "Install", "安装"]],
    [
      "has as many of the headings above as make it the only one",
      ["# A", "## Setup", "# B", "## Setup"],
      ["A", "A > Setup", "B", "B > Setup"],
    ],
    [
      "goes up as far as is needed",
      ["# A", "## X", "### Y", "# B", "## X", "### Y"],
      ["A", "A > X", "A > X > Y", "B", "B > X", "B > X > Y"],
    ],
    ["has a number where headings say nothing", ["# A", "# A"], ["A #1", "A #2"]],
    [
      "has another number of marks where a heading ends like one",
      ["# A", "# A", "# A #2"],
      ["A #1", "A ##2", "A #2"],
    ],
    ["is a number where there is no heading text", ["#", "# A", "##"], ["#1", "A", "A >"]],
    ["tells headings apart by their case", ["# Setup", "# setup"], ["Setup", "setup"]],
    ["takes a heading for what it is, path or not", ["# A", "## B", "# A > B"], ["A", "B", "A > B #2"]],
    ["knows the level above though one is left out", ["# A", "### B", "## B"], ["A", "A > B #1", "A > B #2"]],
  ])("%s", (_what, headings, labels) => {
    expect(new SectionNames(sections(...headings)).labels).toEqual(labels);
  });

  const headings = fc.array(
    fc.record({
      level: fc.integer({ min: 1, max: 6 }),
      title: fc.oneof(
        fc.constantFrom(
          "",
          "A",
          "a",
          "A > A",
          "A #1",
          "A #2",
          "A ##2",
          "#1",
          "# A",
          "Ａ",
          "天气",
          ">",
          " ",
          "A >",
        ),
        fc.string({ unit: "grapheme", maxLength: 6 }),
      ),
    }),
    { maxLength: 12 },
  );

  test("finds that section and no other, whatever the headings are", () => {
    fc.assert(
      fc.property(headings, (written) => {
        const made = written.map((heading, start) => ({ ...heading, start, end: start + 1, firstLine: "" }));
        const names = new SectionNames(made);
        for (const [index, label] of names.labels.entries()) {
          expect(label.trim()).not.toBe("");
          expect([label, names.find(label)]).toEqual([label, [index]]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a section is found", () => {
  const names = new SectionNames(
    sections("# Weather", "## Rain", "### Use", "## Wind", "### Use", "## C#", "## 参数 说明", "## 각"),
  );

  test.each<[string, string, number[]]>([
    ["by its heading", "Rain", [1]],
    ["by its path", "Rain > Use", [2]],
    ["by all of its path", "Weather > Wind > Use", [4]],
    ["whatever the case", "wind > USE", [4]],
    ["whatever stands around the sign", "Wind>Use", [4]],
    ["whatever the width", "Ｒａｉｎ", [1]],
    ["whatever the composition", "각".normalize("NFD"), [7]],
    ["with a heading's marks", "## Rain", [1]],
    ["with the sign that it ends in", "C#", [5]],
    ["whatever the blanks", " 参数\t说明 ", [6]],
    ["several times where the name is ambiguous", "Use", [2, 4]],
    ["not at all by a part of its heading", "Rai", []],
    ["not at all by a path that leaves one out", "Weather > Use", []],
    ["not at all by a number that is too high", "Rain #2", []],
  ])("%s", (_how, name, found) => {
    expect(names.find(name)).toEqual(found);
  });
});
