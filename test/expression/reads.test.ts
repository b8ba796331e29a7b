import { describe, expect, test } from "vitest";
import { functionsNamed, stepsRead } from "../../src/expression/index.ts";

describe("the steps that an expression reads", () => {
  test.each<[string, (string | null)[]]>([
    ["steps.a.price + steps.b[0]", ["a", "b"]],
    ['steps["a b"]', ["a b"]],
    ["steps.?a.orValue(1)", ["a"]],
    ["has(steps.a)", ["a"]],
    ["[1].map(x, x + steps.a)", ["a"]],
    ["cel.bind(x, steps.a, x)", ["a"]],
    ["size(steps)", [null]],
    ["steps[x]", [null]],
    ["[{}].map(steps, steps.a)", []],
    ["cel.bind(steps, {}, steps.a)", []],
    ["other.steps.a", []],
    ["'steps.a'", []],
    ["steps.", []],
  ])("%s", (source, members) => {
    expect(stepsRead(source).map(({ member }) => member)).toEqual(members);
  });

  test("are told with their places", () => {
    const source = "'潮' + steps.a.price";
    const [read] = stepsRead(source);
    expect(source.slice(read?.start, read?.end)).toBe("steps.a");
  });
});

describe("the functions that an expression names", () => {
  test.each<[string, string[]]>([
    ['call.function == "a"', ["a"]],
    ['"a" != call["function"]', ["a"]],
    ['call.function in ["a", "b"] || x == "c"', ["a", "b"]],
    ['[1].all(i, call.function == "a")', ["a"]],
    ['call.skill == "a"', []],
    ['other.function == "a"', []],
    ["call.function == x", []],
    ['call.function == "', []],
  ])("%s", (source, names) => {
    expect(functionsNamed(source).map(({ text }) => text)).toEqual(names);
  });
});
