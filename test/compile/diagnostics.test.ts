import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CompileOptions,
  type DiagnosticCode,
  diagnosticCodes,
  renderDiagnostic,
} from "../../src/compile/index.ts";
import { MAX_FRONT_MATTER_BYTES, MAX_FUNCTIONS_PER_SKILL, MAX_SKILL_BYTES } from "../../src/limits.ts";
import { compiled, HEADER, said, withBlock } from "./compiled.ts";

const folder = join(import.meta.dirname, "../fixtures/compile");

/** Codes that no single document of a readable size provokes, and where they are tested instead. */
const elsewhere = {
  "not-utf-8": "document/decode.test.ts, for a document is text here already",
  "document-too-large": "below, with a document made for it",
  "document-name-twice": "whoever lists the files says this: cli/skills/folder.test.ts",
  "document-is-a-link": "whoever lists the files says this: cli/skills/folder.test.ts",
  "link-not-followed": "whoever lists the files says this: cli/skills/folder.test.ts",
  "front-matter-too-large": "below, with a document made for it",
  "too-many-sections": "prose/outline.test.ts, with a document made for it",
  "too-many-functions": "below, with a document made for it",
  "skill-duplicate": "link.test.ts, for it takes two documents",
  "secret-not-bound": "whoever knows which secrets a skill may have says this",
  "function-in-two-skills": "link.test.ts, for it takes two documents",
  "name-confusable": "link.test.ts, for it takes two names",
  "call-cycle": "link.test.ts, for it is about calls between documents",
} as const;

/** Where each fixture provokes its code: line and column. */
const places: Record<Exclude<DiagnosticCode, keyof typeof elsewhere>, readonly [number, number]> = {
  "document-is-a-path": [1, 1],
  "front-matter-missing": [1, 1],
  "front-matter-unopened": [1, 1],
  "front-matter-unclosed": [1, 1],
  "front-matter-late": [3, 1],
  "front-matter-indented": [4, 1],
  "front-matter-after-text": [3, 1],
  "front-matter-in-fence": [1, 1],
  "front-matter-lenient": [3, 1],
  "front-matter-not-a-mapping": [2, 1],
  "merge-conflict": [3, 1],
  "invisible-characters": [3, 32],
  "yaml-syntax": [11, 31],
  "duplicate-key": [7, 3],
  "alias-limit": [2, 1],
  "nesting-limit": [13, 71],
  "fence-unclosed": [10, 1],
  "reference-missing": [9, 14],
  "reference-inexact": [8, 36],
  "reference-outside": [8, 51],
  "file-unnamed": [1, 1],
  "protocol-like-fence": [10, 1],
  "duplicate-section": [15, 1],
  "wrong-type": [13, 13],
  "missing-field": [16, 14],
  "empty-field": [3, 1],
  "unknown-field": [17, 5],
  "field-of-another-kind": [22, 5],
  "value-out-of-range": [17, 14],
  "not-one-of": [16, 23],
  "values-contradict": [23, 79],
  "text-kept-as-written": [4, 16],
  "text-cut-by-comment": [3, 58],
  "name-missing": [1, 1],
  "name-mismatch": [12, 9],
  "name-differs-from-folder": [2, 7],
  "name-not-a-slug": [2, 7],
  "name-too-long": [2, 7],
  "description-missing": [1, 1],
  "description-too-long": [3, 14],
  "description-vague": [3, 14],
  "version-not-semver": [4, 10],
  "category-unknown": [4, 11],
  "function-name-invalid": [14, 11],
  "function-duplicate": [17, 11],
  "function-unknown": [24, 15],
  "function-declaration-only": [14, 5],
  "function-kinds-several": [17, 5],
  "schema-root-not-object": [17, 13],
  "schema-keyword-invalid": [20, 17],
  "schema-reference-invalid": [19, 25],
  "schema-required-unknown": [20, 18],
  "schema-pattern-invalid": [19, 42],
  "schema-pattern-backtracks": [19, 42],
  "schema-pattern-forbidden": [22, 13],
  "schema-value-rejected": [25, 23],
  "schema-openapi-habit": [20, 29],
  "upstream-unknown": [16, 25],
  "upstream-missing": [14, 14],
  "base-url-invalid": [12, 13],
  "base-url-variable-forbidden": [13, 3],
  "path-invalid": [16, 34],
  "path-parameter-optional": [20, 42],
  "parameter-unknown": [21, 42],
  "parameter-shadowed": [20, 9],
  "parameter-placed-twice": [19, 39],
  "parameter-not-placed": [20, 9],
  "field-sent-twice": [19, 9],
  "credential-taken": [19, 9],
  "clause-incomplete": [21, 11],
  "clause-key-taken": [21, 25],
  "clause-not-placed": [21, 25],
  "clause-always-present": [21, 11],
  "step-id-invalid": [32, 14],
  "step-duplicate": [32, 14],
  "step-unknown": [33, 40],
  "step-cycle": [31, 14],
  "step-unused": [32, 14],
  "argument-unknown": [32, 66],
  "argument-missing": [32, 44],
  "read-only-needed": [22, 5],
  "kept-failure-unmet": [22, 33],
  "body-not-allowed": [20, 42],
  "header-reserved": [13, 13],
  "header-invalid": [13, 23],
  "expression-invalid": [19, 25],
  "expression-not-boolean": [25, 15],
  "expression-not-list": [32, 48],
  "authentication-invalid": [23, 45],
  "credential-sent-twice": [25, 7],
  "credential-beside-none": [25, 7],
  "credentials-empty": [23, 19],
  "too-many-credentials": [28, 7],
  "time-zone-unknown": [19, 16],
  "secret-name-invalid": [18, 50],
};

