import { describe, expect, test } from "vitest";
import { compiled, HEADER, said } from "../compiled.ts";

const META = "meta: {name: tides, provider: tides.example}";

function providerOf(text: string): string | null | undefined {
  const { skill, diagnostics } = compiled(text);
  expect(diagnostics).toEqual([]);
  return skill?.provider;
}

describe("a fence is a protocol block", () => {
  test.each([
    ["of three backticks", `\`\`\`yaml\n${META}\n\`\`\`\n`],
    ["of tildes", `~~~yaml\n${META}\n~~~\n`],
    ["of five backticks", `\`\`\`\`\`yaml\n${META}\n\`\`\`\`\`\n`],
    ["called yml", `\`\`\`yml\n${META}\n\`\`\`\n`],
    ["called YAML", `\`\`\`YAML\n${META}\n\`\`\`\n`],
    ["with more behind its language", `\`\`\`yaml title="tides"\n${META}\n\`\`\`\n`],
    ["with attributes", `\`\`\`yaml {.protocol}\n${META}\n\`\`\`\n`],
    ["that is indented", `   \`\`\`yaml\n   ${META}\n   \`\`\`\n`],
    ["in a list", `- one\n\n  \`\`\`yaml\n  ${META}\n  \`\`\`\n- two\n`],
    ["in a quote", `> \`\`\`yaml\n> ${META}\n> \`\`\`\n`],
    ["in a list in a quote", `> 1. one\n>    ~~~yaml\n>    ${META}\n>    ~~~\n`],
    ["that the end of the file closes in a quote", `> \`\`\`yaml\n> ${META}\n> \`\`\``],
    ["with comments and blank lines", `\`\`\`yaml\n\n# tides\n${META} # ours\n\n\`\`\`\n`],
    ["with its keys indented", `\`\`\`yaml\n  ${META}\n\`\`\`\n`],
    ["with a quoted key", `\`\`\`yaml\n"meta": {name: tides, provider: tides.example}\n\`\`\`\n`],
    ["with the mark of a document's beginning", `\`\`\`yaml\n---\n${META}\n\`\`\`\n`],
    ["of JSON", '```json\n{"meta": {"name": "tides", "provider": "tides.example"}}\n```\n'],
    ["of a YAML flow mapping", '```yaml\n{"meta": {name: tides, provider: tides.example}}\n```\n'],
  ])("%s", (_case, fence) => {
    expect(providerOf(HEADER + fence)).toBe("tides.example");
  });

  test("with carriage returns at the ends of its lines", () => {
    expect(providerOf(`${HEADER}\`\`\`yaml\n${META}\n\`\`\`\n`.replaceAll("\n", "\r\n"))).toBe(
      "tides.example",
    );
  });

  test("though a longer fence shows another one inside", () => {
    const example = "````md\n```yaml\nmeta: {name: other}\n```\n````\n";
    expect(providerOf(`${HEADER}${example}\n\`\`\`yaml\n${META}\n\`\`\`\n`)).toBe("tides.example");
  });

  test("in a document without front matter, which it names", () => {
    const { skill, diagnostics } = compiled(
      "# Tides\n\n```yaml\nmeta: {name: tides, description: The tides at a harbour., version: 1.2.3, category: analysis}\n```\n",
    );
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject({ name: "tides", version: "1.2.3", category: "analysis", prose: "# Tides" });
  });
});

