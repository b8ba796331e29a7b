import { describe, expect, test } from "vitest";
import type { SkillFile } from "../../../src/compile/index.ts";
import { fileOfDestination, filesOfCode } from "../../../src/compile/prose/file-path.ts";
import { MAX_REFERENCE_DIAGNOSTICS } from "../../../src/limits.ts";
import { compiled, HEADER } from "../compiled.ts";

describe("the destination of a link", () => {
  test.each([
    ["references/api.md", "references/api.md"],
    ["./references/api.md", "references/api.md"],
    ["references/./x/../api.md", "references/api.md"],
    ["references//api.md", "references/api.md"],
    ["references/api.md#anchor", "references/api.md"],
    ["references/api.md?plain=1#a", "references/api.md"],
    ["a%20b.md", "a b.md"],
    ["%E6%BD%AE%E6%B1%90.md", "潮汐.md"],
    ["参考/潮汐.md", "参考/潮汐.md"],
    ["e\u0301.md", "\u00E9.md"],
    ["100%.md", "100%.md"],
    ["a(b).md", "a(b).md"],
    ["a\\(b.md", "a(b.md"],
    ["a&amp;b.md", "a&b.md"],
    ["references\\api.md", "references/api.md"],
    ["scripts/", "scripts/"],
    ["LICENSE.txt", "LICENSE.txt"],
  ])("names a file of the skill: %s", (destination, path) => {
    expect(fileOfDestination(destination)).toMatchObject({ kind: "inside", path });
  });

  test.each([
    ["../x.md", "x.md"],
    ["references/../../y", "y"],
    ["..%2f..%2fetc/passwd", "etc/passwd"],
    ["%2e%2e/x.md", "x.md"],
    ["..\\x.md", "x.md"],
    ["/etc/passwd", "etc/passwd"],
    ["~/.ssh/id_rsa", ".ssh/id_rsa"],
  ])("leads out of the skill's folder: %s", (destination, path) => {
    expect(fileOfDestination(destination)).toMatchObject({ kind: "outside", path });
  });

  test.each([
    "https://example.com/a.md",
    "mailto:me@example.com",
    "me@example.com",
    "data:image/png;base64,AA==",
    "C:\\x\\y.md",
    "//example.com/a.md",
    "#anchor",
    "?query=a.md",
    "www.example.com/a.md",
    "github.com/owner/name",
    "url",
    "link",
    "{{placeholder}}/x.md",
    "references/{topic}.md",
    "references/&lt;topic&gt;.md",
    "references/*.md",
    "$HOME/x.md",
    "references/....md",
    "references/….md",
    "path/to/file.md",
    "docs/path/to/file.md",
    "foo.md",
    "a\u{E0041}.md",
    "a\u0000.md",
    ".",
    "./",
  ])("names no file: %s", (destination) => {
    expect(fileOfDestination(destination)).toEqual({ kind: "none" });
  });
});

test.each([
  ["references/api.md", ["references/api.md"]],
  ["./scripts/run.py", ["scripts/run.py"]],
  ["python scripts/run.py --out x.json", ["scripts/run.py"]],
  ['cat "references/a.md" references/b.md;', ["references/a.md", "references/b.md"]],
  ["references/潮汐.md", ["references/潮汐.md"]],
  ["references/", []],
  ["references/*.md", []],
  ["references/<topic>.md", []],
  ["src/index.ts", []],
  ["my-assets/x.png", []],
  ["api.md", []],
])("the code %s names %j", (code, paths) => {
  expect(filesOfCode(code).map(({ file }) => file.path)).toEqual(paths);
});

function read(body: string, files: readonly (string | SkillFile)[] | null) {
  const list = files?.map((file) => (typeof file === "string" ? { path: file, text: null } : file)) ?? null;
  const { skill, diagnostics } = compiled(HEADER + body, { folder: "tides", files: list });
  const warnings = diagnostics.map(({ code, line, column, endColumn, fix }) => ({
    code,
    place: `${line}:${column}-${endColumn}`,
    fix,
  }));
  return { references: skill?.references, warnings, messages: diagnostics.map(({ message }) => message) };
}

