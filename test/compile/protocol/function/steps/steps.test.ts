import { describe, expect, test } from "vitest";
import type { Annotations, Binding } from "../../../../../src/ir.ts";
import { MAX_STEPS } from "../../../../../src/limits.ts";
import { compiled, said, withBlock } from "../../../compiled.ts";

/** Functions to call; they take lines 6 to 14. */
const FUNCTIONS = [
  "upstream: {base_url: https://x.example}",
  "functions:",
  "  - {name: get, description: d, request: {method: GET, path: /x},",
  "     parameters: {properties: {a: {type: integer}, b: {default: 1}, c: {}}, required: [a, b]}}",
  "  - {name: set, description: d, request: {method: POST, path: /x}}",
  "  - {name: drop, description: d, request: {method: DELETE, path: /x}}",
  "  - {name: add, description: d, compute: args.size(), parameters: {additionalProperties: true}}",
  "  - name: f",
  "    description: d",
];

/** A chain: its parameters are on line 15, its steps begin on line 17 behind column 6. */
function skillWith(
  steps: readonly string[],
  rest: readonly string[] = [],
  parameters = "{n: {type: integer}}",
): string {
  return withBlock(
    [
      ...FUNCTIONS,
      `    parameters: {properties: ${parameters}}`,
      "    steps:",
      ...steps.map((step) => `    - ${step}`),
      ...rest.map((line) => `    ${line}`),
    ].join("\n"),
  );
}

type Chain = Extract<Binding, { kind: "steps" }>;

function chainOf(steps: readonly string[], rest: readonly string[] = []): Chain {
  const { skill, diagnostics } = compiled(skillWith(steps, rest));
  expect(diagnostics).toEqual([]);
  const binding = skill?.functions.at(-1)?.binding;
  if (binding?.kind !== "steps") throw new Error("the function is no chain");
  return binding;
}

const literal = (value: number) => ({ kind: "literal", value });

