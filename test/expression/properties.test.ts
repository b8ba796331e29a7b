import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/expression/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { SCOPE, valuesOf } from "./computed.ts";

const TOKENS = `
  symbol limit price live tags options note depth args call vars x y 0 1 -1 2.5 1e308 5u 9223372036854775807 'a' "b" b'c'
  r'\\d' true false null + - * / % == != < <= > >= && || ! ? : ( ) [ ] { } . .? [? , in has( size( string( int( double(
  type( timestamp( duration( .map(x, .filter(x, .all(x, .exists(x, .exists_one(x, .sortBy(x, .sum() .average() .slice(
  .pick( .matches( .join( .split( .getHours( .sort() .distinct() .flatten() .reverse() .first() .last() lists.range(
  .charAt( .indexOf( .lastIndexOf( .replace( .format( .inZone( .contains( .lowerAscii() .getDayOfYear( math.greatest(
  math.round( math.abs( math.calculate( '2^9!' 'Asia/Shanghai' cel.bind(x, optional.of( optional.none() .orValue( .value()
  .hasValue() .json() .base64() dyn( google.protobuf.Timestamp '(a+)+$' // \\ 潮 😀
`;

const soup = fc
  .array(fc.constantFrom(...TOKENS.trim().split(/\s+/)), { maxLength: 30 })
  .map((parts) => parts.join(" "));

const words = (text: string) => fc.constantFrom(...text.trim().split(/\s+/));

const leaf = words(
  "note args.symbol args.tags args.options args dyn(1) 2.5 'a' x null true [] {} 7u b'c' limit price tags",
);
const binary = words("+ - * / % == != < >= && || in");
const loop = words("map filter all exists exists_one sortBy");
const method = words(`
  size() sum() average() slice(0,2) pick(['a']) join('-') join() split('') split('a',2) orValue(1) sort() distinct()
  flatten() flatten(9) reverse() first() last() charAt(1) contains('aaaaaaaaaaab') indexOf('a',1) lastIndexOf('a')
  replace('','aa') replace('a','aaaa') substring(1) upperAscii() trim() format([x,1]) json() inZone('Asia/Tokyo')
  getHours('+01:00') getSeconds() value() hasValue() hex()
`);
const called = words(`
  math.greatest math.least math.round math.sqrt math.abs math.sign math.calculate math.isNaN lists.range int double
  string uint bytes bool timestamp duration size type
`);

/** Expressions that are well-formed, and whose types are mostly known only when they are computed. */
const { grown } = fc.letrec<{ grown: string }>((tie) => {
  const part = tie("grown");
  return {
    grown: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      leaf,
      fc.tuple(part, binary, part).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(part, part, part).map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`),
      fc.tuple(part, loop, part).map(([list, name, body]) => `dyn(${list}).${name}(x, ${body})`),
      fc.tuple(part, part).map(([value, body]) => `cel.bind(x, ${value}, ${body})`),
      fc.tuple(part, method).map(([value, call]) => `dyn(${value}).${call}`),
      fc.tuple(called, part).map(([name, value]) => `${name}(dyn(${value}))`),
      fc.tuple(part, part).map(([text, other]) => `dyn(${text}).replace(dyn(${other}), 'bc')`),
      fc.tuple(part, part).map(([form, value]) => `dyn(${form}).format([${value}])`),
      fc.tuple(part, part).map(([value, key]) => `dyn(${value})[${key}]`),
      fc.array(part, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc.tuple(part, part).map(([key, value]) => `{dyn(${key}): ${value}}`),
      fc.tuple(part, part).map(([text, pattern]) => `dyn(${text}).matches(${pattern})`),
    ),
  };
});

const inLoop = grown.map((body) => `[dyn(1)].map(x, ${body})`);

/** A well-formed expression with a piece taken out, put in or repeated somewhere. */
const spoilt = fc
  .tuple(
    inLoop,
    fc.nat(),
    fc.nat(12),
    fc.constantFrom("", "(", ")", "'", "\\", "}", "\u0000", "潮", "\ud800", "..", "x", "9".repeat(40)),
  )
  .map(([source, at, length, other]) => {
    const start = at % (source.length + 1);
    return source.slice(0, start) + other + source.slice(start + length);
  });

const anything = fc.oneof(soup, inLoop, spoilt, fc.string({ unit: "binary", maxLength: 60 }));

const hostileKeys = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "a", "潮", "");

/** As it comes out of `JSON.parse`, where `__proto__` is a key like any other. */
const parsed = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const hostile: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.jsonValue().map(parsed),
  fc.array(fc.tuple(hostileKeys, fc.jsonValue())).map((entries) => parsed(Object.fromEntries(entries))),
  fc.constantFrom<JsonValue>(
    ...["a".repeat(200_000), "😀".repeat(50_000), "\ud800", `${"a".repeat(100_000)}b`, "%s".repeat(1_000)],
    ...[Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53, 1e300],
    ...[nested(500), JSON.parse('{"__proto__": {"a": 1}, "constructor": {"name": "x"}}')],
    ...[
      Array.from({ length: 20_000 }, (_, index) => index),
      Array.from({ length: 500 }, () => "a".repeat(500)),
    ],
  ),
);

const values = fc.record({
  symbol: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a".repeat(50_000), "2^9!", "-1.5h", "9".repeat(400)),
  ),
  limit: fc.oneof(fc.maxSafeInteger(), fc.constant(1e300)),
  price: fc.double(),
  live: fc.boolean(),
  tags: fc.array(hostile, { maxLength: 4 }),
  options: fc.dictionary(hostileKeys, hostile, { maxKeys: 4 }).map((object): JsonObject => ({ ...object })),
  note: hostile,
});

/** Compiles and computes, and holds the outcome to what is promised of every one. */
function hold(source: string, given: JsonObject): void {
  const compilation = compileExpression(source, SCOPE);
  if (!compilation.ok) {
    for (const { start, end, message } of compilation.faults) {
      expect(0 <= start && start <= end && end <= source.length).toBe(true);
      expect(message).not.toBe("");
    }
    return;
  }
  const result = compilation.expression.evaluate(valuesOf(given));
  if (result.ok)
    expect(JSON.stringify(JSON.parse(JSON.stringify(result.value)))).toBe(JSON.stringify(result.value));
  else expect(result.reason).not.toBe("");
}

describe("whatever the text and the values, an expression has a value that is JSON, or a reason, and never throws", () => {
  test.each([
    ["from words in a row", soup],
    ["well-formed", inLoop],
    ["well-formed but for one place", spoilt],
    ["any", anything],
  ])("%s", (_case, sources) => {
    fc.assert(fc.property(sources, values, hold), { numRuns: 700 });
  });

  test("values that do not fit their types are refused and never throw", () => {
    const wrong = fc.dictionary(fc.constantFrom(...SCOPE.keys()), hostile);
    const sources = fc.constantFrom(
      "symbol + 'a'",
      "limit + 1",
      "tags.map(t, t)",
      "options.a",
      "live && true",
      "price * 2.0",
      "args.symbol",
      "note.a.b",
      "tags.sort()",
      "symbol.replace('a', 'b')",
    );
    fc.assert(
      fc.property(sources, wrong, (source, given) => {
        const compilation = compileExpression(source, SCOPE);
        if (!compilation.ok) throw new Error("not valid");
        expect(typeof compilation.expression.evaluate(new Map(Object.entries(given))).ok).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});
