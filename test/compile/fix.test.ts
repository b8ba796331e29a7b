import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyEdits,
  type CompileOptions,
  type DiagnosticCode,
  fixSkill,
  mechanicalFixes,
} from "../../src/compile/index.ts";
import { compiled, HEADER, said, withBlock } from "./compiled.ts";
import { mutated } from "./mutated.ts";

const OPTIONS: CompileOptions = {
  file: "SKILL.md",
  folder: null,
  mayNameBaseUrlVariable: () => true,
  isUpload: false,
};

const fixed = (text: string): string => fixSkill(text, OPTIONS);

const folder = join(import.meta.dirname, "../fixtures/compile");
const fixtures = readdirSync(folder).filter((name) => name.endsWith(".md"));
const fixture = (name: string): string => readFileSync(join(folder, name), "utf8");
/** One of them takes more than a document: the files beside it, which are in a test of their own. */
const mechanical = (Object.keys(mechanicalFixes) as DiagnosticCode[]).filter(
  (code) => code !== "reference-inexact",
);

describe("every code that a machine may fix", () => {
  test.each(mechanical)("%s carries its edit, after which it is not said any more", (code) => {
    const text = fixture(`${code}.md`);
    const [diagnostic] = compiled(text).diagnostics;
    expect(diagnostic?.edits).not.toEqual([]);
    expect(said(applyEdits(text, diagnostic?.edits ?? []))).toEqual([]);
    expect(said(fixed(text))).toEqual([]);
  });

  test.each(mechanical.filter((code) => mechanicalFixes[code] === "same"))(
    "%s leaves the skill as it was read",
    (code) => {
      const text = fixture(`${code}.md`);
      expect(compiled(fixed(text)).skill).toEqual(compiled(text).skill);
    },
  );

  test.each(fixtures)("no other code carries edits: %s", (name) => {
    const codes = compiled(fixture(name))
      .diagnostics.filter(({ edits }) => edits.length > 0)
      .map(({ code }) => code);
    expect(codes.filter((code) => mechanicalFixes[code] === undefined)).toEqual([]);
  });
});

