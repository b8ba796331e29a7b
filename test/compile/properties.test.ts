import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompileResult, renderDiagnostic } from "../../src/compile/index.ts";
import { skillSchema } from "../../src/ir.ts";
import { compiled } from "./compiled.ts";
import { documents, mutated, soup } from "./mutated.ts";

/** What holds of every compilation, whatever the text. */
function expectSound(text: string): CompileResult {
  const result = compiled(text);
  const { skill, diagnostics } = result;
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  for (const diagnostic of diagnostics) {
    const line = lines[diagnostic.line - 1];
    expect(line).toBe(diagnostic.excerpt);
    expect(diagnostic.column).toBeGreaterThanOrEqual(1);
    expect(diagnostic.column).toBeLessThanOrEqual([...(line ?? "")].length + 1);
    expect(diagnostic.endColumn).toBeGreaterThan(diagnostic.column);
    expect(renderDiagnostic(diagnostic)).not.toMatch(/[^\P{Control}\n]/u);
  }
  expect(skill === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
  if (skill !== null) expect(skillSchema.safeParse(skill).error).toBeUndefined();
  return result;
}

describe("whatever the text, a compilation gives a sound skill or an error, at a place in the file", () => {
  test("for real documents with something broken", () => {
    fc.assert(
      fc.property(mutated, (text) => void expectSound(text)),
      { numRuns: 400 },
    );
  });

  test("for a soup of what documents are made of", () => {
    fc.assert(
      fc.property(soup, (text) => void expectSound(text)),
      { numRuns: 300 },
    );
  });

  test("for a soup within front matter and within a block", () => {
    const within = fc
      .tuple(soup, soup)
      .map(
        ([front, block]) =>
          `---\nname: a\ndescription: b\n${front}\n---\n\`\`\`yaml\nmeta: {name: a}\n${block}\n\`\`\`\n`,
      );
    fc.assert(
      fc.property(within, (text) => void expectSound(text)),
      { numRuns: 300 },
    );
  });

  test("for any characters at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void expectSound(text)),
      { numRuns: 300 },
    );
  });
});

test("the same text compiles to the same skill and the same words, down to the last byte", () => {
  fc.assert(
    fc.property(mutated, (text) => {
      expect(JSON.stringify(compiled(text))).toBe(JSON.stringify(compiled(text)));
    }),
    { numRuns: 60 },
  );
});

/** A compilation without its edits, which count in the file's own text, where the ends of lines take room. */
function withoutEdits({ skill, diagnostics }: CompileResult) {
  return { skill, diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, edits: [] })) };
}

const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/^\uFEFF+/, "");

describe.each([
  ["carriage returns and line feeds", "\r\n"],
  ["carriage returns", "\r"],
])("%s, and a byte order mark, change neither the skill nor a place", (_case, lineEnd) => {
  const dressed = (plain: string): string => `\uFEFF${plain.replaceAll("\n", lineEnd)}`;

  test("of real documents with something broken", () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const plain = withLineFeeds(text);
        expect(withoutEdits(compiled(dressed(plain)))).toEqual(withoutEdits(compiled(plain)));
      }),
      { numRuns: 60 },
    );
  });

  test("of any document that is kept here", () => {
    for (const text of documents) {
      const plain = withLineFeeds(text);
      expect(withoutEdits(compiled(dressed(plain)))).toEqual(withoutEdits(compiled(plain)));
    }
  });
});
