import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/expression/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import {
  MAX_EXPRESSION_OUTPUT,
  MAX_EXPRESSION_RESULT_CHARACTERS,
  MAX_EXPRESSION_STEPS,
} from "../../src/limits.ts";
import { computed, reasonOf, resultOf, SCOPE, valuesOf } from "./computed.ts";

const TOO_MANY_STEPS = `it takes more than ${MAX_EXPRESSION_STEPS} steps`;
const TOO_LARGE = `it builds more than ${MAX_EXPRESSION_OUTPUT} characters or elements`;

const TOO_MANY_VALUES = `the result has more than ${MAX_EXPRESSION_OUTPUT} values`;

/** Two lists, each of which becomes twice itself. */
const twice = (x: string): string => `[[${x}[0], ${x}[0]], [${x}[1], ${x}[1]]]`;

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
const table = (length: number): JsonObject =>
  Object.fromEntries(numbers(length).map((index) => [`k${index}`, index]));

/** `cel.bind(x1, f(x0), cel.bind(x2, f(x1), …))`: what is done to a value is done over and over. */
function bound(
  levels: number,
  first: string,
  step: (previous: string) => string,
  last = (x: string) => x,
): string {
  let source = last(`x${levels}`);
  for (let level = levels; level > 0; level--)
    source = `cel.bind(x${level}, ${step(`x${level - 1}`)}, ${source})`;
  return `cel.bind(x0, ${first}, ${source})`;
}

