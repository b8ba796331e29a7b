import { format } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { type CompiledPatterns, formatOfPattern, spendStepsFrom } from "../../src/schema/pattern-format.ts";

test("a pattern is compiled once for a validator, however many others it matches in between", () => {
  const compiled: CompiledPatterns = new Map();
  const sources = Array.from({ length: 500 }, (_, index) => `^a${index}$`);
  const matchAll = () => sources.map((source) => format[formatOfPattern(source) ?? ""]?.("a7"));
  spendStepsFrom({ left: 1_000_000 }, compiled);
  expect(matchAll().filter((is) => is)).toHaveLength(1);
  const first = [...compiled.values()];
  expect(first).toHaveLength(500);
  matchAll();
  expect([...compiled.values()].every((pattern, index) => pattern === first[index])).toBe(true);
});
