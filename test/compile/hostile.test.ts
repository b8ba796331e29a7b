import { describe, expect, test } from "vitest";
import { compileSkill } from "../../src/compile/index.ts";
import { compiled, HEADER, said, withBlock } from "./compiled.ts";

/**
 * Texts whose parts are cheap, and dear together for a reader whose work grows with the square of their
 * number.
 */
const many = 100_000;

describe("a document made to keep the compiler busy", () => {
  test.each([
    ["lists within lists on one line", "1. ".repeat(many)],
    ["quotes within quotes on one line", "> ".repeat(many)],
    ["lists and quotes in turn", "1) - > ".repeat(many)],
    ["a fence's beginning over and over", "```\n".repeat(many / 10)],
    [
      "fences that hold fences",
      Array.from({ length: 300 }, (_, index) => `${"`".repeat(303 - index)}\n`).join(""),
    ],
    ["brackets", "[".repeat(many)],
    ["emphasis", "*_".repeat(many)],
    ["tags", "<a ".repeat(many)],
    ["tables", "|".repeat(many)],
  ])("is read as prose: %s", (_case, body) => {
    const { skill } = compiled(HEADER + body);
    expect(skill?.prose).toBe(body.trimEnd());
  });

  test("a fence still counts behind a line of a thousand lists", () => {
    const { skill } = compiled(
      `${HEADER}${"- ".repeat(1000)}\n\n\`\`\`yaml\nmeta: {name: tides, provider: p}\n\`\`\`\n`,
    );
    expect(skill?.provider).toBe("p");
  });

  test("a fence that looks like YAML and has one long line stays prose", () => {
    const fence = `\`\`\`yaml\nmeta${" ".repeat(many)}x\n\`\`\``;
    expect(compiled(HEADER + fence).skill?.prose).toBe(fence);
  });

  test("forty thousand keys are told apart, and the first hundred that mean nothing are named", () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `  k${index}: 1`).join("\n");
    expect(compiled(withBlock(`meta:\n  name: tides\n${keys}`)).diagnostics).toHaveLength(100);
    expect(said(withBlock(`meta:\n  name: tides\n${keys}\n  k0: 2`))).toEqual(["duplicate-key 40008:3"]);
  });

  test("keys within keys, which written out would double with each level, are refused", () => {
    const nested = `${"{".repeat(60)}a${": 1}".repeat(60)}`;
    expect(said(withBlock(`meta: {name: tides, tags: ${nested}}`))).toEqual(["yaml-syntax 6:28"]);
  });

  test("each of two thousand expressions may name each of two thousand parameters", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
    const yaml = [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "- name: f",
      "  description: d",
      `  parameters: {properties: {${names.map((name) => `${name}: {type: string}`).join(", ")}}}`,
      `  request: {method: POST, path: /x, body: [${names.map((name) => `'\${${name}}'`).join(", ")}]}`,
    ].join("\n");
    const { skill, diagnostics } = compiled(withBlock(yaml));
    expect(diagnostics).toEqual([]);
    expect(skill?.functions[0]?.binding).toMatchObject({ request: { query: [] } });
  });

  test("a schema that doubles with each of its references is refused", () => {
    const levels = Array.from(
      { length: 40 },
      (_, level) => `a${level}: {allOf: [{$ref: '#/$defs/a${level + 1}'}, {$ref: '#/$defs/a${level + 1}'}]}`,
    );
    const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {$ref: '#/$defs/a0', $defs: {${levels.join(", ")}, a40: {}}}`;
    expect(said(withBlock(yaml))).toEqual(["schema-reference-invalid 10:15"]);
  });

  test("a long chain of references is refused before it is followed", () => {
    const chain = Array.from({ length: 3_000 }, (_, index) => `a${index}: {$ref: '#/$defs/a${index + 1}'}`);
    const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {$defs: {${chain.join(", ")}, a3000: {}}}`;
    expect(compiled(withBlock(yaml)).diagnostics.map(({ code }) => code)).toEqual([
      "schema-reference-invalid",
    ]);
  });

  test.each([true, false])(
    "a pattern that doubles its work with each letter is matched at once (upload: %s)",
    (isUpload) => {
      const text = `${"a".repeat(50)}!`;
      const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {properties: {a: {pattern: ^(a+)+$, examples: [${text}]}}}`;
      expect(said(withBlock(yaml), { isUpload })).toEqual(["schema-value-rejected 10:62"]);
    },
  );

  test("a thousand examples of a large pattern share what all of them may cost", () => {
    const examples = Array.from({ length: 1_000 }, () => "a".repeat(50)).join(", ");
    const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {properties: {a: {pattern: "^(a?){900}$", examples: [${examples}]}}}`;
    const codes = new Set(compiled(withBlock(yaml)).diagnostics.map(({ code }) => code));
    expect([...codes]).toEqual(["schema-value-rejected"]);
  });

  test("a pattern of names that doubles its work with each letter by backtracking is not run so in an upload", () => {
    const text = `${"a".repeat(50)}!`;
    const yaml = (pattern: string) =>
      `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {patternProperties: {${pattern}: {}}, examples: [{${text}: 1}]}`;
    expect(said(withBlock(yaml("^(?=(a+)+$)")), { isUpload: true })).toEqual([
      "schema-pattern-forbidden 10:36",
    ]);
    expect(said(withBlock(yaml("^(a+)+$")), { isUpload: true })).toEqual([]);
  });

  test("a document that is not said to be bundled is taken for an upload", () => {
    const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: {properties: {a: {pattern: ^(?!b)}}}`;
    const { skill } = compileSkill(withBlock(yaml), {
      file: "SKILL.md",
      folder: null,
      mayNameBaseUrlVariable: () => true,
    });
    expect(skill).toBeNull();
    expect(said(withBlock(yaml))).toEqual(["schema-pattern-backtracks 10:42"]);
  });

  test("a pattern that repeats nothing a million million times is compiled at once", () => {
    const yaml =
      'functions:\n- name: f\n  description: d\n  compute: \'"a".matches("((((){1000}){1000}){1000}){1000}")\'';
    expect(said(withBlock(yaml))).toEqual([]);
  });
});

describe("a document with thousands of faults", () => {
  test.each([
    ["references", "{$defs: {N: {}}, properties: {P: {$ref: '#/$defs/U'}}}", "schema-reference-invalid"],
    ["required names", "{properties: {N: {}}, required: [U]}", "schema-required-unknown"],
  ])("among thousands of names, thousands of unknown %s are said in few words", (_case, pattern, code) => {
    const count = 3_000;
    const fill = (unit: string, name: string): string =>
      Array.from({ length: count }, (_, index) => unit.replace(/[NPU]/, `${name}_${index}`)).join(", ");
    const parameters = pattern
      .replace("N: {}", () => fill("N: {}", "definition"))
      .replace("P: {$ref: '#/$defs/U'}", () =>
        Array.from({ length: count }, (_, index) => `p${index}: {$ref: '#/$defs/defnition_${index}'}`).join(
          ", ",
        ),
      )
      .replace("[U]", () => `[${fill("U", "defnition")}]`);
    const yaml = `functions:\n- name: f\n  description: d\n  compute: 1 + 1\n  parameters: ${parameters}`;
    const { diagnostics } = compiled(withBlock(yaml));
    expect(new Set(diagnostics.map((diagnostic) => diagnostic.code))).toEqual(new Set([code]));
    expect(diagnostics).toHaveLength(100);
    expect(Math.max(...diagnostics.map(({ message }) => message.length))).toBeLessThanOrEqual(1_000);
  });

  test("sixty thousand links to what is not there are counted", () => {
    const links = Array.from({ length: 60_000 }, (_, index) => `[a](b${index}.md)`).join(" ");
    const files = [{ path: "references/api.md", text: "" }];
    const { diagnostics } = compiled(HEADER + links, { files });
    expect(diagnostics.filter(({ code }) => code === "reference-missing")).toHaveLength(10);
  });
});
