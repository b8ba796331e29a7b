import { describe, expect, test } from "vitest";
import { readOptions } from "../../scripts/fuzz/options.ts";

describe("the words after npm run fuzz", () => {
  test.each([
    [[], { count: 100_000, seed: 1, only: null, from: null, json: false }],
    [["--count", "5", "--seed", "0", "--json"], { count: 5, seed: 0, only: null, from: null, json: true }],
    [["--only", "12"], { count: 100_000, seed: 1, only: 12, from: null, json: false }],
    [["--from", "skills"], { count: 100_000, seed: 1, only: null, from: "skills", json: false }],
    [["--help"], null],
  ])("%j are understood", (words, options) => {
    expect(readOptions(words)).toEqual(options);
  });

  test.each([
    [["--count", "0"], /^--count expects a whole number from 1 to 100000000, not 0\.$/],
    [["--count", "many"], /^--count expects .*not many\.$/],
    [["--seed", "1.5"], /^--seed expects a whole number, not 1\.5\.$/],
    [["--only=-1"], /^--only expects a whole number, not -1\.$/],
    [["--fast"], /--fast/],
  ])("%j are refused with the reason", (words, reason) => {
    expect(readOptions(words)).toMatch(reason);
  });
});
