import { describe, expect, test } from "vitest";
import { documentName, skillDocuments, yamlBlocks } from "../../scripts/bench/documents.ts";
import { compileSkill } from "../../src/compile/index.ts";

describe("generated skill documents", () => {
  const documents = skillDocuments(100);

  test("are the same every time, and each is another one", () => {
    expect(skillDocuments(100)).toEqual(documents);
    expect(new Set(documents).size).toBe(100);
  });

  test("have about 4 KB each", () => {
    for (const text of documents) {
      const bytes = new TextEncoder().encode(text).length;
      expect(bytes).toBeGreaterThan(3_900);
      expect(bytes).toBeLessThan(4_300);
    }
  });

  test("compile without a word of complaint", () => {
    const faults = documents.flatMap((text, index) => {
      const options = { file: "SKILL.md", folder: documentName(index), mayNameBaseUrlVariable: () => true };
      return compileSkill(text, options).diagnostics;
    });
    expect(faults).toEqual([]);
  });

  test("have all their YAML in two blocks, the front matter first", () => {
    const [frontMatter = "", protocol = "", ...more] = yamlBlocks(documents[0] ?? "");
    expect(more).toEqual([]);
    expect(frontMatter).toMatch(/^name: market-data-0\n/);
    expect(protocol).toMatch(/^upstream:\n/);
    expect(protocol).toMatch(/indices\.\n$/);
  });
});

describe("the YAML of a document", () => {
  test.each([
    ["nothing but prose", "# Title\n\ntext\n", []],
    ["no front matter", "text\n```yaml\na: 1\n```\n", ["a: 1\n"]],
    ["a rule inside the text", "---\nname: x\n---\n\ntext\n\n---\n\nmore\n", ["name: x\n"]],
    [
      "two fences and one of another language",
      "```yaml\na: 1\n```\n```js\nb\n```\n```yaml\nc: 2\n```\n",
      ["a: 1\n", "c: 2\n"],
    ],
  ])("%s", (_name, text, blocks) => {
    expect(yamlBlocks(text)).toEqual(blocks);
  });
});
