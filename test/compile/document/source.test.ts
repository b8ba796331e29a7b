import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteLength, Excerpt, isLongerThan, SourceText } from "../../../src/compile/document/source.ts";

describe("a document's text", () => {
  test.each([
    ["line feeds", "a\nb\nc"],
    ["carriage returns and line feeds", "a\r\nb\r\nc"],
    ["carriage returns", "a\rb\rc"],
    ["a byte order mark", "\uFEFFa\nb\nc"],
  ])("is the same with %s", (_case, raw) => {
    const source = new SourceText("x", raw);
    expect(source.text).toBe("a\nb\nc");
    expect(source.position(4)).toEqual({ line: 3, column: 1 });
    expect(source.line(2)).toBe("b");
  });

  test.each([
    ["Chinese", "潮汐表", 2, 3],
    ["characters of two units", "𠮷𠮷x", 4, 3],
    ["an emoji of several characters", "👨‍👩‍👧x", 8, 6],
  ])("counts columns in characters: %s", (_case, text, offset, column) => {
    expect(new SourceText("x", text).position(offset)).toEqual({ line: 1, column });
  });

  test("has no line before the first and none behind the last", () => {
    const source = new SourceText("x", "a\n");
    expect([source.line(0), source.line(1), source.line(2), source.line(3)]).toEqual(["", "a", "", ""]);
    expect(source.position(-1)).toEqual({ line: 1, column: 1 });
    expect(source.position(99)).toEqual({ line: 2, column: 1 });
  });

  test("gives every offset the line and column that counting gives", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "潮", "😀", "\n", " ") });
    fc.assert(
      fc.property(text, fc.nat(60), (value, seed) => {
        const source = new SourceText("x", value);
        const offset = Math.min(seed, value.length);
        const lines = source.text.slice(0, offset).split("\n");
        const column = [...(lines.at(-1) ?? "")].length + 1;
        expect(source.position(offset)).toEqual({ line: lines.length, column });
      }),
    );
  });
});

describe("an excerpt", () => {
  test("knows where each of its characters stood", () => {
    const source = new SourceText("x", "> one\n> two\n");
    const excerpt = Excerpt.of(source, [
      { start: 2, end: 6 },
      { start: 8, end: 12 },
    ]);
    expect(excerpt.text).toBe("one\ntwo\n");
    const places = [...excerpt.text].map((_, offset) => source.text[excerpt.toSource(offset)]);
    expect(places.join("")).toBe(excerpt.text);
  });

  test("a piece that is longer than what it stands for ends where that ends", () => {
    const excerpt = new Excerpt([{ text: 'a: "b"', span: { start: 10, end: 14 } }]);
    expect(excerpt.toSource(0)).toBe(10);
    expect(excerpt.toSource(6)).toBe(14);
  });

  test("of nothing is the beginning", () => {
    expect(new Excerpt([]).toSource(5)).toBe(0);
  });
});

describe("the bytes of a text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "é", "价", "😀"), maxLength: 20 });

  test("are compared with a limit as they would be counted", () => {
    fc.assert(
      fc.property(text, fc.nat(80), (value, limit) => {
        expect(isLongerThan(value, limit)).toBe(byteLength(value) > limit);
      }),
      { numRuns: 500 },
    );
  });
});
