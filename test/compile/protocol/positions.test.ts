import { describe, expect, test } from "vitest";
import { compiled, HEADER } from "../compiled.ts";

/** The lines of a function that computes something, with a list of texts that hold the place. */
function document(fence: (yaml: string[]) => string, compute: string[]): string {
  return (
    HEADER +
    fence([
      "functions:",
      "  - name: f",
      "    description: Computes.",
      ...compute.map((line) => `    ${line}`),
    ])
  );
}

const fences: [string, (yaml: string[]) => string][] = [
  ["at the left edge", (yaml) => `\`\`\`yaml\n${yaml.join("\n")}\n\`\`\`\n`],
  ["in a list", (yaml) => `- one\n\n  \`\`\`yaml\n${yaml.map((line) => `  ${line}`).join("\n")}\n  \`\`\`\n`],
  ["in a quote", (yaml) => `> \`\`\`yaml\n${yaml.map((line) => `> ${line}`).join("\n")}\n> \`\`\`\n`],
  [
    "of tildes in a list in a quote",
    (yaml) => `> - ~~~yaml\n${yaml.map((line) => `>   ${line}`).join("\n")}\n>   ~~~\n`,
  ],
];

/** Ways of writing an expression in YAML; `«» ` marks where the fault is in the source. */
const styles: [string, string[]][] = [
  ["plain", ["compute: 1 + «nothing»"]],
  ["plain, behind Chinese", ['compute: size("潮汐") + «nothing»']],
  ["plain, over two lines", ["compute: 1 +", "  «nothing» + 2"]],
  ["in single quotes", ["compute: '1 + «nothing»'"]],
  ["in single quotes, behind a doubled one", ["compute: 'size(''ab'') + «nothing»'"]],
  ["in double quotes", ['compute: "1 + «nothing»"']],
  ["in double quotes, behind escapes", ['compute: "size(\\"a\\u6F6E\\") + «nothing»"']],
  ["literal", ["compute: |", "  1 +", "    2 +", "  «nothing»"]],
  ["literal, without the last line feed", ["compute: |-", "  1 +", "  «nothing»"]],
  ["folded", ["compute: >-", "  1 +", "  2 + «nothing»", "  + 3"]],
  ["folded, with a blank line", ["compute: >", "  1 +", "", "  «nothing»"]],
];

describe.each(fences)("an expression's fault in a fence %s", (_case, fence) => {
  test.each(styles)("is shown where it stands: %s", (_style, lines) => {
    const marked = document(fence, lines);
    const text = marked.replace(/[«»]/g, "");
    const before = marked.slice(0, marked.indexOf("«")).split("\n");
    const line = before.length;
    const column = [...(before.at(-1) ?? "")].length + 1;
    const [diagnostic] = compiled(text).diagnostics;
    expect(diagnostic).toMatchObject({
      code: "expression-invalid",
      line,
      column,
      endColumn: column + "nothing".length,
    });
  });
});

describe("a template's fault", () => {
  test.each([
    ["the second expression of a text", "a: '潮 ${1} 汐 ${«nothing»}'"],
    ["an expression in a list", "a: [x, 'y ${«nothing»}']"],
    ["an expression in a mapping", "a: {b: {c: '${1 + «nothing»}'}}"],
    ["an expression that is never closed", "a: 'x «${1»'"],
  ])("is shown where it stands: %s", (_case, body) => {
    const lines = [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "  - name: f",
      "    description: Sends.",
      "    request:",
      "      method: POST",
      "      path: /x",
      `      body: {${body}}`,
    ];
    const column = `      body: {${body}}`.indexOf("«") + 1;
    const text = `${HEADER}\`\`\`yaml\n${lines.join("\n").replace(/[«»]/g, "")}\n\`\`\`\n`;
    expect(compiled(text).diagnostics[0]).toMatchObject({ code: "expression-invalid", line: 13, column });
  });
});

test("a misspelt name is put right where one is close", () => {
  const yaml =
    "functions:\n  - name: f\n    description: d\n    parameters: {properties: {symbol: {type: string}}}\n    compute: symbl";
  const [diagnostic] = compiled(`${HEADER}\`\`\`yaml\n${yaml}\n\`\`\`\n`).diagnostics;
  expect(diagnostic).toMatchObject({
    message: "functions[0].compute: there is no symbl here",
    fix: "symbol",
  });
});
