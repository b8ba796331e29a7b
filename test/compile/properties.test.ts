import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompileResult, renderDiagnostic } from "../../src/compile/index.ts";
import { skillSchema } from "../../src/ir.ts";
import { compiled } from "./compiled.ts";

const root = join(import.meta.dirname, "../..");

/** What documents are made of, and what breaks them. */
const pieces = [
  ..."\n \t:-#`~>|[]{}&*!%@,?'\"\\$.",
  ..."\n---\n|\n```yaml\n|\n```\n|: |- |${|}|<<: |&a |*a|>-\n|\r\n|\uFEFF|\u200B|\u{E0041}|\uD800|潮|😀".split(
    "|",
  ),
  ..."name: |description: |meta:\n|functions:\n|  - |parameters: |type: object|$ref: '#'|pattern: '('|compute: ".split(
    "|",
  ),
  ..."request: |null|true|1e999|.inf|0x1F|__proto__|constructor|default: |required: [|examples: [|when: |matches('(a+)+$')".split(
    "|",
  ),
];

const documents = [
  "skills/tickdb-market-data/SKILL.md",
  ...readdirSync(join(root, "test/fixtures/compile"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `test/fixtures/compile/${name}`),
].map((path) => readFileSync(join(root, path), "utf8"));

interface Edit {
  /** Where, from 0 (the beginning) to 1 (the end). */
  at: number;
  remove: number;
  insert: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(80)),
  insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 5 })),
});

const mutated = fc
  .tuple(fc.constantFrom(...documents), fc.array(edit, { minLength: 1, maxLength: 6 }))
  .map(([text, edits]) => edits.reduce(applied, text));

function applied(text: string, { at, remove, insert }: Edit): string {
  const offset = Math.floor(at * text.length);
  return text.slice(0, offset) + insert + text.slice(offset + remove);
}

const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(""));

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

test("carriage returns and a byte order mark change neither the skill nor a place", () => {
  const once = (text: string) => text.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  fc.assert(
    fc.property(mutated, (text) => {
      const plain = once(text);
      fc.pre(!plain.startsWith("\uFEFF"));
      expect(compiled(`\uFEFF${plain.replaceAll("\n", "\r\n")}`)).toEqual(compiled(plain));
    }),
    { numRuns: 60 },
  );
});
