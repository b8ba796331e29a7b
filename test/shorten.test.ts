import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shorten } from "../src/shorten.ts";

describe("a text that is shortened", () => {
  test.each([
    ["", ""],
    ["short", "short"],
    ["just so", "just so"],
    ["too long", "too lo…"],
    ["腾讯控股有限公司", "腾讯控股有限…"],
    ["😀😀😀😀😀😀😀", "😀😀😀😀😀😀😀"],
    ["😀😀😀😀😀😀😀😀", "😀😀😀😀😀😀…"],
  ])("to seven characters: %j is %j", (text, expected) => {
    expect(shorten(text, 7)).toBe(expected);
  });

  test("has no more characters than it may, and is a beginning of itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, characters) => {
        const short = shorten(text, characters);
        expect([...short].length).toBeLessThanOrEqual(characters);
        expect(short === text || text.startsWith(short.slice(0, -1))).toBe(true);
      }),
    );
  });
});