describe("a fixed document", () => {
  const front = (lines: string): string => `---\nname: tides\n${lines}\n---\n`;
  const described = (line: string): string => front(`description: Times and heights of the tides.\n${line}`);
  const compute = (field: string): string =>
    withBlock(`functions:\n  - name: f\n    description: d\n    compute: "1"\n    ${field}`);

  test.each([
    ["an unquoted colon", front("description: Tides: times"), front('description: "Tides: times"')],
    [
      "a value with quotes and a backslash",
      front('description: Say: "C:\\tides"'),
      front('description: "Say: \\"C:\\\\tides\\""'),
    ],
    ["blank lines first", `\n \n${HEADER}`, HEADER],
    ["a list where a text belongs", described("license: [MIT]"), described('license: "[MIT]"')],
    [
      "a list over several lines",
      described("license: [MIT,\n  BSD]"),
      described('license: "[MIT,\\n  BSD]"'),
    ],
    ["a category with a letter too few", described("category: analyss"), described("category: analysis")],
    ["a category in quotes", described("category: 'analysys'"), described("category: 'analysis'")],
    ["a field in another case", compute("Timeout: 5s"), compute("timeout: 5s")],
    ["a field with two letters swapped", compute("tiemout: 5s"), compute("timeout: 5s")],
    ["a field in quotes", compute('"timeot": 5s'), compute('"timeout": 5s')],
    [
      "a method in small letters",
      withBlock(
        "upstream: {base_url: https://a.example}\nfunctions:\n  - {name: f, description: d, request: {method: get, path: /}}",
      ),
      withBlock(
        "upstream: {base_url: https://a.example}\nfunctions:\n  - {name: f, description: d, request: {method: GET, path: /}}",
      ),
    ],
    [
      "a keyword of a schema",
      compute("parameters: {properties: {a: {type: string, minLenght: 1}}}"),
      compute("parameters: {properties: {a: {type: string, minLength: 1}}}"),
    ],
    [
      "hidden characters in a value, a key and prose",
      `${front("descri\u200Bption: Times and\u200B heights of the\u{E0041} tides.")}\nProse\u2060.\n`,
      `${front("description: Times and heights of the tides.")}\nProse.\n`,
    ],
    [
      "a name, in both places that give it",
      "---\nname: Tide Tables\ndescription: Times and heights of the tides.\n---\n```json\n" +
        '{"meta": {"name": "Tide Tables"}}\n```\n',
      "---\nname: tide-tables\ndescription: Times and heights of the tides.\n---\n```json\n" +
        '{"meta": {"name": "tide-tables"}}\n```\n',
    ],
    [
      "what only a first fix lays open",
      front("description: Tides: times\u200B and heights\ncategory: [x]"),
      front('description: "Tides: times and heights"\ncategory: "[x]"'),
    ],
    [
      "a block in a quote",
      `${HEADER}> \`\`\`yaml\n> functions:\n>   - {name: f, description: d, compute: "1", Cost: 2}\n> \`\`\`\n`,
      `${HEADER}> \`\`\`yaml\n> functions:\n>   - {name: f, description: d, compute: "1", cost: 2}\n> \`\`\`\n`,
    ],
  ])("has %s put right", (_case, before, after) => {
    expect(fixed(before)).toBe(after);
  });

  test.each([
    ["a name that might be two others", "cots: 1\n    cosst: 2"],
    ["a field that is there already", "cost: 1\n    Cost: 2"],
    ["a name that is only similar", "tmeuot: 5s"],
    ["a name that aliases stand for too", "&a Timeout: 5s\n    title: *a"],
  ])("is left alone by what is not plain: %s", (_case, fields) => {
    const text = compute(fields);
    expect(fixed(text)).not.toMatch(/timeout|cost: 1\n {4}cost/);
    expect(compiled(fixed(text)).skill).not.toBeNull();
  });

  test("compiles where it did before: a right name with a wrong value is left to people", () => {
    const text = compute("Timeout: 5m\n    titel: t");
    expect(fixed(text)).toBe(compute("Timeout: 5m\n    title: t"));
  });

  test("has more put right than a compilation can say", () => {
    const functions = (key: string) =>
      Array.from(
        { length: 120 },
        (_, index) => `  - {name: f${index}, description: d, compute: "1", ${key}: 2}`,
      );
    const text = withBlock(`functions:\n${functions("Cost").join("\n")}`);
    expect(fixed(text)).toBe(withBlock(`functions:\n${functions("cost").join("\n")}`));
  });

  test("has paths put right that are found only under another letter case", () => {
    const files = ["references/Harbours.md", "assets/a b.svg"].map((path) => ({ path, text: null }));
    const options = { ...OPTIONS, folder: "tides", files };
    const text = (path: string) =>
      `${HEADER}\nRead [them](${path}#north), and \`${path}\` again. ![](<assets/A B.svg>)\n`;
    const before = text("references/harbours.md");
    expect(fixSkill(before, options)).toBe(text("references/Harbours.md"));
  });

  test("keeps its byte order mark, its line ends and its missing last one", () => {
    const before =
      "\uFEFF---\r\nname: Tides\r\ndescription: Tides: times and heights\r\n---\r\n\r\nProse.\rMore\n.";
    const after =
      '\uFEFF---\r\nname: tides\r\ndescription: "Tides: times and heights"\r\n---\r\n\r\nProse.\rMore\n.';
    expect(fixed(before)).toBe(after);
  });
});

