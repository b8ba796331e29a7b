import { describe, expect, test } from "vitest";
import type { PromptPart } from "../../../../../src/ir.ts";
import { compiled, said, withBlock } from "../../../compiled.ts";

interface Case {
  properties?: string;
  required?: string;
  prompt: string;
}

/** A prompt function; its properties begin on line 9 behind column 29, its prompt on line 10 behind column 12. */
function skillWith({ properties = "{}", required = "[]", prompt }: Case): string {
  return withBlock(
    [
      "functions:",
      "  - name: f",
      "    description: d",
      `    parameters: {properties: ${properties}, required: ${required}}`,
      `    prompt: ${prompt}`,
    ].join("\n"),
  );
}

function partsOf(parts: Case): PromptPart[] {
  const { skill, diagnostics } = compiled(skillWith(parts));
  expect(diagnostics).toEqual([]);
  const binding = skill?.functions[0]?.binding;
  return binding?.kind === "prompt" ? binding.parts : [];
}

const PERIOD = "period: {x-clause-key: period_clause, x-clause-template: '（{value}期间）'}";

describe("a prompt", () => {
  test("places parameters and the clauses of optional ones", () => {
    const parts = partsOf({
      properties: `{dimension: {}, ${PERIOD}}`,
      required: "[dimension]",
      prompt: "对比{dimension}{period_clause}的指标，{dimension}优先。",
    });
    expect(parts).toEqual([
      "对比",
      { parameter: "dimension" },
      { clause: "period", pieces: ["（", { parameter: "period" }, "期间）"] },
      "的指标，",
      { parameter: "dimension" },
      "优先。",
    ]);
  });

  test("has clauses that name other parameters, and one may name its own twice", () => {
    const parts = partsOf({
      properties: "{a: {}, unit: {}, b: {x-clause-key: b_clause, x-clause-template: '{value} {unit} = {b}'}}",
      prompt: "'{a}{b_clause}'",
    });
    expect(parts).toEqual([
      { parameter: "a" },
      {
        clause: "b",
        pieces: [{ parameter: "b" }, " ", { parameter: "unit" }, " = ", { parameter: "b" }],
      },
    ]);
  });

  test("has clauses without a value", () => {
    const properties = "{charts: {type: boolean, x-clause-key: c, x-clause-template: With charts.}}";
    expect(partsOf({ properties, prompt: "'Analyse. {c}'" })).toEqual([
      "Analyse. ",
      { clause: "charts", pieces: ["With charts."] },
    ]);
  });

  test("may be text alone", () => {
    expect(partsOf({ prompt: "'{{a}} {\"b\": 1}'" })).toEqual(['{a} {"b": 1}']);
  });

  test("only reads and reaches nothing", () => {
    const { skill } = compiled(skillWith({ prompt: "Hello." }));
    expect(skill?.functions[0]?.annotations).toEqual({
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
    });
  });
});

describe("what is wrong with a prompt", () => {
  test.each<[string, Case, string[]]>([
    ["a placeholder of nothing", { prompt: "x {b}" }, ["parameter-unknown 10:15"]],
    ["a prompt without a text", { prompt: "'  '" }, ["empty-field 10:13"]],
    ["a prompt that is a list", { prompt: "[a]" }, ["wrong-type 10:13"]],
    [
      "a parameter that stands nowhere",
      { properties: "{a: {}}", prompt: "x" },
      ["parameter-not-placed 9:31"],
    ],
    [
      "a clause that names what is no parameter",
      {
        properties: "{a: {x-clause-key: k, x-clause-template: '{value} {b}'}}",
        prompt: "'{k}'",
      },
      ["parameter-unknown 9:80"],
    ],
    [
      "a clause within a clause",
      {
        properties: `{${PERIOD}, a: {x-clause-key: k, x-clause-template: '{period_clause}'}}`,
        prompt: "'{k}{period_clause}'",
      },
      ["parameter-unknown 9:145"],
    ],
    [
      "a key without a clause",
      { properties: "{a: {x-clause-key: k}}", prompt: "'{k}'" },
      ["clause-incomplete 9:35"],
    ],
    [
      "a clause without a key",
      { properties: "{a: {x-clause-template: '{value}'}}", prompt: "'{a}'" },
      ["clause-incomplete 9:35"],
    ],
    [
      "a key that is a parameter's name",
      { properties: "{a: {x-clause-key: b, x-clause-template: x}, b: {}}", prompt: "'{a}{b}'" },
      ["clause-key-taken 9:49"],
    ],
    [
      "a key given twice",
      {
        properties:
          "{a: {x-clause-key: k, x-clause-template: x}, b: {x-clause-key: k, x-clause-template: x}}",
        prompt: "'{k}{b}'",
      },
      ["clause-key-taken 9:93"],
    ],
    [
      "a key that is no name",
      { properties: "{a: {x-clause-key: '{k}', x-clause-template: x}}", prompt: "'{a}'" },
      ["wrong-type 9:49"],
    ],
    [
      "a clause that is no text",
      { properties: "{a: {x-clause-key: k, x-clause-template: [x]}}", prompt: "'{k}'" },
      ["wrong-type 9:71"],
    ],
    ["a clause that nothing places", { properties: `{${PERIOD}}`, prompt: "x" }, ["clause-not-placed 9:54"]],
    [
      "a clause of a required parameter",
      { properties: `{${PERIOD}}`, required: "[period]", prompt: "'{period_clause}'" },
      ["clause-always-present 9:40"],
    ],
    [
      "a clause of a parameter with a default",
      { properties: "{a: {x-clause-key: k, x-clause-template: x, default: 1}}", prompt: "'{k}'" },
      ["clause-always-present 9:35"],
    ],
    [
      "a clause of a parameter whose default has no text",
      { properties: "{a: {x-clause-key: k, x-clause-template: x, default: ''}}", prompt: "'{k}'" },
      [],
    ],
    [
      "a schema that is not good, and nothing of what refers to it",
      { properties: "{a: {type: strng, x-clause-key: k, x-clause-template: '{value}'}}", prompt: "'{k}'" },
      ["schema-keyword-invalid 9:41"],
    ],
  ])("%s is said", (_case, parts, diagnostics) => {
    expect(said(skillWith(parts))).toEqual(diagnostics);
  });

  test.each([
    ["a parameter", "{harbour: {}}", "'{harbor} {harbour}'", "{harbour}"],
    ["a clause", `{${PERIOD}}`, "'{period_claus} {period_clause}'", "{period_clause}"],
    ["a name in doubled braces", "{harbour: {}}", "'{{harbour}}'", "{harbour}"],
  ])("%s is put right", (_case, properties, prompt, fix) => {
    expect(compiled(skillWith({ properties, prompt })).diagnostics).toMatchObject([{ fix }]);
  });

  test.each([
    ["behind an escape", '"潮\\"{«nothing»}"'],
    ["on a later line", "|\n      潮汐\n      a {«nothing»}"],
  ])("is shown where it stands: %s", (_case, marked) => {
    const text = skillWith({ prompt: marked }).replace(/[«»]/g, "");
    const before = skillWith({ prompt: marked }).split("«")[0]?.split("\n") ?? [];
    expect(compiled(text).diagnostics).toMatchObject([
      {
        code: "parameter-unknown",
        line: before.length,
        column: [...(before.at(-1) ?? "")].length,
        endColumn: [...(before.at(-1) ?? "")].length + "{nothing}".length,
      },
    ]);
  });
});
