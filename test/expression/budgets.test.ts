import fc from "fast-check";
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
    { list: numbers(1_000) },
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
  test.each(dear)("%s", (_case, source, args, reason) => {
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

describe("whatever the text and the values", () => {
  const tokens =
    "symbol limit price live tags options note depth args call vars x y 0 1 -1 2.5 1e308 5u 'a' \"b\" b'c' r'\\d' true false null " +
    "+ - * / % == != < <= > >= && || ! ? : ( ) [ ] { } . .? [? , in has( size( string( int( double( type( timestamp( duration( " +
    ".map(x, .filter(x, .all(x, .exists(x, .exists_one(x, .sum() .average() .slice( .pick( .matches( .join( .split( .getHours( " +
    "cel.bind(x, optional.of( optional.none() .orValue( .value() .hasValue() .json() .base64() dyn( google.protobuf.Timestamp '(a+)+$'";
  const soup = fc
    .array(fc.constantFrom(...tokens.split(" ")), { maxLength: 30 })
    .map((parts) => parts.join(" "));
  /** Expressions that are well-formed, and whose types are mostly known only when they are computed. */
  const { grown } = fc.letrec<{ grown: string }>((tie) => {
    const part = tie("grown");
    const leaf = fc.constantFrom(
      ..."note args.symbol args.tags args.options args dyn(1) 2.5 'a' x null true [] {} 7u b'c'".split(" "),
    );
    const binary = fc.constantFrom(..."+ - * / % == != < >= && || in".split(" "));
    const loop = fc.constantFrom("map", "filter", "all", "exists", "exists_one");
    const method = fc.constantFrom(
      "size()",
      "sum()",
      "slice(0, 2)",
      "pick(['a'])",
      "join('-')",
      "split('')",
      "orValue(1)",
    );
    return {
      grown: fc.oneof(
        { maxDepth: 5, depthSize: "medium" },
        leaf,
        fc.tuple(part, binary, part).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(part, part, part).map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`),
        fc.tuple(part, loop, part).map(([list, name, body]) => `dyn(${list}).${name}(x, ${body})`),
        fc.tuple(part, part).map(([value, body]) => `cel.bind(x, ${value}, ${body})`),
        fc.tuple(part, method).map(([value, call]) => `dyn(${value}).${call}`),
        fc.tuple(part, part).map(([value, key]) => `dyn(${value})[${key}]`),
        fc.array(part, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
        fc.tuple(part, part).map(([key, value]) => `{dyn(${key}): ${value}}`),
        fc.tuple(part, part).map(([text, pattern]) => `dyn(${text}).matches(${pattern})`),
      ),
    };
  });
  const anything = fc.oneof(
    soup,
    grown.map((body) => `[dyn(1)].map(x, ${body})`),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  const values = fc.record({
    symbol: fc.oneof(fc.string({ unit: "binary" }), fc.constant("a".repeat(5_000))),
    limit: fc.oneof(fc.maxSafeInteger(), fc.constant(1e300)),
    price: fc.double({ noNaN: true, noDefaultInfinity: true }),
    live: fc.boolean(),
    tags: fc.array(fc.jsonValue()).map((list) => JSON.parse(JSON.stringify(list))),
    options: fc.dictionary(fc.string(), fc.jsonValue()).map((object) => JSON.parse(JSON.stringify(object))),
    note: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
  });

  test("compiling and computing give a value that is JSON, or a reason, and never throw", () => {
    fc.assert(
      fc.property(anything, values, (source, given) => {
        const compilation = compileExpression(source, SCOPE);
        if (!compilation.ok) {
          for (const { start, end, message } of compilation.faults) {
            expect(0 <= start && start <= end && end <= source.length).toBe(true);
            expect(message).not.toBe("");
          }
          return;
        }
        const result = compilation.expression.evaluate(valuesOf(given));
        if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value);
        else expect(result.reason).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });

  test("values that do not fit their types are refused and never throw", () => {
    const wrong = fc.dictionary(fc.constantFrom(...SCOPE.keys()), fc.jsonValue());
    const sources = [
      "symbol + 'a'",
      "limit + 1",
      "tags.map(t, t)",
      "options.a",
      "live && true",
      "price * 2.0",
      "args.symbol",
      "note.a.b",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...sources), wrong, (source, given) => {
        const compilation = compileExpression(source, SCOPE);
        if (!compilation.ok) throw new Error("not valid");
        expect(
          typeof compilation.expression.evaluate(new Map(Object.entries(JSON.parse(JSON.stringify(given)))))
            .ok,
        ).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});
