import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/json.ts";
import { reasonOf, resultOf } from "../computed.ts";

const values = {
  args: {
    list: [3, 1, 2],
    rows: [
      { name: "b", rank: 2 },
      { name: "a", rank: 2 },
      { name: "c", rank: 1 },
    ],
  },
};

describe("a function of lists", () => {
  test.each<[string, JsonValue]>([
    ["args.list.sort()", [1, 2, 3]],
    ["[2, 1.5, -3].sort()", [-3, 1.5, 2]],
    ["['b', 'a', 'B'].sort()", ["B", "a", "b"]],
    ["[true, false].sort()", [false, true]],
    ["[duration('2s'), duration('1s')].sort()", ["1s", "2s"]],
    ["[timestamp(1), timestamp(0)].sort()", ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"]],
    ["[].sort()", []],
    ["args.rows.sortBy(r, r.name).map(r, r.name)", ["a", "b", "c"]],
    ["args.rows.sortBy(r, r.rank).map(r, r.name)", ["c", "b", "a"]],
    ["args.rows.sortBy(r, -1.0 * r.rank).map(r, r.name)", ["b", "a", "c"]],
    ["args.rows.sortBy(r, r.rank).first().value().name", "c"],
    ["[[1, [2]], [3], 4].flatten()", [1, [2], 3, 4]],
    ["[[1, [2, [5]]], 4].flatten(2)", [1, 2, [5], 4]],
    ["[[1]].flatten(0)", [[1]]],
    ["[1, 1.0, 2, '1', 1u].distinct()", [1, 2, "1"]],
    [
      "[[1], [1.0], {'a': 1, 'b': 2}, {'b': 2, 'a': 1.0}, null, null].distinct()",
      [[1], { a: 1, b: 2 }, null],
    ],
    ["[['a', 'b'], ['a,b'], ['\"a\",\"b\"']].distinct()", [["a", "b"], ["a,b"], ['"a","b"']]],
    ["args.list.reverse()", [2, 1, 3]],
    ["args.list.first().value()", 3],
    ["args.list.last().value()", 2],
    ["[].first().orValue('none')", "none"],
    ["[].last().hasValue()", false],
    ["lists.range(3)", [0, 1, 2]],
    ["lists.range(0)", []],
    ["lists.range(-1)", []],
    ["[1, 2, 3].slice(1, 99)", [2, 3]],
    ["[1u, 2u].sum()", 3],
  ])("%s", (source, value) => {
    expect(resultOf(source, values)).toEqual(value);
  });

  test.each([
    ["[1, 'a'].sort()", "a text and a number have no order"],
    ["[[1], [2]].sort()", "lists have no order"],
    ["args.rows.sort()", "such values have no order"],
    ["args.rows.sortBy(r, r)", "such values have no order"],
    ["[[1]].flatten(-1)", "a list is flattened by 0 levels or more"],
    ["[9223372036854775807, 1].sum()", "a whole number has at most 64 bits"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source, values)).toBe(reason);
  });

  test("sorts by characters, and leaves nothing out", () => {
    const codePoints = (text: string): number[] =>
      Array.from(text, (character) => character.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (list) => {
        const sorted = resultOf("args.list.sort()", { args: { list } });
        const expected = [...list].sort((left, right) => {
          const [a, b] = [codePoints(left), codePoints(right)];
          const at = a.findIndex((point, index) => point !== b[index]);
          return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
        });
        expect(sorted).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a function of numbers", () => {
  test.each<[string, JsonValue]>([
    ["math.greatest(1, 2.5)", 2.5],
    ["math.greatest(1, 2, 3, 5, 4)", 5],
    ["math.greatest([1, 7, 3])", 7],
    ["math.least(3, 2)", 2],
    ["math.least(args.list)", 1],
    ["math.ceil(1.2)", 2],
    ["math.floor(-1.2)", -2],
    ["math.trunc(-1.8)", -1],
    ["math.round(2.5)", 3],
    ["math.round(-2.5)", -3],
    ["math.round(1.4)", 1],
    ["math.round(7)", 7],
    ["math.ceil(args.list[0])", 3],
    ["math.abs(-5)", 5],
    ["math.abs(-1.5)", 1.5],
    ["math.sign(-3)", -1],
    ["math.sign(0.0)", 0],
    ["math.sqrt(16)", 4],
    ["math.sqrt(2.25)", 1.5],
    ["math.isNaN(0.0 / 0.0)", true],
    ["math.isNaN(1)", false],
    ["math.isInf(1.0 / 0.0)", true],
    ["math.isFinite(1.5)", true],
    ["math.isFinite(-1.0 / 0.0)", false],
  ])("%s", (source, value) => {
    expect(resultOf(source, values)).toBe(value);
  });

  test.each([
    ["math.greatest(['a'])", "math.greatest takes numbers, got a string"],
    ["math.least(1, args.rows)", "math.least takes numbers, got a object"],
    ["math.least([])", "math.least of an empty list"],
    ["math.abs(-9223372036854775807 - 1)", "a whole number has at most 64 bits"],
  ])("%s has a reason instead of a value", (source, reason) => {
    expect(reasonOf(source, values)).toBe(reason);
  });
});
