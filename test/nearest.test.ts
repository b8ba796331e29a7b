import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearestFirst, probablyMeant, whatWasMeant } from "../src/nearest.ts";

describe("the distance of two texts", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "acb", 2],
    ["kitten", "sitting", 3],
    ["潮汐", "潮汐表", 1],
    ["𠮷", "𠮸", 1],
  ])("%j and %j is %i", (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  test("is a metric, between the difference of the lengths and the longer length", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "潮", "😀"), maxLength: 8 });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const [lengthA, lengthB] = [[...a].length, [...b].length];
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
        expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(lengthA - lengthB));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(lengthA, lengthB));
      }),
    );
  });
});

test("candidates come nearest first, equally near ones by name, each once", () => {
  expect(nearestFirst("get_klin", ["get_depth", "get_kline", "get_klines", "bet_klin", "get_kline"])).toEqual(
    ["bet_klin", "get_kline", "get_klines", "get_depth"],
  );
});

describe("what was probably meant", () => {
  test.each([
    ["timeoutt", ["timeout", "title"], "timeout"],
    ["exponental", ["exponential", "fixed"], "exponential"],
    ["analysys", ["strategy", "analysis"], "analysis"],
    ["潮汐表", ["潮汐", "行情"], "潮汐"],
    ["timeout", ["timeout"], null],
    ["weather", ["analysis"], null],
    ["ab", ["cd"], null],
    ["a", ["b"], null],
    ["x", [], null],
    ["abcd", ["abxx"], "abxx"],
    ["abc", ["axx"], null],
  ])("by %j of %j is %j", (name, candidates, meant) => {
    expect(probablyMeant(name, candidates)).toBe(meant);
  });

  test("is the nearest there is, the first by name of several", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "潮", "😀"), maxLength: 7 });
    fc.assert(
      fc.property(name, fc.array(name), (written, candidates) => {
        const [best] = nearestFirst(written, candidates);
        const most = Math.min(2, [...written].length / 2);
        const isMeant = best !== undefined && best !== written && editDistance(written, best) <= most;
        expect(probablyMeant(written, candidates)).toBe(isMeant ? best : null);
      }),
    );
  });

  test("is looked for among so many of similar length, and those of other lengths do not count", () => {
    const unlike = (length: number, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "_"));
    expect(probablyMeant("longitdue", [...unlike(20, 5_000), "longitude"])).toBe("longitude");
    expect(probablyMeant("longitdue", [...unlike(9, 5_000), "longitude"])).toBeNull();
  });

  test("is found at once among many, and for a name of a hundred thousand letters", () => {
    const candidates = Array.from({ length: 1_000 }, (_, index) => `name_${index}`);
    expect(probablyMeant("a".repeat(100_000), candidates)).toBeNull();
    expect(probablyMeant("nmae_999", candidates)).toBe("name_999");
  });
});

describe("what a name was meant to be", () => {
  const fields = ["base_url", "base_url_variable", "timeout", "title", "cost", "code", "GET", "PUT", "POST"];

  test.each([
    ["another letter case", "TimeOut", "timeout"],
    ["words joined in another way", "baseUrl", "base_url"],
    ["words joined by hyphens", "base-url-variable", "base_url_variable"],
    ["a character too many", "timeoutt", "timeout"],
    ["a character too few", "timeot", "timeout"],
    ["a character too few at the end", "timeou", "timeout"],
    ["a wrong character", "tameout", "timeout"],
    ["two characters swapped", "tiemout", "timeout"],
    ["the last two characters swapped", "titel", "title"],
    ["small letters", "get", "GET"],
  ])("is plain: %s", (_case, name, meant) => {
    expect(whatWasMeant(name, fields)).toEqual({ name: meant, isPlain: true });
  });

  test.each([
    ["one slip away from two", "cose", "code"],
    ["two slips away", "tmeuot", null],
    ["similar at best", "tideouts", "timeout"],
    ["a short name", "ti", null],
    ["something else", "harbour", null],
    ["a known name itself", "title", null],
  ])("is not: %s", (_case, name, similar) => {
    expect(whatWasMeant(name, fields)).toEqual(similar === null ? null : { name: similar, isPlain: false });
  });

  test("is plain for every single slip of a long name", () => {
    const name = "authentication";
    const slip = fc.tuple(fc.nat(name.length - 1), fc.constantFrom("", "x", "潮", "😀"));
    fc.assert(
      fc.property(slip, ([at, character]) => {
        const written = name.slice(0, at) + character + name.slice(at + 1);
        expect(whatWasMeant(written, [name, "error_handling"])).toEqual({ name, isPlain: true });
      }),
    );
  });
});
