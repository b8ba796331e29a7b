import { describe, expect, test } from "vitest";
import {
  argumentsUsed,
  compileExpression,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
} from "../../src/expression/index.ts";
import { isExpressionName } from "../../src/expression/scope.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { MAX_EXPRESSION_CHARACTERS, MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_NODES } from "../../src/limits.ts";
import { computed, PARAMETERS, reasonOf, resultOf, SCOPE, valuesOf } from "./computed.ts";

/** The faults of an expression as `start-end message`. */
function faultsOf(source: string): string[] {
  const compilation = compileExpression(source, SCOPE);
  return compilation.ok
    ? []
    : compilation.faults.map(({ start, end, message }) => `${start}-${end} ${message}`);
}

describe("an expression is refused", () => {
  test.each([
    ["a name that does not exist", "symbl + 'x'", "0-5 there is no symbl here"],
    ["a name that does not exist, deep inside", "tags.map(t, t + nope)", "16-20 there is no nope here"],
    ["a loop's variable outside the loop", "tags.exists(t, true) && t == 'a'", "24-25 there is no t here"],
    ["a text and a number", "symbol + 1", "0-10 no such overload: string + int"],
    ["a text and a number, in a larger sum", "1 + (symbol + 1)", "5-15 no such overload: string + int"],
    ["a comparison of a text and a number", "symbol > 1", "0-10 no such overload: string > int"],
    ["the negation of a number", "!limit", "0-6 no such overload: !int"],
    ["a condition that is a number", "limit ? 1 : 2", "0-5 Ternary condition must be bool, got 'int'"],
    [
      "branches of two types",
      "live ? 1 : 'a'",
      "0-14 Ternary branches must have the same type, got 'int' and 'string'",
    ],
    ["an and of a text", "live && symbol", "0-14 Logical operator requires bool operands, got 'string'"],
    ["a list indexed by a text", "tags['a']", "0-9 List index must be int, got 'string'"],
    ["a text that is indexed", "symbol[0]", "0-9 Cannot index type 'string'"],
    [
      "a function that does not exist",
      "shout(symbol)",
      "0-13 found no matching overload for 'shout(string)'",
    ],
    [
      "a method that does not exist",
      "symbol.shout()",
      "0-14 found no matching overload for 'string.shout()'",
    ],
    [
      "a loop over a text",
      "symbol.map(c, c)",
      "0-6 Expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic).",
    ],
    ["a key that is a list", "{[1]: 2}", "1-4 a map's keys are texts or numbers, not list<int>"],
    [
      "a key that the engine loses",
      "{'a': {'constructor': 1}}",
      "7-20 a map made here cannot have the key constructor",
    ],
    ["nothing", "", "0-0 the expression ends too early"],
    ["half of something", "1 +", "3-3 the expression ends too early"],
    ["a text that is not closed", "'abc", "0-4 Unterminated string"],
    ["a parenthesis that is not closed", "(1 + 2", "6-6 the expression ends too early"],
    ["one parenthesis too many", "1)", "1-2 Unexpected character: ')'"],
    ["a sign that means nothing", "1 # 2", "2-3 Unexpected character: #"],
    ["a word that is reserved", "1 + for", "4-7 Reserved identifier: for"],
    ["an assignment", "limit = 1", "6-7 Unexpected character: ="],
    [
      "a pattern that does not compile",
      "symbol.matches('a(')",
      '15-19 the pattern "a(" is not valid: missing )',
    ],
    [
      "a pattern with look-ahead",
      "symbol.matches('(?=a)')",
      '15-22 the pattern "(?=a)" is not valid: look-around, back references and the like do not exist in this syntax (RE2)',
    ],
    [
      "loops four deep",
      "tags.map(a, tags.map(b, tags.map(c, tags.map(d, 1))))",
      "36-50 loops are nested more than 3 deep",
    ],
  ])("%s", (_case, source, fault) => {
    expect(faultsOf(source)).toEqual([fault]);
  });

  test("all the faults that can be told before the types are, are told at once", () => {
    expect(
      faultsOf("symbol.matches('(') || symbol.matches(')')").map((fault) => fault.split(" ")[0]),
    ).toEqual(["38-41", "15-18"]);
  });

  test.each([
    ["characters", `${"1 + ".repeat(MAX_EXPRESSION_CHARACTERS / 4)}1`, /at most \d+ characters/],
    ["parts", `1${" + 1".repeat(MAX_EXPRESSION_NODES / 2)}`, /more than \d+ parts/],
    [
      "levels",
      `${"(".repeat(MAX_EXPRESSION_DEPTH + 1)}1${")".repeat(MAX_EXPRESSION_DEPTH + 1)}`,
      /nested more than \d+ deep/,
    ],
    ["levels of lists", "[".repeat(MAX_EXPRESSION_DEPTH + 1), /nested more than \d+ deep/],
  ])("too many %s", (_what, source, message) => {
    expect(faultsOf(source)).toMatchObject([expect.stringMatching(message)]);
  });

  test("a thousand negations are either refused or computed, and never a crash", () => {
    expect(faultsOf("!".repeat(3_999))).toHaveLength(1);
    expect(resultOf(`${"!".repeat(900)}true`)).toBe(true);
  });
});