/** What the added functions could be made to do. */
const dearFunctions: [string, string, JsonValue, string][] = [
  ["replaces by a long text", "args.text.replace('a', args.text)", { text: "a".repeat(10_000) }, TOO_LARGE],
  [
    "replaces nothing by a long text",
    "args.text.replace('', args.text)",
    { text: "b".repeat(10_000) },
    TOO_LARGE,
  ],
  ["splits into too many pieces", "args.text.split(',')", { text: ",".repeat(300_000) }, TOO_MANY_STEPS],
  ["splits into characters", "args.text.split('')", { text: "a".repeat(300_000) }, TOO_MANY_STEPS],
  [
    "formats a long text many times",
    "'%s%s%s'.format([args.text, args.text, args.text])",
    { text: "a".repeat(400_000) },
    TOO_LARGE,
  ],
  [
    "formats many numbers with all their places",
    "args.form.format(args.list)",
    { form: "%.99f".repeat(5_000), list: numbers(5_000) },
    TOO_LARGE,
  ],
  ["makes a long range", "lists.range(9223372036854775807)", {}, TOO_LARGE],
  ["makes a range in a range", "lists.range(1000).map(a, lists.range(1000))", {}, TOO_MANY_STEPS],
  ["flattens in a loop", "args.list.map(a, [args.list].flatten())", { list: numbers(1_000) }, TOO_MANY_STEPS],
  ["sorts a large list", "args.list.sort()", { list: numbers(20_000) }, TOO_MANY_STEPS],
  ["sorts in a loop", "args.list.map(a, args.list.sort())", { list: numbers(1_000) }, TOO_MANY_STEPS],
  ["sorts a large list by a key", "args.list.sortBy(a, -a)", { list: numbers(20_000) }, TOO_MANY_STEPS],
  [
    "sorts by a key that is a loop",
    "args.list.sortBy(a, args.list.exists(b, b < 0.0))",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
  [
    "sorts long texts",
    "args.list.map(a, args.text).sort()",
    { list: numbers(1_000), text: "a".repeat(10_000) },
    TOO_MANY_STEPS,
  ],
  [
    "looks for equal elements in a loop",
    "args.list.map(a, args.list.distinct())",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
  [
    "reverses a long text in a loop",
    "args.list.map(a, args.text.reverse())",
    { list: numbers(100), text: "a".repeat(100_000) },
    TOO_MANY_STEPS,
  ],
  [
    "cuts a long text in a loop",
    "args.list.map(a, args.text.substring(1, 2))",
    { list: numbers(100), text: "a".repeat(100_000) },
    TOO_MANY_STEPS,
  ],
  [
    "counts a long text in a loop",
    "args.list.map(a, size(args.text))",
    { list: numbers(100), text: "a".repeat(100_000) },
    TOO_MANY_STEPS,
  ],
  [
    "calculates in a loop",
    "args.list.map(a, math.calculate(args.text))",
    { list: numbers(100), text: `${"170!+".repeat(199)}1` },
    TOO_MANY_STEPS,
  ],
];

/** A mapping with a key named constructor is handed on as a map of another kind, and costs the same. */
const otherKind = { ...table(2_000), constructor: 1 };

const dearMaps: [string, string, JsonValue, string][] = [
  ["counts its members", "size(args.table)"],
  ["compares it", "args.table == args.same"],
  ["picks from it", "args.table.pick(['a']).size()"],
  ["looks for equal ones", "[args.table].distinct().size()"],
  ["loops over it", "args.table.exists(k, false)"],
].map(([what, body]) => [
  `${what} in a loop, with a key named constructor`,
  `args.list.map(a, ${body})`,
  { list: numbers(2_000), table: otherKind, same: { ...otherKind } },
  TOO_MANY_STEPS,
]);

/** What is done, the expression, the arguments, and the reason why it has no value. */
const dear: [string, string, JsonValue, string][] = [
  [
    "loops in loops in loops",
    "args.list.map(a, args.list.map(b, args.list.map(c, a + b + c)))",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
  [
    "filters a table against itself",
    "args.list.filter(a, args.list.exists(b, a == b + 0.5))",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
  [
    "would swallow that it went too far",
    "args.list.exists(a, args.list.exists(b, args.list.exists(c, a + b + c < 0.0))) || true",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
  [
    "loops over more than there are steps",
    "args.list.exists(a, a < 0.0)",
    { list: numbers(MAX_EXPRESSION_STEPS) },
    TOO_MANY_STEPS,
  ],
  [
    "counts a mapping's members in a loop",
    "args.list.map(a, size(args.table))",
    { list: numbers(2_000), table: table(2_000) },
    TOO_MANY_STEPS,
  ],
  [
    "loops over a mapping's members in a loop",
    "args.list.map(a, args.table.exists(k, true))",
    { list: numbers(2_000), table: table(2_000) },
    TOO_MANY_STEPS,
  ],
  [
    "searches a list in a loop",
    "args.list.map(a, -1.0 in args.list)",
    { list: numbers(2_000) },
    TOO_MANY_STEPS,
  ],
  [
    "compares deep values in a loop",
    "args.list.map(a, args.deep == args.other)",
    { list: numbers(2_000), deep: [[numbers(2_000)]], other: [[numbers(2_000)]] },
    TOO_MANY_STEPS,
  ],
  [
    "asks a calendar in a loop",
    "args.list.map(a, timestamp(0).getHours('Asia/Shanghai'))",
    { list: numbers(10_000) },
    TOO_MANY_STEPS,
  ],
  [
    "asks many calendars",
    "args.list.map(a, timestamp(0).inZone(args.zones[int(a)]))",
    { list: numbers(100), zones: Intl.supportedValuesOf("timeZone").slice(0, 100) },
    TOO_MANY_STEPS,
  ],
  [
    "joins a long text with itself",
    "args.list.map(a, args.text).join()",
    { list: numbers(100), text: "a".repeat(100_000) },
    TOO_LARGE,
  ],
  [
    "joins with a long text",
    "args.list.map(a, '').join(args.text)",
    { list: numbers(100), text: "a".repeat(100_000) },
    TOO_LARGE,
  ],
  [
    "matches a large pattern against a long text",
    "args.text.matches('a{1,500}$')",
    { text: "a".repeat(100_000) },
    TOO_MANY_STEPS,
  ],
  [
    "matches a long text in a loop",
    "args.list.map(a, args.text.matches('b'))",
    { list: numbers(1_000), text: "a".repeat(10_000) },
    TOO_MANY_STEPS,
  ],
  [
    "makes a pattern anew in a loop",
    "args.list.map(a, 'a'.matches('a{900}' + string(a)))",
    { list: numbers(1_000) },
    TOO_MANY_STEPS,
  ],
];

describe("an expression ends with a reason when it", () => {
  test.each([...dear, ...dearFunctions, ...dearMaps])("%s", (_case, source, args, reason) => {
    expect(reasonOf(source, { args })).toBe(reason);
  });

  test.each([
    [
      "doubles a text",
      bound(
        21,
        "'aa'",
        (x) => `${x} + ${x}`,
        (x) => `size(${x})`,
      ),
      TOO_LARGE,
    ],
    [
      "doubles a text by replacing",
      bound(
        21,
        "'aa'",
        (x) => `${x}.replace('a', 'aa')`,
        (x) => `size(${x})`,
      ),
      TOO_MANY_STEPS,
    ],
    [
      "doubles a list by flattening",
      bound(
        20,
        "[1]",
        (x) => `[${x}, ${x}].flatten()`,
        (x) => `size(${x})`,
      ),
      TOO_MANY_STEPS,
    ],
    [
      "flattens what shares itself",
      bound(
        20,
        "[1]",
        (x) => `[${x}, ${x}]`,
        (x) => `${x}.flatten(99).size()`,
      ),
      TOO_MANY_STEPS,
    ],
    [
      "looks for equal ones in what shares itself",
      bound(
        20,
        "[1]",
        (x) => `[${x}, ${x}]`,
        (x) => `${x}.distinct().size()`,
      ),
      TOO_MANY_STEPS,
    ],
    [
      "doubles bytes",
      bound(
        21,
        "b'aa'",
        (x) => `${x} + ${x}`,
        (x) => `size(${x})`,
      ),
      TOO_LARGE,
    ],
    [
      "doubles a list",
      bound(
        21,
        "[1]",
        (x) => `${x} + ${x}`,
        (x) => `size(${x})`,
      ),
      TOO_MANY_STEPS,
    ],
    ["shares a list with itself", bound(21, "[1]", (x) => `[${x}, ${x}]`), TOO_MANY_VALUES],
    ["shares a mapping with itself", bound(21, "{'a': 1}", (x) => `{'a': ${x}, 'b': ${x}}`), TOO_MANY_VALUES],
    [
      "compares two that share with themselves",
      bound(20, "[[1], [1]]", twice, (x) => `${x}[0] == ${x}[1]`),
      TOO_MANY_STEPS,
    ],
  ])("%s", (_case, source, reason) => {
    expect(reasonOf(source, {})).toBe(reason);
  });

  test("a text that stands in a result many times is counted many times", () => {
    const args = { list: numbers(100), text: "a".repeat(100_000) };
    expect(reasonOf("args.list.map(a, args.text)", { args })).toBe(
      `the result has more than ${MAX_EXPRESSION_RESULT_CHARACTERS} characters`,
    );
  });

  test("names of types do not double with what they name", () => {
    const source = bound(
      20,
      "1",
      (x) => `{${x}: ${x}}`,
      (x) => `size(${x})`,
    );
    expect(compileExpression(source, SCOPE)).toMatchObject({
      ok: false,
      faults: [{ message: "a map's keys are texts or numbers, not map<int, int>" }],
    });
  });
});

describe("an expression is not held up when it", () => {
  test.each<[string, string, JsonValue, JsonValue]>([
    [
      "reads a list by index in a loop",
      "args.list.map(a, args.list[int(a)]).size()",
      { list: numbers(5_000) },
      5_000,
    ],
    [
      "hands on a long text",
      "size(args.live ? args.text : '')",
      { live: true, text: "a".repeat(MAX_EXPRESSION_OUTPUT) },
      MAX_EXPRESSION_OUTPUT,
    ],
    ["finds what it looks for early", "args.list.exists(a, a == 0.0)", { list: numbers(1_000) }, true],
    [
      "reads ten thousand rows",
      "args.rows.map(r, {'a': r.a, 'b': r.b + 1}).size()",
      { rows: numbers(10_000).map((a) => ({ a, b: 1 })) },
      10_000,
    ],
    [
      "looks for a row of letters with an odd one in the middle",
      "args.text.contains(args.part)",
      { text: "a".repeat(MAX_EXPRESSION_OUTPUT), part: `${"a".repeat(100_000)}b${"a".repeat(100_000)}` },
      false,
    ],
    ["sorts ten thousand numbers", "args.list.sort().size()", { list: numbers(10_000) }, 10_000],
    [
      "tells the time in a zone for thousands of rows",
      "args.list.map(a, timestamp(int(a)).inZone('Asia/Shanghai')).size()",
      { list: numbers(4_000) },
      4_000,
    ],
    ["matches a long text", "args.text.matches('(a+)+$')", { text: `${"a".repeat(100_000)}b` }, false],
  ])("%s", (_case, source, args, value) => {
    expect(resultOf(source, { args })).toEqual(value);
  });

  test("hands on a reply as it is, as large as a reply may be", () => {
    const text = "a".repeat(MAX_EXPRESSION_RESULT_CHARACTERS - 10);
    expect(computed("args.text", { args: { text } })).toEqual({ ok: true, value: text });
  });

  test("was held up before: each evaluation has the whole budget", () => {
    const compilation = compileExpression("args.list.map(a, args.list.map(b, a + b)).size()", SCOPE);
    if (!compilation.ok) throw new Error("not valid");
    const evaluate = (length: number) =>
      compilation.expression.evaluate(valuesOf({ args: { list: numbers(length) } }));
    expect([evaluate(1_000).ok, evaluate(10).ok, evaluate(1_000).ok]).toEqual([false, true, false]);
  });
});