describe("a chain", () => {
  test("is read with all that its steps may say", () => {
    const chain = chainOf(
      [
        '{id: one, call: other_skill, for_each: "[n, 2]", when: n > 0, with: {a: "${item}", b: ["${index}", 1]}}',
        '{id: two, call: get, with: {a: "${steps.one[0].x}"}}',
      ],
      ["result: steps.two"],
    );
    expect(chain).toEqual({
      kind: "steps",
      steps: [
        {
          id: "one",
          call: "other_skill",
          with: {
            kind: "object",
            members: [
              ["a", { kind: "expression", source: "item" }],
              ["b", { kind: "array", items: [{ kind: "expression", source: "index" }, literal(1)] }],
            ],
          },
          when: "n > 0",
          forEach: "[n, 2]",
          after: [],
        },
        {
          id: "two",
          call: "get",
          with: { kind: "object", members: [["a", { kind: "expression", source: "steps.one[0].x" }]] },
          when: null,
          forEach: null,
          after: ["one"],
        },
      ],
      result: "steps.two",
    });
  });

  test("may give all arguments by one expression, or none", () => {
    const chain = chainOf(['{id: a, call: x, with: "${args}"}', "{id: b, call: y}"]);
    expect(chain.steps.map((step) => step.with)).toEqual([
      { kind: "expression", source: "args" },
      { kind: "object", members: [] },
    ]);
  });

  test.each<[string, string[], string[][]]>([
    ["its arguments", ['{id: b, call: x, with: {v: {w: ["${steps.a.y}"]}}}'], [["a"]]],
    ["a text that holds it", ['{id: b, call: x, with: {v: "at ${1} ${steps.a}"}}'], [["a"]]],
    ["its list", ["{id: b, call: x, for_each: steps.a.list}"], [["a"]]],
    ["its condition", ["{id: b, call: x, when: steps.a != null}"], [["a"]]],
    ["an index", ["{id: b, call: x, when: 'steps[\"a\"] != null'}"], [["a"]]],
    ["all results at once", ["{id: b, call: x, when: size(steps) > 0}"], [["a"]]],
    ["a loop", ["{id: b, call: x, when: '[1].all(i, steps.a[i] > 0)'}"], [["a"]]],
    [
      "a loop's own variable of that name",
      ["{id: b, call: x, when: '[{\"a\": 1}].all(steps, steps.a > 0)'}"],
      [[]],
    ],
    ["a text that only reads like it", ["{id: b, call: x, with: {v: steps.a, w: '${\"steps.a\"}'}}"], [[]]],
    [
      "two others, in the order of the document",
      ["{id: b, call: x}", "{id: c, call: x, when: steps.b == steps.a}"],
      [[], ["a", "b"]],
    ],
  ])("has steps that wait for what they read by %s", (_case, steps, after) => {
    const chain = chainOf(["{id: a, call: x}", ...steps]);
    expect(chain.steps.map((step) => step.after)).toEqual([[], ...after]);
  });

  test("is put into an order in which each step comes after what it waits for", () => {
    const chain = chainOf(
      ["{id: b, call: x, when: steps.a > 1}", "{id: a, call: x}", "{id: c, call: x}"],
      ["result: '[steps.b, steps.c]'"],
    );
    expect(chain.steps.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("gives the result of the step that stands last, also where that one has to run first", () => {
    expect(chainOf(["{id: a, call: x}", "{id: b, call: x}"]).result).toBeNull();
    const chain = chainOf(["{id: b, call: x, when: steps.a > 1}", "{id: a, call: x}"]);
    expect(chain.steps.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(chain.result).toBe("steps.a");
  });
});

describe("what is wrong with a chain", () => {
  const many = Array.from({ length: MAX_STEPS + 1 }, (_, index) => `{id: s${index}, call: x}`);

  test.each<[string, string[], string[], string[]]>([
    ["a step without an id", ["{call: x}"], [], ["missing-field 17:7"]],
    ["a step that calls nothing", ["{id: a}"], [], ["missing-field 17:7"]],
    ["a step that is a text", ["a"], [], ["wrong-type 17:7"]],
    ["an id with a hyphen", ["{id: a-b, call: x}"], [], ["step-id-invalid 17:12"]],
    ["an id that expressions keep", ["{id: in, call: x}"], [], ["step-id-invalid 17:12"]],
    ["an id given twice", ["{id: a, call: x}", "{id: a, call: y}"], [], ["step-duplicate 18:12"]],
    ["a field that means nothing", ["{id: a, call: x, args: {}}"], [], ["unknown-field 17:24"]],
    ["arguments that are a list", ["{id: a, call: x, with: [1]}"], [], ["wrong-type 17:30"]],
    ["arguments that are a text", ["{id: a, call: x, with: hello}"], [], ["wrong-type 17:30"]],
    ["a condition that is a text", ["{id: a, call: x, when: '\"a\"'}"], [], ["expression-not-boolean 17:31"]],
    ["a list that is a number", ["{id: a, call: x, for_each: 1 + 1}"], [], ["expression-not-list 17:34"]],
    [
      "an element without a list",
      ['{id: a, call: x, with: {v: "${item}"}}'],
      [],
      ["expression-invalid 17:37"],
    ],
    [
      "an element in the condition",
      ["{id: a, call: x, for_each: '[1]', when: item > 0}"],
      [],
      ["expression-invalid 17:47"],
    ],
    ["a step that there is not", ["{id: a, call: x, when: steps.b > 1}"], [], ["step-unknown 17:30"]],
    [
      "such a step in the result",
      ["{id: a, call: x}"],
      ["result: steps.a + steps.b"],
      ["step-unknown 18:23"],
    ],
    [
      "such a step in a text",
      ['{id: a, call: x, with: {v: "潮 ${1 + steps.b}"}}'],
      [],
      ["step-unknown 17:43"],
    ],
    ["a step that waits for itself", ["{id: a, call: x, when: steps.a > 1}"], [], ["step-cycle 17:12"]],
    [
      "steps that wait for each other",
      ["{id: a, call: x}", "{id: b, call: x, when: steps.c > 1}", "{id: c, call: x, when: steps.b > 1}"],
      [],
      ["step-cycle 18:12"],
    ],
    [
      "a step that reads all and one that stands before it and waits for it",
      ["{id: a, call: x, when: steps.b > 1}", "{id: b, call: x, when: size(steps) > 0}"],
      [],
      ["step-cycle 17:12"],
    ],
    [
      "a step that nobody needs",
      ["{id: a, call: x}", "{id: b, call: x}"],
      ["result: steps.b"],
      ["step-unused 17:12"],
    ],
    [
      "a step that only an unneeded one needs",
      ["{id: a, call: x}", "{id: b, call: x, when: steps.a > 0}"],
      ["result: n"],
      ["step-unused 17:12", "step-unused 18:12"],
    ],
    ["no unneeded step where all results are read", ["{id: a, call: x}"], ["result: steps"], []],
    [
      "no unneeded step where it changes something",
      ["{id: a, call: set}", "{id: b, call: get, with: {a: 1}}"],
      ["result: steps.b"],
      [],
    ],
    ["one step too many", many, [], [`value-out-of-range ${17 + MAX_STEPS}:7`]],
    ["a result without steps", [], ["result: n"], ["empty-field 16:5"]],
  ])("%s is said", (_case, steps, rest, diagnostics) => {
    expect(said(skillWith(steps, rest))).toEqual(diagnostics);
  });

  test("a list of no steps is said", () => {
    const text = withBlock("functions:\n  - {name: f, description: d, steps: []}");
    expect(said(text)).toEqual(["empty-field 7:31"]);
  });

  test.each([
    ["an id", "{id: a-b, call: x}", "id: a_b"],
    ["a step that is misspelt", "{id: total, call: x, when: steps.totl > 0}", "steps.total"],
    ["a step's field", "{id: a, call: x, wen: true}", "when:"],
    ["an argument", "{id: a, call: get, with: {a: 1, cc: 2}}", "c:"],
  ])("%s is put right", (_case, step, fix) => {
    expect(compiled(skillWith([step])).diagnostics).toMatchObject([{ fix }]);
  });

  test.each([
    ["steps", "{id: a, call: x}", 1],
    ["item", "{id: a, call: x, for_each: '[1]'}", 1],
    ["index", "{id: a, call: x, for_each: '[1]'}", 1],
    ["item", "{id: a, call: x}", 0],
  ])("a parameter named %s is said to be hidden by %s", (name, step, count) => {
    const diagnostics = said(skillWith([step], [], `{${name}: {}}`));
    expect(diagnostics).toEqual(Array.from({ length: count }, () => "parameter-shadowed 15:31"));
  });
});

describe("the arguments of a step are checked against a function of the same document", () => {
  test.each<[string, string, string[]]>([
    ["an unknown one", "{call: get, id: a, with: {a: 1, d: 1}}", ["argument-unknown 17:39"]],
    ["a missing one", "{call: get, id: a, with: {c: 1}}", ["argument-missing 17:32"]],
    ["all of them missing", "{call: get, id: a}", ["argument-missing 17:7"]],
    ["one that is null", "{call: get, id: a, with: {a: null}}", ["argument-missing 17:32"]],
    ["one of the wrong kind", "{call: get, id: a, with: {a: x}}", ["schema-value-rejected 17:36"]],
    ["one that has a default", "{call: get, id: a, with: {a: 1}}", []],
    ["one that is computed", '{call: get, id: a, with: {a: "${n}"}}', []],
    ["arguments that are computed", '{call: get, id: a, with: "${args}"}', []],
    ["any of an open function", "{call: add, id: a, with: {z: 1}}", []],
    ["any of a function elsewhere", "{call: far, id: a, with: {z: 1}}", []],
  ])("%s", (_case, step, diagnostics) => {
    expect(said(skillWith([step]))).toEqual(diagnostics);
  });
});

describe("what a chain does to the world follows from what it calls", () => {
  const annotationsOf = (steps: string[], rest: string[] = []): Annotations | undefined =>
    compiled(skillWith(steps, rest)).skill?.functions.find(({ name }) => name === "f")?.annotations;

  test.each<[string, string[], Partial<Annotations>]>([
    [
      "only reads",
      ["{id: a, call: get, with: {a: 1}}", "{id: b, call: add}"],
      { readOnly: true, idempotent: true, openWorld: true },
    ],
    ["only computes", ["{id: a, call: add}"], { readOnly: true, openWorld: false }],
    [
      "also writes",
      ["{id: a, call: get, with: {a: 1}}", "{id: b, call: set}"],
      { readOnly: false, idempotent: false, destructive: false },
    ],
    ["deletes", ["{id: a, call: drop}"], { readOnly: false, destructive: true }],
    [
      "calls what is not known",
      ["{id: a, call: far}"],
      { readOnly: false, destructive: false, openWorld: true },
    ],
    ["calls itself", ["{id: a, call: f}"], { readOnly: false }],
  ])("one that %s", (_case, steps, annotations) => {
    expect(annotationsOf(steps)).toMatchObject(annotations);
  });

  test("and gives way to what the document says", () => {
    const annotations = annotationsOf(
      ["{id: a, call: set}"],
      ["annotations: {read_only: true, open_world: false}"],
    );
    expect(annotations).toMatchObject({ readOnly: true, openWorld: false, idempotent: true });
  });

  test("a chain of chains reads only where the last of them does, in whatever order they stand", () => {
    const chain = (name: string, call: string) =>
      `  - {name: ${name}, description: d, steps: [{id: a, call: ${call}}]}`;
    const compute = "  - {name: last, description: d, compute: 1 + 1}";
    const text = withBlock(
      ["functions:", chain("one", "two"), chain("two", "last"), compute, chain("three", "far")].join("\n"),
    );
    const readOnly = compiled(text).skill?.functions.map(({ annotations }) => annotations.readOnly);
    expect(readOnly).toEqual([true, true, true, false]);
  });

  test("a hundred chains that each call the next twenty times are looked at once each", () => {
    const steps = (call: string) =>
      Array.from({ length: MAX_STEPS }, (_, index) => `{id: s${index}, call: ${call}}`).join(", ");
    const chains = Array.from(
      { length: 100 },
      (_, index) => `  - {name: f${index}, description: d, steps: [${steps(`f${index + 1}`)}]}`,
    );
    const text = withBlock(
      ["functions:", ...chains, "  - {name: f100, description: d, compute: 1 + 1}"].join("\n"),
    );
    expect(compiled(text).skill?.functions[0]?.annotations.readOnly).toBe(true);
  });
});