describe("the files that a document refers to", () => {
  test("stand in the order of naming, each once: links, images, definitions and code", () => {
    const body =
      "![m](assets/m.png) `scripts/run.py` [b](references/b.md#x)\n\n> [a] [b](references/b.md)\n\n[a]: references/a.md\n";
    const paths = ["assets/m.png", "scripts/run.py", "references/b.md", "references/a.md"];
    expect(read(body, null)).toEqual({ references: paths, warnings: [], messages: [] });
    expect(read(body, paths)).toEqual({ references: paths, warnings: [], messages: [] });
  });

  test("are those that exist, where that is known, and the document itself is none", () => {
    const { references, warnings } = read("[a](references/a.md) [b](references/b.md) [c](SKILL.md#x)\n", [
      "references/a.md",
    ]);
    expect(references).toEqual(["references/a.md"]);
    expect(warnings).toEqual([{ code: "reference-missing", place: "5:26-41", fix: "references/a.md" }]);
  });

  test("are not looked for in code blocks, comments, HTML and addresses", () => {
    const body =
      "```\n[a](a.md)\n```\n\n    [b](b.md)\n\n<!-- [c](c.md) -->\n\n<p>[d](d.md)</p>\n\n<https://e.f/g.md>\n";
    expect(read(body, [])).toEqual({ references: [], warnings: [], messages: [] });
  });

  test.each([
    ["a table", "| a | [b](references/b.md) |\n|---|---|\n", "5:11-26"],
    ["a quote of two lines", "> x\n> 潮 [b](references/b.md)\n", "6:9-24"],
    ["a list", "- 😀 [b](references/b.md)\n", "5:9-24"],
    ["a heading", "## [b](references/b.md)\n", "5:8-23"],
    ["angle brackets", "[b](<references/b.md>)\n", "5:6-21"],
    ["a definition", "[b]: <references/b.md>\n", "5:7-22"],
    ["a word of code", "`python references/b.md x`\n", "5:9-24"],
  ])("are complained of exactly where they stand: in %s", (_case, body, place) => {
    expect(read(body, []).warnings).toEqual([{ code: "reference-missing", place, fix: null }]);
  });

  test.each([
    ["misspelt", "references/harbour.md", "references/harbours.md"],
    ["in another folder", "harbours.md", "references/harbours.md"],
    ["with its anchor", "harbours.md#levels", "references/harbours.md#levels"],
  ])("are missed with the nearest one named: %s", (_case, path, fix) => {
    expect(
      read(`[a](${path}) \`references/harbours.md\`\n`, ["references/harbours.md"]).warnings,
    ).toMatchObject([{ code: "reference-missing", fix }]);
  });

  test.each([
    ["from the folder of all skills", "tides/references/harbours.md"],
    ["from the root of the repository", ".claude/skills/tides/references/harbours.md"],
    ["through the folder above", "../tides/references/harbours.md"],
    ["in another letter case", "References/Harbours.MD"],
    ["with backslashes", "references\\harbours.md"],
  ])("are found, and said to stand elsewhere: %s", (_case, path) => {
    const { references, warnings } = read(`[a](${path})\n`, ["references/harbours.md"]);
    expect(references).toEqual(["references/harbours.md"]);
    expect(warnings).toMatchObject([{ code: "reference-inexact", fix: "references/harbours.md" }]);
  });

  test("are the same whether their letters are composed or not", () => {
    expect(read("[a](references/\u00E9.md)\n", ["references/e\u0301.md"])).toMatchObject({
      references: ["references/\u00E9.md"],
      warnings: [],
    });
  });

  test("may be folders", () => {
    const files = ["scripts/run.py"];
    expect(read("[a](scripts/) [b](./scripts/)\n", files)).toMatchObject({ references: [], warnings: [] });
    expect(read("[a](assets/) `scripts/run.py`\n", files).warnings).toMatchObject([
      { code: "reference-missing" },
    ]);
  });

  test.each([
    ["by dots", "../../secrets/x.md"],
    ["by dots behind a folder", "references/../../y"],
    ["by dots in percent signs", "%2e%2e/x.md"],
    ["from the root", "/etc/passwd"],
  ])("never lie outside the skill's folder, even where nobody knows its files: %s", (_case, path) => {
    expect(read(`[a](${path})\n`, null)).toMatchObject({
      references: [],
      warnings: [{ code: "reference-outside" }],
    });
  });

  test("are complained of ten times and then counted", () => {
    const links = Array.from({ length: 25 }, (_, index) => `[x](references/${index}${index}${index}.md)`);
    const { warnings, messages } = read(`${links.join("\n")}\n\`references/a.md\`\n`, ["references/a.md"]);
    expect(warnings).toHaveLength(MAX_REFERENCE_DIAGNOSTICS);
    expect(messages.at(-1)).toBe("there is no references/999.md in the skill's folder, and 15 more like it");
  });

  test("are missed in one sentence where the document came without any", () => {
    const { warnings, messages } = read("[a](references/a.md) [b](references/b.md) `scripts/c.py`\n", []);
    expect(warnings).toEqual([{ code: "reference-missing", place: "5:5-20", fix: null }]);
    expect(messages).toEqual([
      "there is no references/a.md in the skill's folder, nor any of the 2 others that are named",
    ]);
  });
});

