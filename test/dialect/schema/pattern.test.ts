import { expect, test } from "vitest";
import { lookAroundFault } from "../../../src/dialect/schema/pattern.ts";

test.each([
  "^(?=.*\\d).+$",
  "^(?!-)[a-z-]+$",
  "(?<=\\$)\\d+",
  "(?<!\\$)\\d+",
  "\\\\(?=a)",
  "[)](?=a)",
  "[\\]](?!a)",
  "^\\p{L}+$",
  "[^\\P{Lu}]",
])("%j is refused", (pattern) => {
  expect(new RegExp(pattern, "u")).toBeInstanceOf(RegExp);
  expect(lookAroundFault(pattern)).not.toBeNull();
});

test.each([
  "^[a-z]+$",
  "(?:ab)+",
  "(?<year>\\d{4})",
  "\\(?=",
  "\\(?!",
  "[(?=]",
  "[\\](?=]",
  "\\\\p{2}",
  "a{2}",
  "",
  "(",
])("%j is accepted", (pattern) => {
  expect(lookAroundFault(pattern)).toBeNull();
});
