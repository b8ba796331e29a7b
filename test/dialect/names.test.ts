import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aliasesFor, type NameRule, safeName } from "../../src/dialect/names.ts";

const rule: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/,
  maxLength: 32,
  underscored: /^_*[0-9-][A-Za-z0-9_-]*$/,
  fallback: "name",
};

describe("a safe name", () => {
  test("keeps names that the rule accepts", () => {
    for (const name of ["a", "_", "get_kline", "A-1", "a".repeat(32)])
      expect(safeName(name, rule)).toBe(name);
  });

  test("keeps what is readable and ends in a fingerprint", () => {
    expect(safeName("page[size]", rule)).toMatch(/^page_size_[0-9a-f]{10}$/);
    expect(safeName("天气预报", rule)).toMatch(/^name_[0-9a-f]{10}$/);
    expect(safeName("", rule)).toMatch(/^name_[0-9a-f]{10}$/);
    expect(safeName("行情 K-line 2", rule)).toMatch(/^K_line_2_[0-9a-f]{10}$/);
    expect(safeName("9 lives", rule)).toMatch(/^name_9_lives_[0-9a-f]{10}$/);
  });

  test("always obeys the rule, and is different for different names", () => {
    const names = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 50 }),
      fc.string({ unit: fc.constantFrom("a", "2", "_", "-", "中", " "), maxLength: 40 }),
    );
    fc.assert(
      fc.property(names, names, (left, right) => {
        expect(safeName(left, rule)).toMatch(rule.pattern);
        expect(safeName(left, rule) === safeName(right, rule)).toBe(left === right);
      }),
      { numRuns: 2_000 },
    );
  });

  test("tells lone halves of characters apart", () => {
    expect(safeName("\ud800", rule)).not.toBe(safeName("\ud801", rule));
  });
});

describe("aliases", () => {
  test("are given to those keys only that break the rule", () => {
    expect([...aliasesFor(new Set(["a", "b!", "c"]), rule).keys()]).toEqual(["b!"]);
    expect(aliasesFor(new Set(["a", "b!"]), null).size).toBe(0);
  });

  test("avoid the keys that are there already", () => {
    const alias = aliasesFor(new Set(["b!"]), rule).get("b!") ?? "";
    const beside = aliasesFor(new Set(["b!", alias]), rule).get("b!");
    expect(beside).toMatch(/^b_[0-9a-f]{10}$/);
    expect(beside).not.toBe(alias);
    // Whichever comes first.
    expect(aliasesFor(new Set([alias, "b!"]), rule).get("b!")).toBe(beside);
  });
});
