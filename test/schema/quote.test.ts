import { describe, expect, test } from "vitest";
import { MAX_QUOTED_CHARACTERS } from "../../src/limits.ts";
import { quoteValue, thereAre } from "../../src/schema/quote.ts";

describe("a value in a message", () => {
  test.each([
    [null, "null"],
    [1.5, "1.5"],
    ["a\nb", '"a\\nb"'],
    ["\uD800", '"\\ud800"'],
    [{ a: [1] }, '{"a":[1]}'],
    [[], "[]"],
  ])("%j is %s", (value, quoted) => {
    expect(quoteValue(value)).toBe(quoted);
  });

  test("is cut after whole characters, with its kind and length", () => {
    const quoted = quoteValue("😀".repeat(1_000));
    expect(quoted).toBe(`"${"😀".repeat(MAX_QUOTED_CHARACTERS - 1)}… (string, 1002 characters)`);
    expect(quoteValue("a".repeat(MAX_QUOTED_CHARACTERS - 2))).not.toContain("…");
  });

  test.each([
    ["secret", "a string that is not shown"],
    [1, "an integer that is not shown"],
    [{ a: 1 }, "an object that is not shown"],
    [[1], "an array that is not shown"],
    [null, "a null that is not shown"],
  ])("that is a secret is not shown: %j", (value, quoted) => {
    expect(quoteValue(value, true)).toBe(quoted);
  });
});

test("of the names that are known, a message lists no more than a reader takes in", () => {
  const names = Array.from({ length: 31 }, (_, index) => `n${index}`);
  expect(thereAre([])).toBe("");
  expect(thereAre(["a", "b"])).toBe("; there are a, b");
  expect(thereAre(names.slice(0, 30))).toMatch(/ n28, n29$/);
  expect(thereAre(names)).toMatch(/ n28, n29, …$/);
});
