import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SkillSection } from "../../../src/ir.ts";
import { MAX_FIRST_LINE_CHARACTERS, MAX_SECTIONS } from "../../../src/limits.ts";
import { compiled, HEADER, said } from "../compiled.ts";

function outlineOf(body: string): { prose: string; outline: SkillSection[] } {
  const { skill, diagnostics } = compiled(HEADER + body);
  if (skill === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return skill;
}

/** A section's text, by its offsets. */
function textOf(prose: string, { start, end }: SkillSection): string {
  return [...prose].slice(start, end).join("");
}

const PROTOCOL = "```yaml\nmeta: {name: tides, provider: p}\n```\n";

describe("the sections of a document", () => {
  test("stand in order, each with its level, its text and its first line", () => {
    const { prose, outline } = outlineOf(
      `before\n\n# One\n\nfirst *line*\nsecond\n\n## Two ##\n\n- an item\n\n### Three\n\n## Four\n> a quote\n`,
    );
    expect(outline.map(({ title, level, firstLine }) => [title, level, firstLine])).toEqual([
      ["One", 1, "first line"],
      ["Two", 2, "an item"],
      ["Three", 3, ""],
      ["Four", 2, "a quote"],
    ]);
    expect(outline.map((section) => textOf(prose, section))).toEqual([
      prose.slice("before\n\n".length),
      "## Two ##\n\n- an item\n\n### Three\n\n",
      "### Three\n\n",
      "## Four\n> a quote",
    ]);
  });

  test("are counted in characters, whatever these are", () => {
    const { prose, outline } = outlineOf("潮汐😀\n\n# 港口 😀\n\n天气👨‍👩‍👧预报\n\n# 第二\n");
    expect(outline.map((section) => textOf(prose, section))).toEqual([
      "# 港口 😀\n\n天气👨‍👩‍👧预报\n\n",
      "# 第二",
    ]);
    expect(outline[0]?.start).toBe(5);
  });

  test("keep their places where protocol blocks and invisible characters are taken out before them", () => {
    const { prose, outline } = outlineOf(`a\u{E0041}b\n\n${PROTOCOL}\n\n# One\u200B\n\nc\n`);
    expect(prose).toBe("ab\n\n# One\n\nc");
    expect(outline.map((section) => textOf(prose, section))).toEqual(["# One\n\nc"]);
    expect(outline[0]?.title).toBe("One");
  });

  test("may bear the same title: their parents tell them apart", () => {
    const { outline } = outlineOf("# A\n## Usage\n# B\n## Usage\n");
    expect(outline.map(({ title, start }) => [title, start])).toEqual([
      ["A", 0],
      ["Usage", 4],
      ["B", 13],
      ["Usage", 17],
    ]);
  });

  test("begin with no table, code, comment or HTML for a first line", () => {
    const { outline } = outlineOf(
      "# A\n\n<!-- note -->\n\n```\ncode\n```\n\n| a |\n|---|\n\n<p>x</p>\n\n![](y.png)\n\ntext\n",
    );
    expect(outline[0]?.firstLine).toBe("text");
  });

  test("have a first line that is cut between characters", () => {
    const { outline } = outlineOf(`# A\n\n${"😀".repeat(MAX_FIRST_LINE_CHARACTERS + 10)}\n`);
    expect(outline[0]?.firstLine).toBe(`${"😀".repeat(MAX_FIRST_LINE_CHARACTERS - 1)}…`);
  });

  test("are none in front matter", () => {
    const { skill } = compiled(HEADER.replace(/---\n$/, "# a comment\n---\n"));
    expect(skill?.outline).toEqual([]);
  });

  test("are so many at most, and the last one has the rest", () => {
    const text = "# x\n\n".repeat(MAX_SECTIONS);
    expect(said(HEADER + text)).toEqual([]);
    expect(said(`${HEADER + text}# y\n`)).toEqual([`too-many-sections ${5 + 2 * MAX_SECTIONS}:1`]);
    const { prose, outline } = outlineOf(`${text}# y\n`);
    expect(outline).toHaveLength(MAX_SECTIONS);
    expect(outline.at(-1)?.end).toBe(prose.length);
  });
});

describe("whatever the document", () => {
  const block = fc.oneof(
    fc.record({
      level: fc.integer({ min: 1, max: 6 }),
      title: fc.constantFrom("a", "潮汐", "C#", "😀 b", "*c*"),
    }),
    fc.constantFrom(
      "text\n",
      "天气 😀\n",
      "```sh\n# no\n```\n",
      "> # no\n",
      "- # no\n",
      "<!-- # no -->\n",
      "```yaml\nexamples: []\n```\n",
      "a\u{E0041}b\n",
    ),
  );
  const blocks = fc.array(block, { maxLength: 20 });
  const written = (one: { level: number; title: string } | string): string =>
    typeof one === "string" ? one : `${"#".repeat(one.level)} ${one.title}\n`;

  test("its sections are its headings, begin with them, nest, and cover all that follows the first", () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const { prose, outline } = outlineOf(`\n${list.map(written).join("\n")}`);
        const headings = list.flatMap((one) => (typeof one === "string" ? [] : [one]));
        const points = [...prose];
        expect(outline.map(({ level }) => level)).toEqual(headings.map(({ level }) => level));
        outline.forEach((section, index) => {
          const heading = headings[index] ?? { level: 0, title: "" };
          expect(`${textOf(prose, section).split("\n")[0]}\n`).toBe(written(heading));
          const next = outline.slice(index + 1).find(({ level }) => level <= section.level);
          expect(section.end).toBe(next?.start ?? points.length);
        });
        const own = outline.map(({ start }, index) =>
          points.slice(start, outline[index + 1]?.start ?? points.length).join(""),
        );
        expect(own.join("")).toBe(points.slice(outline[0]?.start ?? points.length).join(""));
      }),
      { numRuns: 300 },
    );
  });

  test("compiling its prose again gives the same sections", () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const { prose, outline } = outlineOf(`\n${list.map(written).join("\n")}`);
        const again = outlineOf(`\n${prose}`);
        expect(again.prose).toBe(prose);
        expect(again.outline).toEqual(outline);
      }),
      { numRuns: 300 },
    );
  });
});