describe("a fence is prose", () => {
  test.each([
    ["a Kubernetes manifest", "```yaml\napiVersion: v1\nkind: Pod\nmetadata: {name: tides}\n```\n"],
    ["a manifest beside a section's name", "```yaml\nkind: Config\nupstream: {base_url: x}\n```\n"],
    ["a workflow", "```yaml\nname: build\non: push\njobs: {}\n```\n"],
    ["another language", `\`\`\`toml\n${META}\n\`\`\`\n`],
    ["no language", `\`\`\`\n${META}\n\`\`\`\n`],
    ["an inner fence of a longer one", `\`\`\`\`md\n\`\`\`yaml\n${META}\n\`\`\`\n\`\`\`\`\n`],
    ["an inner fence of tildes", `~~~md\n\`\`\`yaml\n${META}\n\`\`\`\n~~~\n`],
    ["a text that only looks like a fence", `    \`\`\`yaml\n    ${META}\n    \`\`\`\n`],
    ["a list", "```yaml\n- meta\n- functions\n```\n"],
    ["a JSON list", '```json\n[{"meta": 1}]\n```\n'],
    ["JSON with other keys", '```json\n{"meta": {"name": "x"}, "data": []}\n```\n'],
    ["broken JSON with other keys", '```json\n{"data": [1, 2\n```\n'],
    ["an empty block", "```yaml\n```\n"],
    ["only comments", "```yaml\n# meta:\n```\n"],
  ])("%s", (_case, fence) => {
    const { skill, diagnostics } = compiled(HEADER + fence);
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject({ provider: null, functions: [], prose: fence.trimEnd() });
  });

  test.each([
    ["functions of a deployment", "functions:\n  hello: {handler: index.hello}"],
    ["functions that are names", "functions: [a, b]"],
    ["examples of something else", "examples:\n  - {input: 1, output: 2}"],
    ["a meta without a name", "meta: {charset: utf-8}"],
    ["an upstream without a base URL", "upstream:\n  server: 10.0.0.1:80"],
    ["constraints in a list", "constraints: [a]"],
  ])("that looks like a protocol block is left alone, with a warning: %s", (_case, yaml) => {
    const fence = `\`\`\`yaml\n${yaml}\n\`\`\``;
    const { skill, diagnostics } = compiled(HEADER + fence);
    expect(diagnostics).toMatchObject([
      { code: "protocol-like-fence", severity: "warning", line: 5, column: 1 },
    ]);
    expect(skill?.prose).toBe(fence);
  });

  test("a warning says which key is none of a skill's, in JSON with comments too", () => {
    const fence = '```json\n{\n  // ours\n  "functions": [{"name": "f", "compute": "1"}]\n}\n```';
    const { skill, diagnostics } = compiled(HEADER + fence);
    expect(diagnostics).toMatchObject([{ code: "protocol-like-fence", line: 5 }]);
    expect(diagnostics[0]?.message).toMatch(/is not one of meta, upstream, /);
    expect(skill?.prose).toBe(fence);
  });

  test("not where its functions are a skill's: then what is wrong beside them is an error", () => {
    const functions = "functions:\n  - {name: f, description: d, compute: 1 + 1}";
    expect(
      said(`${HEADER}\`\`\`yaml\n${functions}\nupstream: {baseUrl: https://a.example}\n\`\`\`\n`),
    ).toEqual(["missing-field 8:11", "unknown-field 8:12"]);
    expect(said(`${HEADER}\`\`\`yaml\n${functions}\nconstraints: [a]\n\`\`\`\n`)).toEqual([
      "wrong-type 8:14",
    ]);
  });

  test("not where it is indented by tabs, which take its fields for keys at the top", () => {
    const fence = "```yaml\nfunctions:\n\t- name: f\n\t  compute: 1 + 1\n```\n";
    expect(said(HEADER + fence)[0]).toMatch(/^yaml-syntax /);
  });

  test("a block with a syntax error is none of these: it is an error", () => {
    expect(said(`${HEADER}\`\`\`yaml\nmeta: {name: tides\nfunctions: [\n\`\`\`\n`)[0]).toMatch(
      /^yaml-syntax 7:/,
    );
  });
});

describe("several blocks", () => {
  const compute = (name: string) => `  - {name: ${name}, description: Computes., compute: 1 + 1}`;

  test("have their functions and examples joined, in order", () => {
    const example = (name: string) => `examples:\n  - {user: ask, function: ${name}, params: {}}`;
    const blocks = [
      `functions:\n${compute("one")}`,
      `functions:\n${compute("two")}\n${example("one")}`,
      example("two"),
    ];
    const { skill, diagnostics } = compiled(
      HEADER + blocks.map((yaml) => `\`\`\`yaml\n${yaml}\n\`\`\`\n`).join("\nAnd\n\n"),
    );
    expect(diagnostics).toEqual([]);
    expect(skill?.functions.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(skill?.examples.map(({ calls }) => calls[0]?.function)).toEqual(["one", "two"]);
    expect(skill?.prose).toBe("And\n\nAnd");
  });

  test.each([
    "meta: {name: tides}",
    "upstream: {base_url: https://x.example}",
    "upstreams: {}",
    "constraints: {}",
  ])("may not both have %s", (yaml) => {
    const block = `\`\`\`yaml\n${yaml}\n\`\`\`\n`;
    expect(said(HEADER + block + block)).toEqual(["duplicate-section 9:1"]);
  });
});

describe("prose", () => {
  test("is the body without protocol blocks, with one blank line in the place of each", () => {
    const text = `${HEADER}\n\nBefore.\n\n\`\`\`yaml\n${META}\n\`\`\`\n\n\nAfter.\n`;
    expect(compiled(text).skill?.prose).toBe("Before.\n\nAfter.");
  });

  test("keeps its own blank lines, code among them", () => {
    const code = "```python\na = 1\n\n\n\nb = 2\n```";
    expect(compiled(`${HEADER}${code}\n\n\n\nMore.\n`).skill?.prose).toBe(`${code}\n\n\n\nMore.`);
  });

  test("keeps the indentation of its first line", () => {
    expect(compiled(`${HEADER}\n    code\n`).skill?.prose).toBe("    code");
  });
});
