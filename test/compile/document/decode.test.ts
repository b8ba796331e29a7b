import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readSkills } from "../../../src/cli/skills/read.ts";
import { decodeDocument } from "../../../src/compile/index.ts";
import { HEADER } from "../compiled.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text as UTF-16 or UTF-32, made of whole numbers of two or four bytes. */
function wide(text: string, width: 2 | 4, littleEndian: boolean): Uint8Array {
  const units = width === 2 ? text.split("").map((unit) => unit.charCodeAt(0)) : [...text].map(codePoint);
  const view = new DataView(new ArrayBuffer(units.length * width));
  units.forEach((unit, index) => {
    if (width === 2) view.setUint16(index * width, unit, littleEndian);
    else view.setUint32(index * width, unit, littleEndian);
  });
  return new Uint8Array(view.buffer);
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
const joined = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...bytesOf(part)] : part)));

/** What is wrong with the bytes, in words. */
function faultOf(bytes: Uint8Array) {
  const fault = decodeDocument(bytes, "SKILL.md");
  if (typeof fault === "string") throw new Error(`The bytes are the text ${JSON.stringify(fault)}.`);
  return fault;
}

describe("the bytes of a document", () => {
  test.each([
    ["nothing", ""],
    ["English", HEADER],
    ["Chinese", "---\nname: 潮汐\n---\n"],
    ["characters of four bytes", "𠮷😀"],
    ["a replacement character that somebody wrote", "a\uFFFDb"],
    ["zero bytes behind the beginning", "ab\0c"],
  ])("are read as UTF-8: %s", (_case, text) => {
    expect(decodeDocument(bytesOf(text), "SKILL.md")).toBe(text);
  });

  test("lose a byte order mark, and only that", () => {
    expect(decodeDocument(bytesOf(`\uFEFF${HEADER}`), "SKILL.md")).toBe(HEADER);
  });

  test("are the text that was encoded, whatever it is", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !/^\uFEFF|^.?\0/.test(value));
    fc.assert(fc.property(text, (value) => decodeDocument(bytesOf(value), "SKILL.md") === value));
  });
});

describe("bytes that are not UTF-8", () => {
  const mark = "\uFEFF";
  test.each([
    ["UTF-16LE", wide(mark + HEADER, 2, true)],
    ["UTF-16BE", wide(mark + HEADER, 2, false)],
    ["UTF-16LE", wide(HEADER, 2, true)],
    ["UTF-16BE", wide(HEADER, 2, false)],
    ["UTF-32LE", wide(mark + HEADER, 4, true)],
    ["UTF-32BE", wide(mark + HEADER, 4, false)],
    ["UTF-32LE", wide(HEADER, 4, true)],
    ["UTF-32BE", wide(HEADER, 4, false)],
  ])("are named where the beginning tells it: %s", (encoding, bytes) => {
    const { code, severity, line, column, message, fix } = faultOf(bytes);
    expect([code, severity, line, column]).toEqual(["not-utf-8", "error", 1, 1]);
    expect(message).toBe(`the file is ${encoding}, not UTF-8`);
    expect(fix).toContain(`iconv -f ${encoding} -t UTF-8`);
  });

  test.each([
    ["GB18030", "Chinese", joined("---\nname: ", [0xb3, 0xb1, 0xcf, 0xab], "\n"), 2, 7],
    ["GB18030", "Chinese behind carriage returns", joined("-\r\n\r\n", [0xd6, 0xd0, 0xce, 0xc4]), 3, 1],
    ["Shift_JIS", "Japanese", joined("# ", [0x92, 0xaa, 0x82, 0xf0, 0x82, 0xa0, 0xa1], "\n"), 1, 3],
    ["windows-1252", "French", joined("---\nname: mar", [0xe9], "e\nnote: ", [0xe0], " la mer\n"), 2, 10],
    ["windows-1252", "curly quotes", joined("a ", [0x93], "tide", [0x94]), 1, 3],
  ])("are taken for %s where most of them are %s", (encoding, _what, bytes, line, column) => {
    const fault = faultOf(bytes);
    expect(fault).toMatchObject({ code: "not-utf-8", line, column });
    expect(fault.message).toBe(`the file is not UTF-8; it seems to be ${encoding}`);
    expect(fault.fix).toContain(`iconv -f ${encoding} -t UTF-8`);
  });

  test.each([
    ["cut at the end of the file", joined("潮汐表\n潮汐", [0xe8, 0xa1]), 2, 3],
    ["damaged on the way", joined("潮汐\uFFFD表\n一", [0xff], "二\n"), 2, 2],
  ])("are a fault at its place where the rest is UTF-8: %s", (_case, bytes, line, column) => {
    const fault = faultOf(bytes);
    expect(fault).toMatchObject({ code: "not-utf-8", line, column });
    expect(fault.message).toBe("a character is cut off or damaged here; the file is UTF-8 otherwise");
  });

  test("are shown by the line that holds the first of them", () => {
    expect(faultOf(joined("one\ntwo ", [0xe9], " three\n")).excerpt).toBe("two \uFFFD three");
  });
});

describe("a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "skills-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("that is not UTF-8 stops a build with the same diagnostic", async () => {
    writeFileSync(join(folder, "SKILL.md"), wide(HEADER, 2, true));
    const { compiled, diagnostics } = await readSkills(folder);
    expect(compiled).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "not-utf-8", line: 1 }]);
  });
});