const codes = Object.keys(diagnosticCodes).filter((code): code is keyof typeof places => code in places);

/** What stands beside the documents that are about files. */
const files = [{ path: "references/harbours.md", text: "# Harbours" }];

/**
 * As an upload, but for the code that only other documents get; a few are about the folder and its files, on
 * which the others are silent.
 */
function optionsOf(code: string): Partial<CompileOptions> {
  const isAboutFiles = code.startsWith("reference-") || code === "file-unnamed";
  return {
    file: `${code}.md`,
    folder: isAboutFiles || code === "name-differs-from-folder" ? "tides" : null,
    mayNameBaseUrlVariable: () => false,
    isUpload: code !== "schema-pattern-backtracks",
    files: isAboutFiles ? files : null,
  };
}

function documentOf(name: string): string {
  return readFileSync(join(folder, `${name}.md`), "utf8");
}

describe("every diagnostic", () => {
  test("has a document that provokes it and a twin that does not, or is tested elsewhere", () => {
    const without = Object.keys(diagnosticCodes).filter(
      (code) => !(code in elsewhere) && !existsSync(join(folder, `${code}.md`)),
    );
    expect(without).toEqual([]);
    const known = codes.flatMap((code) => [`${code}.md`, `${code}.right.md`]);
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith(".md"))
        .sort(),
    ).toEqual(known.sort());
  });

  test.each(codes)("%s stands at its place, and nothing else is an error", (code) => {
    const { skill, diagnostics } = compiled(documentOf(code), optionsOf(code));
    const [line, column] = places[code];
    const severity = diagnosticCodes[code];
    expect(diagnostics[0]).toMatchObject({ code, severity, line, column });
    expect(diagnostics.filter((other) => other.code !== code)).toEqual([]);
    expect(skill === null).toBe(severity === "error");
  });

  test.each(codes)("%s is not said of the document's rightful twin, nor is anything else", (code) => {
    const { skill, diagnostics } = compiled(documentOf(`${code}.right`), optionsOf(code));
    expect(diagnostics).toEqual([]);
    expect(skill).not.toBeNull();
  });

  test("reads well", async () => {
    const rendered = codes
      .flatMap((code) => compiled(documentOf(code), optionsOf(code)).diagnostics)
      .map((diagnostic) => renderDiagnostic(diagnostic));
    await expect(`${rendered.join("\n\n")}\n`).toMatchFileSnapshot(join(folder, "rendered.txt"));
  });
});

describe("documents that are too large", () => {
  test("a document over the limit in bytes is refused, though its characters are fewer", () => {
    const filling = "潮".repeat(Math.ceil((MAX_SKILL_BYTES - HEADER.length) / 3));
    expect(said(HEADER + filling)).toEqual(["document-too-large 1:1"]);
    expect(said(HEADER + filling.slice(1))).toEqual([]);
  });

  test("front matter over its limit in bytes is refused", () => {
    const note = (bytes: number) => HEADER.replace(/---\n$/, `note: ${"潮".repeat(bytes / 3)}\n---\n`);
    expect(said(note(MAX_FRONT_MATTER_BYTES))).toEqual(["front-matter-too-large 2:1"]);
    expect(said(note(MAX_FRONT_MATTER_BYTES - 200))).toEqual([]);
  });

  test("one function too many is named, over all blocks", () => {
    const list = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, index) => `  - {name: f${from + index}, description: d, compute: "1"}`,
      ).join("\n");
    const block = (from: number, to: number) => `\`\`\`yaml\nfunctions:\n${list(from, to)}\n\`\`\`\n\n`;
    const allowed = HEADER + block(0, 100) + block(100, MAX_FUNCTIONS_PER_SKILL);
    expect(said(allowed)).toEqual([]);
    expect(said(allowed + block(MAX_FUNCTIONS_PER_SKILL, MAX_FUNCTIONS_PER_SKILL + 1))).toEqual([
      `too-many-functions ${allowed.split("\n").length + 2}:12`,
    ]);
  });
});

describe("many diagnostics", () => {
  const unknown = Array.from({ length: 150 }, (_, index) => `  strange${index}: 1`).join("\n");

  test("a hundred warnings do not hide an error that comes after them", () => {
    const text = withBlock(
      `meta:\n  name: tides\n${unknown}\nfunctions:\n  - {name: 1st, description: d, compute: "1"}`,
    );
    const { skill, diagnostics } = compiled(text);
    expect(skill).toBeNull();
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.at(-1)).toMatchObject({ code: "function-name-invalid", line: 159 });
  });

  test("no more than a hundred are kept, in the order of their places", () => {
    const { diagnostics } = compiled(withBlock(`meta:\n  name: tides\n${unknown}`));
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.map(({ line }) => line)).toEqual(diagnostics.map((_, index) => index + 8));
  });

  test("what is read twice is spoken about once", () => {
    const text = withBlock(
      "upstreams:\n  a: {base_url: https://a.example}\nfunctions:\n" +
        "  - name: f\n    description: d\n    request: {upstream: , method: GET, path: /x}",
    );
    expect(said(text)).toEqual(["upstream-unknown 11:14", "empty-field 11:15"]);
  });
});
