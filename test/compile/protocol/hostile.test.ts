import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_DIAGNOSTICS } from "../../../src/limits.ts";
import { compiled, withBlock } from "../compiled.ts";

const repeated = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(", ");

/** A function with so many parameters, each of them made by its number. */
const withParameters = (count: number, make: (index: number) => string, rest: string): string =>
  withBlock(
    `functions:\n- name: f\n  description: d\n  parameters: {properties: {${repeated(count, (index) => `p${index}: ${make(index)}`)}}}\n  ${rest}`,
  );

describe("a document made to cost much is read or refused like any other", () => {
  test("a prompt of two hundred thousand braces is text", () => {
    const prompt = "{".repeat(200_000);
    const { skill, diagnostics } = compiled(
      withBlock(`functions:\n- {name: f, description: d, prompt: '${prompt}'}`),
    );
    expect(diagnostics).toEqual([]);
    expect(skill?.functions[0]?.binding).toEqual({ kind: "prompt", parts: [prompt.slice(100_000)] });
  });

  test.each<[string, string]>([
    [
      "unknown placeholders",
      withBlock(`functions:\n- {name: f, description: d, prompt: '${"{a}".repeat(20_000)}'}`),
    ],
    ["parameters that a prompt does not use", withParameters(3_000, () => "{}", "prompt: x")],
    [
      "clauses that name what is no parameter",
      withParameters(2_000, (index) => `{x-clause-key: k${index}, x-clause-template: '{z}'}`, "prompt: x"),
    ],
    ["habits", withParameters(2_000, () => "{nullable: true, allOf: [{}], example: x}", "compute: 1 + 1")],
    [
      "parameters of one name on the wire",
      withParameters(2_000, () => "{x-name: a}", "request: {method: GET, path: /x}"),
    ],
    ["keywords of another kind of function", withParameters(3_000, () => "{x-in: query}", "compute: 1 + 1")],
  ])("of many %s the first hundred are named", (_case, text) => {
    expect(compiled(text).diagnostics).toHaveLength(MAX_DIAGNOSTICS);
  });

  test("wrapped schemas within wrapped schemas keep the place of what is wrong", () => {
    const depth = 12;
    const open = "{nullable: true, allOf: [".repeat(depth);
    const schema = `${open}{type: strng}${"]}".repeat(depth)}`;
    const { diagnostics } = compiled(
      withBlock(
        `functions:\n- name: f\n  description: d\n  parameters: {properties: {a: ${schema}}}\n  compute: 1 + 1`,
      ),
    );
    const column = "  parameters: {properties: {a: ".length + open.length + "{type: ".length + 1;
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ line: 9, column }]);
  });
});

test("whatever stands in a prompt, a clause or a step, reading it ends with a skill or an error", () => {
  const text = fc.string({ unit: fc.constantFrom(..."{}$.'\" ab潮\\n0[]()") });
  fc.assert(
    fc.property(text, text, text, (prompt, clause, expression) => {
      const properties = { a: { "x-clause-key": "b", "x-clause-template": clause } };
      const step = { id: "s", call: "f", when: expression, with: { a: expression } };
      const functions = [
        { name: "f", description: "d", parameters: { properties }, prompt },
        { name: "g", description: "d", steps: [step, { ...step, id: "t" }], result: expression },
      ];
      const { skill, diagnostics } = compiled(withBlock(JSON.stringify({ functions })));
      expect(skill === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
    }),
  );
});
