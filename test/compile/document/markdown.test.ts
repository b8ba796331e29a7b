import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../../src/compile/document/markdown.ts";
import { SourceText } from "../../../src/compile/document/source.ts";

function structureOf(text: string) {
  const source = new SourceText("SKILL.md", text);
  const { fences, headings, destinations, labels } = readMarkdown(source, 0);
  const slice = ({ start, end }: { start: number; end: number }): string => source.text.slice(start, end);
  return {
    fences: fences.map(({ span }) => slice(span)),
    headings: headings.map(({ level, span }) => `${level} ${slice(span)}`),
    destinations: destinations.map(slice),
    labels: [...labels],
  };
}

describe("headings", () => {
  test.each([
    ["of all levels", "# a\n## b\n### c\n#### d\n##### e\n###### f", 6],
    ["underlined ones", "a\n===\n\nb\n---", 2],
    ["an underlined one of two lines", "a\nb\n===", 1],
    ["without a text", "#\n## ##", 2],
    ["indented by three blanks", "   # a", 1],
    ["with no blank line around them", "a\n# b\nc", 1],
  ])("count: %s", (_case, text, count) => {
    expect(structureOf(text).headings).toHaveLength(count);
  });

  test.each([
    ["a comment in a fence", "```sh\n# not a heading\n```"],
    ["a comment in a fence of tildes", "~~~\n# not\n~~~"],
    ["a comment in a fence within a longer one", "````md\n```sh\n# not\n```\n````"],
    ["one behind tildes that do not close backticks", "```\n~~~\n# not\n```"],
    ["one behind a mark with an info string, which closes nothing", "```\n``` md\n# not\n```"],
    ["one in a fence that nothing closes", "```\n# not"],
    ["a comment of HTML", "<!-- # not a heading -->"],
    ["one in a comment over several lines", "<!--\n# not\n-->"],
    ["one in a block of HTML", "<details>\n# not\n</details>"],
    ["indented code", "    # not"],
    ["a hashtag", "#not"],
    ["seven signs", "####### not"],
    ["an escaped sign", "\\# not"],
    ["one in a quote", "> # not"],
    ["one in a list", "- # not\n\n1. # not"],
    ["a table", "| a |\n|---|\n| # b |"],
    ["a rule", "a\n\n---"],
  ])("do not count: %s", (_case, text) => {
    expect(structureOf(text).headings).toEqual([]);
  });

  test("are told from comments by fences of any length", () => {
    const text = "# Use\n````md\n```sh\n# not a heading\n```\n````\n## Real";
    expect(structureOf(text)).toMatchObject({
      headings: ["1 # Use", "2 ## Real"],
      fences: ["````md\n```sh\n# not a heading\n```\n````"],
    });
  });
});

describe("definitions of links", () => {
  test("give their destinations and labels, in quotes and lists too", () => {
    const text = '[A  b]: <x y.md> "t"\n\n> [c]: references/z.md\n\n- [d]:\n  e.md';
    expect(structureOf(text)).toMatchObject({
      destinations: ["<x y.md>", "references/z.md", "e.md"],
      labels: ["A B", "C", "D"],
    });
  });

  test("are none in code", () => {
    expect(structureOf("```\n[a]: b.md\n```\n\n    [c]: d.md").destinations).toEqual([]);
  });
});
