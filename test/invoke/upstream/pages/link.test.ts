import { describe, expect, test } from "vitest";
import { nextLink } from "../../../../src/invoke/upstream/pages/link.ts";

describe("the next page of a Link header", () => {
  test.each<[string, string | null]>([
    ['<https://a.test/2>; rel="next"', "https://a.test/2"],
    ["<https://a.test/2>; rel=next", "https://a.test/2"],
    ["</x?a=1,2;b>;REL=Next", "/x?a=1,2;b"],
    ['<https://a.test/1>; rel="prev", <https://a.test/3>; rel="next"', "https://a.test/3"],
    ['<https://a.test/3>; title="one, <two>; rel=next"; rel="last"', null],
    ['<https://a.test/3>; title="a\\"b"; rel="last next"', "https://a.test/3"],
    ['<https://a.test/3>; rel="last"; rel="next"', null],
    ['<>; rel="next"', ""],
    ["", null],
    ["https://a.test/3; rel=next", null],
    ['<https://a.test/3>; rel="nextpage"', null],
    ["<https://a.test/3>", null],
    ['<https://a.test/1>, <https://a.test/3>; rel="next"', "https://a.test/3"],
  ])("%j is %j", (header, target) => {
    expect(nextLink(header)).toBe(target);
  });

  test("is looked for in time that grows with the header's length", () => {
    for (const piece of ["<", "<a>;", '<a>; x="', "; rel=", " ", '\\"', "<a>; a;", "<a>;x "]) {
      expect(nextLink(piece.repeat(16_384 / piece.length))).toBeNull();
      expect(nextLink(`<a>;x${piece.repeat(16_384)}`)).toBeNull();
    }
  });
});
