import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCharacters, pageOf, sliceCharacters, type TextPage } from "../src/text-page.ts";

/** All pages of a text, each asked for where the one before ends. */
function pagesOf(text: string, maxCharacters: number): TextPage[] {
  const pages: TextPage[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: TextPage | null = pageOf(text, offset, maxCharacters);
    if (page === null) throw new Error(`no page at ${offset}`);
    pages.push(page);
    offset = page.nextOffset;
  }
  return pages;
}

describe("a page of a text", () => {
  test.each<[string, string, number, number | null, TextPage]>([
    ["all of it", "abcd", 0, 6, { text: "abcd", offset: 0, nextOffset: null, totalCharacters: 4 }],
    [
      "what fits between its quotes",
      "abcd",
      0,
      5,
      { text: "abc", offset: 0, nextOffset: 3, totalCharacters: 4 },
    ],
    ["what follows", "abcd", 3, 5, { text: "d", offset: 3, nextOffset: null, totalCharacters: 4 }],
    ["all the rest", "abcd", 1, null, { text: "bcd", offset: 1, nextOffset: null, totalCharacters: 4 }],
    [
      "less where quotes are written as two",
      'a"b"c',
      0,
      6,
      { text: 'a"b', offset: 0, nextOffset: 3, totalCharacters: 5 },
    ],
    ["whole emoji", "a😀😀b", 0, 4, { text: "a😀", offset: 0, nextOffset: 2, totalCharacters: 4 }],
    [
      "from behind an emoji",
      "a😀😀b",
      2,
      4,
      { text: "😀b", offset: 2, nextOffset: null, totalCharacters: 4 },
    ],
    [
      "Chinese as any other text",
      "腾讯控股",
      1,
      4,
      { text: "讯控", offset: 1, nextOffset: 3, totalCharacters: 4 },
    ],
    ["nothing of an empty text", "", 0, 4, { text: "", offset: 0, nextOffset: null, totalCharacters: 0 }],
  ])("is %s", (_what, text, offset, maxCharacters, page) => {
    expect(pageOf(text, offset, maxCharacters)).toEqual(page);
  });

  test.each<[string, number]>([
    ["abcd", 4],
    ["a😀😀b", 4],
    ["", 1],
  ])("is none of %j from %d on, where it is at its end", (text, offset) => {
    expect(pageOf(text, offset, 10)).toBeNull();
  });
});

describe("the pages of a result", () => {
  const results = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }),
    fc.string({ unit: "grapheme" }).map((text) => ({ text })),
  );

  test("make together its JSON text, each no larger than asked for and made of whole characters", () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 4, max: 60 }), (result, maxCharacters) => {
        const text = JSON.stringify(result);
        const pages = pagesOf(text, maxCharacters);
        expect(pages.map((page) => page.text).join("")).toBe(text);
        for (const page of pages) {
          expect(page.text.isWellFormed()).toBe(true);
          expect([...JSON.stringify(page.text)].length).toBeLessThanOrEqual(maxCharacters);
          expect(page.totalCharacters).toBe([...text].length);
        }
      }),
    );
  });

  test("begin at any offset, which counts code points", () => {
    fc.assert(
      fc.property(results, fc.nat(), (result, place) => {
        const text = JSON.stringify(result);
        const points = [...text];
        const offset = place % points.length;
        expect(pageOf(text, offset, null)?.text).toBe(points.slice(offset).join(""));
      }),
    );
  });
});

test("characters are counted by code points, as iterating does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(countCharacters(text)).toBe([...text].length);
    }),
  );
});

test("a slice counts code points at both ends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(30), fc.nat(30), (text, start, length) => {
      const expected = [...text].slice(start, start + length).join("");
      expect(sliceCharacters(text, start, start + length)).toBe(expected);
    }),
  );
});

test("pages of any text are it, and each is as large as it may be", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "binary-ascii" }),
    fc.string({ unit: "binary" }).map((text) => `${text}\ud800 and a half`),
  );
  const sizeOf = (text: string) => [...JSON.stringify(text)].length;
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 60 }), (text, maxCharacters) => {
      const pages = pagesOf(text, maxCharacters);
      expect(pages.map((page) => page.text).join("")).toBe(text);
      pages.forEach((page, index) => {
        expect(sizeOf(page.text)).toBeLessThanOrEqual(maxCharacters);
        const [next] = pages[index + 1]?.text ?? "";
        if (next !== undefined) expect(sizeOf(page.text + next)).toBeGreaterThan(maxCharacters);
      });
    }),
  );
});