describe("files that stand beside the document", () => {
  const text = (path: string, content: string): SkillFile => ({ path, text: content });

  test.each([
    ["by its path in a code block", "```sh\npython scripts/run.py\n```\n", "scripts/run.py"],
    ["by its name alone", "see run.py\n", "scripts/run.py"],
    ["by its folder", "all of `references/` matters\n", "references/a/b.md"],
    ["by its own folder", "see references/a/.\n", "references/a/b.md"],
    ["by a pattern", "see `references/*.md`\n", "references/a.md"],
    ["by a placeholder", "see `references/<topic>.md`\n", "references/a.md"],
    ["by a link with percent signs", "[a](references/a%20b.md)\n", "references/a b.md"],
    ["in Chinese", "参考references/潮汐.md文件\n", "references/潮汐.md"],
    ["in an HTML tag", '<img src="assets/a.png">\n', "assets/a.png"],
  ])("are named %s", (_case, body, path) => {
    expect(read(body, [path]).warnings).toEqual([]);
  });

  test.each([
    ["nowhere", "text\n", "references/a.md"],
    ["where only a neighbour is", "see `references/b.md`\n", "references/a.md"],
    ["where only a longer path begins like it", "see references/ab/c.md\n", "references/a/x.md"],
  ])("are said to be named %s", (_case, body, path) => {
    const files = [path, "references/b.md", "references/ab/c.md"].filter(
      (one) => body.includes(one) || one === path,
    );
    expect(read(body, files).warnings).toMatchObject([{ code: "file-unnamed", place: "1:1-2" }]);
  });

  test("may be named by a text that is named itself, but not by one that is not", () => {
    const files = [
      text("references/index-of-all.md", "see [b](b.md)"),
      text("references/b.md", "and c.md"),
      text("references/c.md", ""),
      text("references/d.md", "and e.md"),
      text("references/e.md", ""),
    ];
    expect(read("see references/index-of-all.md\n", files).messages).toEqual([
      "nothing names 2 files, so no reader will know of them: references/d.md, references/e.md",
    ]);
  });

  test("need no name where one piece of code uses another", () => {
    const files = [text("scripts/run.py", "from levels import all"), text("scripts/levels.py", "")];
    expect(read("`scripts/run.py`\n", files).warnings).toEqual([]);
  });

  test.each([
    "LICENSE",
    "references/LICENSE.txt",
    "references/README.md",
    "scripts/.env.example",
    "scripts/.cache/x.bin",
    "scripts/__init__.py",
    "scripts/requirements.txt",
    "notes.md",
    "evals/evals.json",
  ])("need no name: %s", (path) => {
    expect(read("text\n", [path]).warnings).toEqual([]);
  });
});