describe("a parameter", () => {
  test.each([
    ["that is required has its type", "symbol", "string"],
    ["that is an integer", "limit", "int"],
    ["that is a number", "price", "double"],
    ["that is a boolean", "live", "bool"],
    ["that is a list", "tags", "list"],
    ["that is an object", "options", "map"],
    ["with a default is never absent", "depth", "int"],
    ["that may be absent may be null", "note", "dyn"],
    ["of two types is of any", "either", "dyn"],
  ])("%s", (_case, source, type) => {
    const compilation = compileExpression(source, SCOPE);
    expect(compilation.ok && compilation.expression.type).toBe(type);
  });

  test.each([
    ["is null where it was not given", "note == null", true],
    ["can be asked for before it is used", "note == null ? 'none' : note", "none"],
    ["is absent from args where it was not given", "has(args.note)", false],
    ["has a value behind ?", "args.?note.orValue('none')", "none"],
    ["is present in args where it was given", "has(args.symbol)", true],
  ])("that is optional %s", (_case, source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test("of a name that CEL keeps for itself is reached through args", () => {
    for (const name of [
      "string",
      "int",
      "list",
      "map",
      "type",
      "in",
      "for",
      "__proto__",
      "a-b",
      "潮",
      "cel",
      "dyn",
      "",
    ]) {
      const scope = parameterScope({ properties: { [name]: { type: "integer" } }, required: [name] });
      expect(isExpressionName(name)).toBe(false);
      const compilation = compileExpression(`args[${JSON.stringify(name)}] == 7.0`, scope);
      if (!compilation.ok) throw new Error(compilation.faults[0]?.message);
      const args = JSON.parse(`{${JSON.stringify(name)}: 7}`);
      expect(compilation.expression.evaluate(valuesOf({ args }))).toEqual({
        ok: true,
        value: true,
      });
    }
  });

  test.each(["size", "has", "timestamp", "matches", "toString", "hasOwnProperty", "valueOf", "_", "a1"])(
    "named %s is a name like any other",
    (name) => {
      const scope = parameterScope({ properties: { [name]: { type: "integer" } }, required: [name] });
      const compilation = compileExpression(`${name} + 1`, scope);
      if (!compilation.ok) throw new Error(compilation.faults[0]?.message);
      expect(compilation.expression.evaluate(valuesOf({ [name]: 1 }))).toEqual({ ok: true, value: 2 });
    },
  );

  test("never hides what every expression sees", () => {
    const scope = parameterScope({ properties: { args: { type: "string" } }, required: ["args"] });
    expect(scope.get("args")).toBe("map");
  });

  test("gives way to what a reply brings of the same name", () => {
    const scope = joinScopes(
      parameterScope({ properties: { status: { type: "string" } }, required: ["status"] }),
      RESPONSE_SCOPE,
    );
    expect(compileExpression("status == 200", scope).ok).toBe(true);
  });
});

describe("a value", () => {
  test.each([
    ["whole and decimal numbers add up", "1 + 2.5", 3.5],
    ["in the other order", "2.5 + 1", 3.5],
    ["a whole number from a decimal one", "limit - price", 0.5],
    ["a product", "limit * 1.5", 4.5],
    ["a quotient", "limit / 2.0", 1.5],
    ["a quotient of whole numbers is whole, as CEL has it", "7 / 2", 3],
    ["a decimal result that is whole is whole in JSON", "1.5 + 1.5", 3],
    ["minus nothing is nothing", "0.0 * -1.0", 0],
    ["equal numbers of two kinds are equal", "limit == 3.0 && 3.0 == limit", true],
    ["and not unequal", "limit != 3.0", false],
    ["compared", "limit > price && price < limit", true],
    ["a remainder", "7 % 3", 1],
    ["a whole number beyond 2^53 is text", "9007199254740993", "9007199254740993"],
    ["the largest one that is none", "9007199254740991", 9007199254740991],
    ["a list", "[1, 2.5, 'a', null, true]", [1, 2.5, "a", null, true]],
    ["a mapping", "{'a': [1], 'b': {'c': symbol}}", { a: [1], b: { c: "NVDA.US" } }],
    ["a mapping with numbers as keys", "{1: 'a'}", { 1: "a" }],
    ["null", "null", null],
    ["null in a branch", "live ? null : symbol", null],
    ["null in a branch of a condition over numbers", "limit > 5 ? limit : null", null],
    ["a member", "options.b[1]", 2],
    ["a member in a loop", "tags.map(t, t + '!')", ["a!", "b!"]],
    ["a filter", "[1, 2, 3].filter(n, n > 1)", [2, 3]],
    ["a map with a filter", "[1, 2, 3].map(n, n > 1, n * 10)", [20, 30]],
    [
      "all, exists, exists_one",
      "[1, 2].all(n, n > 0) && [1, 2].exists(n, n == 2) && [1, 2].exists_one(n, n == 2)",
      true,
    ],
    ["a loop over a mapping's keys", "options.map(k, k)", ["a", "b"]],
    ["a binding", "cel.bind(x, limit + 1, x * x)", 16],
    ["a sum of whole numbers", "[1, 2, 3].sum()", 6],
    ["a sum with a decimal", "[1, 2.5].sum()", 3.5],
    ["a sum of nothing", "[].sum()", 0],
    ["an average", "[1, 2].average()", 1.5],
    ["a slice", "[1, 2, 3].slice(1, 2)", [2]],
    ["a slice over the ends", "[1, 2, 3].slice(-5, 99)", [1, 2, 3]],
    ["members by name, in that order", "options.pick(['b', 'zz', 'a'])", { b: [1, 2], a: 1 }],
    ["a time", "timestamp('2024-01-31T12:00:00Z') + duration('1h')", "2024-01-31T13:00:00Z"],
    ["a time as seconds", "int(timestamp('1970-01-01T00:01:00Z'))", 60],
    ["a duration", "duration('90s')", "90s"],
    ["bytes", "b'abc'", "YWJj"],
    ["an unsigned number", "5u + 1u", 6],
    ["an optional value", "optional.of(1)", 1],
    ["an optional value that is none", "optional.none()", null],
    ["the length of a text in characters", "size('潮汐😀')", 3],
    ["a text split and joined", "'a,b'.split(',').join('-')", "a-b"],
    ["a match", "symbol.matches('^[A-Z]+\\\\.US$')", true],
    ["a match as a function", "matches(symbol, 'HK')", false],
    ["an or with something wrong on one side", "1 / 0 == 1 || true", true],
  ])("%s", (_case, source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test.each([
    ["a division by nothing", "limit / (limit - 3)", "division by zero"],
    ["an overflow", "9223372036854775807 + limit", "integer overflow: 9223372036854775810"],
    ["infinity", "price / 0.0", "the result is Infinity, which has no JSON form"],
    ["not a number", "0.0 / 0.0", "the result is NaN, which has no JSON form"],
    ["infinity deep inside", "[{'a': 1.0 / 0.0}]", "the result is Infinity, which has no JSON form"],
    ["a type", "type(1)", "the result is a type, which has no JSON form"],
    ["a namespace", "cel", "the result is a type, which has no JSON form"],
    ["a member that is not there", "options.zz", "No such key: zz"],
    ["an index beyond the end", "tags[5]", "No such key: index out of bounds, index 5 >= size 2"],
    ["a number from a word", "int(symbol)", '"NVDA.US" is not a whole number'],
    ["a text and a number that were not known before", "either + 1", "no such overload: null + int"],
    ["an average of nothing", "[].average()", "the average of an empty list"],
    ["a sum of words", "tags.sum()", "a sum takes numbers, got a string"],
    [
      "a zone that does not exist",
      "timestamp(0).getHours('Moon/Tranquility')",
      'there is no time zone "Moon/Tranquility"',
    ],
    ["a pattern that is put together badly", "symbol.matches(symbol + '(')", "missing )"],
  ])("has a reason instead of a value: %s", (_case, source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });

  test("half of a surrogate pair does not leave an expression", () => {
    expect(resultOf("symbol + 'a'", { symbol: "\uD83D" })).toBe("\uFFFDa");
  });

  test("is the same each time, whatever was computed in between", () => {
    const compilation = compileExpression("tags.map(t, t + symbol)", SCOPE);
    if (!compilation.ok) throw new Error("not valid");
    const evaluate = (symbol: string) => compilation.expression.evaluate(valuesOf({ symbol, tags: ["a"] }));
    expect([evaluate("x"), evaluate("y"), evaluate("x")]).toEqual([
      { ok: true, value: ["ax"] },
      { ok: true, value: ["ay"] },
      { ok: true, value: ["ax"] },
    ]);
  });

  test("a mapping never has a prototype that a key could reach", () => {
    expect(faultsOf("{'__proto__': 1, 'a': 2}")).toEqual([
      "1-12 a map made here cannot have the key __proto__",
    ]);
    expect(computed("args['constructor']", { args: {} }).ok).toBe(false);
    expect(computed("args['__proto__']", { args: {} }).ok).toBe(false);
  });
});

describe("the arguments that an expression takes", () => {
  test.each([
    ["symbol + args.limit", ["symbol", "limit"], false],
    ["args['a-b'] + args.?note.orValue(depth)", ["a-b", "note", "depth"], false],
    ["tags.map(t, t + symbol)", ["tags", "symbol"], false],
    ["[1].exists(symbol, symbol == limit)", ["limit"], false],
    ["cel.bind(symbol, note, symbol)", ["note"], false],
    ["has(args.note)", ["note"], false],
    ["body.symbol + 'limit' + string({'price': 1})", ["body"], false],
    ["args", ["args"], true],
    ["args[symbol]", ["args", "symbol"], true],
    ["size(args)", ["args"], true],
    ["[{}].map(args, args.symbol)", [], false],
    ["symbol +", [], false],
  ])("%s", (source, names, all) => {
    const use = argumentsUsed(source);
    expect([...use.names].sort()).toEqual([...names].sort());
    expect(use.all).toBe(all);
  });

  test("of all the parameters, those that are there are in scope under their names", () => {
    const names = Object.keys(PARAMETERS.properties ?? {});
    expect([...SCOPE.keys()].sort()).toEqual([...names, "args", "call", "vars"].sort());
  });
});

describe("an object with a key named constructor, by which the engine tells kinds apart", () => {
  const bodies: JsonObject = {
    car: { constructor: { name: "Ferrari" }, ok: 1 },
    cars: { list: [{ constructor: { name: "A" } }, { constructor: { name: "B" } }] },
  };
  test.each<[string, string, JsonValue]>([
    ["another key beside it", "body.car.ok", 1],
    ["the key itself", "body.car.constructor.name", "Ferrari"],
    ["whether it is there", "has(body.car.constructor)", true],
    ["its size", "size(body.car)", 2],
    [
      "what is picked from it",
      "body.car.pick(['ok', 'constructor', 'no'])",
      { ok: 1, constructor: { name: "Ferrari" } },
    ],
    ["the key in a list of such", "body.cars.list.map(car, car.constructor.name)", ["A", "B"]],
    ["the whole", "body.car", { constructor: { name: "Ferrari" }, ok: 1 }],
  ])("is read as any other: %s", (_name, source, expected) => {
    const compilation = compileExpression(source, RESPONSE_SCOPE);
    const evaluation = compilation.ok
      ? compilation.expression.evaluate(new Map([["body", bodies]]))
      : compilation;
    expect(evaluation).toEqual({ ok: true, value: expected });
  });
});
