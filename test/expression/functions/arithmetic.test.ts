import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../../../src/expression/index.ts";
import type { JsonValue } from "../../../src/json.ts";
import { reasonOf, resultOf, SCOPE, valuesOf } from "../computed.ts";

const calculated = (text: string): JsonValue => resultOf("math.calculate(args.text)", { args: { text } });
const refusal = (text: string): string => reasonOf("math.calculate(args.text)", { args: { text } });

const values: [string, JsonValue][] = [
  ["(3 + 4) * 2^10 / 7", 1024],
  ["0.1 + 0.2", 0.3],
  ["4.35 * 100", 435],
  ["1 - 0.9", 0.1],
  ["2 + 3 * 4", 14],
  ["10 - 4 - 3", 3],
  ["100 / 10 / 5", 2],
  ["10 / 4", 2.5],
  ["7 % 4", 3],
  ["-7 % 4", -3],
  ["5.5 % 2", 1.5],
  ["200 * 15%", 30],
  ["15%", 0.15],
  ["50% + 1", 1.5],
  ["50%-1", -0.5],
  ["-2^2", -4],
  ["(-2)^2", 4],
  ["2^3^2", 512],
  ["2 ** 3 ** 2", 512],
  ["2^-1", 0.5],
  ["--3", 3],
  ["+3", 3],
  ["2^100", "1267650600228229401496703205376"],
  ["9007199254740993", "9007199254740993"],
  ["9007199254740993 - 2", 9007199254740991],
  ["2^100 / 2^98", 4],
  ["(-1)^100001", -1],
  ["0^0", 1],
  ["5!", 120],
  ["5! / 3!", 20],
  ["2^3!", 64],
  ["20!", "2432902008176640000"],
  [".5 + 1.", 1.5],
  ["1e3", 1000],
  ["1E-3", 0.001],
  ["  1 +\n2 ", 3],
  ["sqrt(16)", 4],
  ["sqrt(2)^2", 2],
  ["cbrt(27)", 3],
  ["sin(pi)", 0],
  ["sin(pi / 6)", 0.5],
  ["cos(pi / 2)", 0],
  ["tan(pi / 4)", 1],
  ["deg(pi)", 180],
  ["rad(180) - π", 0],
  ["ln(e)", 1],
  ["log(e)", 1],
  ["log(8, 2)", 3],
  ["log(1000, 10)", 3],
  ["log10(1000)", 3],
  ["log2(8)", 3],
  ["exp(0)", 1],
  ["round(2.5)", 3],
  ["round(-2.5)", -3],
  ["round(1.005, 2)", 1.01],
  ["round(1234, -2)", 1200],
  ["floor(-1.5) + ceil(1.5) + trunc(1.9)", 1],
  ["abs(-2^64)", "18446744073709551616"],
  ["sign(-3)", -1],
  ["max(1, 2^60 + 1, 3.5)", "1152921504606846977"],
  ["min(2, -1)", -1],
  ["pow(2, 10)", 1024],
  ["mod(7, 4)", 3],
  ["hypot(3, 4)", 5],
  ["atan2(0, 1)", 0],
  ["PI - pi", 0],
  ["（1＋2）×3÷4", 2.25],
  ["2 − 5", -3],
  ["1e20 * 3", 300000000000000000000],
];

const refusals: [string, string][] = [
  ["", 'a number is missing at character 1 of ""'],
  ["3 + )", 'a number is missing at character 5 of "3 + )"'],
  ["(1 + 2", 'a closing parenthesis is missing at character 7 of "(1 + 2"'],
  ["1 + 2)", 'an operator is missing at character 6 of "1 + 2)"'],
  ["2pi", 'an operator is missing at character 2 of "2pi"'],
  ["1,000", 'an operator is missing at character 2 of "1,000"'],
  ["1 2", 'an operator is missing at character 3 of "1 2"'],
  ["3 + foo(1)", 'there is no foo at character 5 of "3 + foo(1)"'],
  ["constructor", 'there is no constructor at character 1 of "constructor"'],
  ["一加一", 'a number is missing at character 1 of "一加一"'],
  ["sqrt 4", 'sqrt takes its values in parentheses at character 6 of "sqrt 4"'],
  ["sqrt()", 'sqrt takes 1 value at character 1 of "sqrt()"'],
  ["pow(2)", 'pow takes 2 values at character 1 of "pow(2)"'],
  ["log(1, 2, 3)", 'log takes 1 or 2 values at character 1 of "log(1, 2, 3)"'],
  ["min()", 'min takes 1 or more values at character 1 of "min()"'],
  ["1 / 0", 'division by zero at character 5 of "1 / 0"'],
  ["1 / (2 - 2.0)", 'division by zero at character 5 of "1 / (2 - 2.0)"'],
  ["5 % 0", 'division by zero at character 5 of "5 % 0"'],
  ["sqrt(-1)", 'sqrt has no finite value here at character 1 of "sqrt(-1)"'],
  ["ln(0)", 'ln has no finite value here at character 1 of "ln(0)"'],
  ["tan(pi / 2)", 'tan has no finite value here at character 1 of "tan(pi / 2)"'],
  ["(-8)^0.5", 'such a power has no finite value here at character 9 of "(-8)^0.5"'],
  ["171!", 'a factorial takes a whole number from 0 to 170 at character 5 of "171!"'],
  ["1.5!", 'a factorial takes a whole number from 0 to 170 at character 5 of "1.5!"'],
  ["(-1)!", 'a factorial takes a whole number from 0 to 170 at character 6 of "(-1)!"'],
  ["9^9^9", 'the number is too large at character 6 of "9^9^9"'],
  ["1e308 * 10", "the result is too large"],
];

describe("arithmetic written as text", () => {
  test.each(values)("%s", (text, value) => {
    expect(calculated(text)).toBe(value);
  });

  test.each(refusals)("%s has a reason instead of a value", (text, reason) => {
    expect(refusal(text)).toBe(reason);
  });

  test("has an end", () => {
    expect(refusal("1+".repeat(600))).toBe("arithmetic has at most 1000 characters");
    expect(refusal("(".repeat(60))).toMatch(/^it is nested more than 50 deep at character 51 of/);
    expect(refusal("2^".repeat(60))).toMatch(/^it is nested more than 50 deep/);
    expect(refusal(`${"10^1000 * ".repeat(3)}1`)).toMatch(/^the number is too large/);
  });

  test("whatever the text, has a value or a reason", () => {
    const compilation = compileExpression("math.calculate(args.text)", SCOPE);
    if (!compilation.ok) throw new Error("not valid");
    const token = fc.constantFrom(
      ..."1 2.5 170 9 0 .5 1e308 + - * / % ^ ** ! ( ) , pi e sqrt( log( min( round( 10^ 潮 😀 × \ud800".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.array(token, { maxLength: 40 }).map((all) => all.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, (written) => {
        const result = compilation.expression.evaluate(valuesOf({ args: { text: written } }));
        if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value);
        else expect(result.reason).not.toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  test("of whole numbers is exact", () => {
    const part = fc.maxSafeInteger();
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const exact = BigInt(a) * BigInt(b) - BigInt(c);
        expect(String(calculated(`(${a}) * (${b}) - (${c})`))).toBe(exact.toString());
      }),
      { numRuns: 200 },
    );
  });
});