describe("what OpenAPI has in its own way", () => {
  const flow = (properties: string): string =>
    withBlock(
      `functions:\n  - name: f\n    description: d\n    compute: "1"\n    parameters: {properties: ${properties}}`,
    );
  const block = (lines: string): string =>
    withBlock(
      `functions:\n  - name: f\n    description: d\n    compute: "1"\n    parameters:\n      properties:\n        a:\n${lines}`,
    );

  test.each([
    ["{a: {type: string, nullable: true}}", '{a: {type: [string, "null"]}}'],
    ["{a: {nullable: true, type: string}}", '{a: {type: [string, "null"]}}'],
    ['{"a": {"type": "string", "nullable": true}}', '{"a": {"type": ["string", "null"]}}'],
    ["{a: {type: string, nullable: false}}", "{a: {type: string}}"],
    ["{a: {title: A, nullable: true}}", "{a: {title: A}}"],
    ["{a: {type: number, required: false}}", "{a: {type: number}}"],
    ["{a: {minimum: 0, exclusiveMinimum: true}}", "{a: {exclusiveMinimum: 0}}"],
    ["{a: {exclusiveMaximum: true, maximum: 0, minimum: 0}}", "{a: {exclusiveMaximum: 0, minimum: 0}}"],
    ["{a: {exclusiveMinimum: false, minimum: 0}}", "{a: {minimum: 0}}"],
    ["{a: {type: string, example: 'x, y'}}", "{a: {type: string, examples: ['x, y']}}"],
    [
      "{a: {type: number, nullable: true, example: 7}, b: {type: string, nullable: true}}",
      '{a: {type: [number, "null"], examples: [7]}, b: {type: [string, "null"]}}',
    ],
  ])("is written as JSON Schema has it: %s", (before, after) => {
    expect(fixed(flow(before))).toBe(flow(after));
    expect(compiled(flow(after)).skill).toEqual(compiled(flow(before)).skill);
  });

  test.each([
    [
      "          type: string\n          nullable: true\n          title: A",
      '          type: [string, "null"]\n          title: A',
    ],
    ["          nullable: true\n          type: string", '          type: [string, "null"]'],
    ["          type: string\n          example: Kiel", "          type: string\n          examples: [Kiel]"],
  ])("is written as JSON Schema has it, over lines: %j", (before, after) => {
    expect(fixed(block(before))).toBe(block(after));
    expect(compiled(block(after)).skill).toEqual(compiled(block(before)).skill);
  });

  test.each([
    ["values that null is not among", flow("{a: {enum: [x], type: string, nullable: true}}")],
    ["a list of types", flow("{a: {type: [string, integer], nullable: true}}")],
    ["a combination", flow("{a: {anyOf: [{type: string}], nullable: true}}")],
    ["nothing else in the schema", flow("{a: {nullable: true}}")],
    ["examples beside an example", flow("{a: {examples: [x], example: y}}")],
    ["a text that a list would cut", block("          type: string\n          example: x, y")],
    ["a comment beside it", block("          type: string\n          nullable: true # or nothing")],
    ["an example over several lines", block("          type: object\n          example:\n            x: y")],
  ])("is left to people where it is not only a word: %s", (_case, text) => {
    expect(said(text)).not.toEqual([]);
    expect(fixed(text)).toBe(text);
  });
});

describe("whatever the document", () => {
  test("fixing again changes nothing, and no edit is left that could be made", () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const once = fixed(text);
        expect(fixed(once)).toBe(once);
      }),
      { numRuns: 150 },
    );
  });

  test("edits come only with codes that a machine may fix, and what compiles still does", () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const { skill, diagnostics } = compiled(text);
        for (const { code, edits } of diagnostics)
          if (edits.length > 0) expect(mechanicalFixes[code]).toBeDefined();
        if (skill !== null) expect(compiled(fixed(text)).skill).not.toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  test("the same is fixed whatever its line ends are and with a byte order mark", () => {
    const plainText = (text: string) => text.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
    fc.assert(
      fc.property(mutated, (text) => {
        const plain = plainText(text);
        fc.pre(!plain.startsWith("\uFEFF"));
        const dressed = fixed(`\uFEFF${plain.replaceAll("\n", "\r\n")}`);
        expect(dressed).toBe(`\uFEFF${fixed(plain).replaceAll("\n", "\r\n")}`);
      }),
      { numRuns: 100 },
    );
  });
});
