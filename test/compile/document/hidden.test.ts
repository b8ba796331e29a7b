import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeHidden, firstHidden, withoutHidden } from "../../../src/compile/document/hidden.ts";
import { fixSkill } from "../../../src/compile/index.ts";
import { compiled, DESCRIPTION, withBlock } from "../compiled.ts";

describe("characters that nobody sees", () => {
  test.each([
    ["tag characters, which spell out instructions", "Formats JSON\u{E0041}\u{E0042}", "Formats JSON"],
    ["tag characters behind a black flag that make no flag", "🏴\u{E0061}\u{E0062}", "🏴"],
    ["zero-width spaces", "a\u200Bb\u2060c", "abc"],
    ["a byte order mark inside", "\uFEFFa", "a"],
    ["overrides and isolates of direction", "a\u202Eb\u202C\u2066c\u2069", "abc"],
    ["marks of direction where nothing runs from right to left", "abc\u200E", "abc"],
    ["joiners between letters that never join", "a\u200Db\u200Cc", "abc"],
    ["a soft hyphen", "tide\u00ADtable", "tidetable"],
    ["control characters, those of double-encoded text too", "a\u0000b\u0085c\u007F", "abc"],
    ["a second variation selector, which may carry a byte", "a\uFE0F\uFE01\uFE02", "a\uFE0F"],
    ["variation selectors of the supplement in a row", "😀\u{E0101}\u{E0102}", "😀\u{E0101}"],
    ["a Hangul filler among Latin letters", "a\u3164\u115Fb", "ab"],
    ["half of a surrogate pair", "a\uD800b", "ab"],
  ])("are taken out: %s", (_case, text, visible) => {
    expect(withoutHidden(text)).toBe(visible);
    expect(describeHidden(text)).toMatch(/U\+[0-9A-F]{4,}/);
  });

  test.each([
    ["emoji of several persons", "👨‍👩‍👧‍👦 and 🧑🏽‍🚀"],
    ["emoji with and without a variation", "❤️ ❤ 1️⃣ 👩‍❤️‍👨"],
    ["flags, those of letters and those of tags", "🇨🇳 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈"],
    ["Persian with non-joiners", "می‌خواهم بدانم"],
    ["Hindi with a joiner", "क्‍ष"],
    ["Hebrew with a mark of direction", "שלום\u200F (abc)"],
    ["a variation of an ideograph", "葛\u{E0100}"],
    ["Vietnamese and Thai marks", "Tiếng Việt ภาษาไทย"],
    ["letters written apart from their accents", "e\u0301 \u1100\u1161\u11A8"],
    ["old Korean with a filler", "ᄀ\u1160"],
    ["Mongolian with a selector", "ᠠ\u180B"],
    ["Chinese with ideographic blanks", "潮汐　表"],
    ["tabs and ends of lines", "a\tb\nc\r\n"],
  ])("stay where they are needed: %s", (_case, text) => {
    expect(withoutHidden(text)).toBe(text);
    expect(describeHidden(text)).toBeNull();
    expect(firstHidden(text)).toBeNull();
  });

  test("are counted and named, the first five kinds by number", () => {
    expect(describeHidden("\u200B")).toBe("an invisible character (U+200B) stands here");
    expect(describeHidden("a\u200Bb\u200B\u{E0041}")).toBe(
      "3 invisible characters (U+200B, U+E0041) stand here",
    );
    expect(describeHidden("\u200B\u200E\u2060\u2061\u2062\u2063")).toMatch(/U\+2062, …\)/);
  });

  test("are all that Unicode does not draw, but for tabs and ends of lines", () => {
    const undrawn = /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Surrogate}]$/u;
    const missed = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
      // U+061C turns nothing round and is a letter's mark in Arabic, of which it counts as a part.
      (character) => undrawn.test(character) && describeHidden(character) === null && character !== "\u061C",
    );
    expect(missed).toEqual(["\t", "\n", "\r"]);
  });

  test("are gone after one pass, and nothing else is", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
        fc.constantFrom(
          "\u200B",
          "\u200D",
          "\uFE0F",
          "\u{E0041}",
          "\u202E",
          "👩",
          "❤",
          "م",
          "क्",
          "\u0000",
          "\uD800",
        ),
      ),
    });
    fc.assert(
      fc.property(text, (value) => {
        const visible = withoutHidden(value);
        expect(describeHidden(visible)).toBeNull();
        const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Surrogate}]/gu;
        expect(visible.replace(ignorable, "")).toBe(value.replace(ignorable, ""));
        expect(firstHidden(value) === null).toBe(visible === value);
      }),
      { numRuns: 300 },
    );
  });
});

describe("in a skill", () => {
  test("they are taken out of name and description, with a warning at the first one", () => {
    const text = `---\nname: ti\u200Bdes\ndescription: ${DESCRIPTION}\u{E0049}\u{E0067}\nnote: a\u202Eb\n---\n`;
    const { skill, diagnostics } = compiled(text);
    expect(skill).toMatchObject({ name: "tides", title: "tides", description: DESCRIPTION });
    expect(skill?.frontmatter).toMatchObject({ name: "tides", description: DESCRIPTION, note: "ab" });
    expect(diagnostics.map(({ code, severity, line, column }) => [code, severity, line, column])).toEqual([
      ["invisible-characters", "warning", 2, 9],
      ["invisible-characters", "warning", 3, 14 + DESCRIPTION.length],
      ["invisible-characters", "warning", 4, 8],
    ]);
  });

  test("they are found behind an escape too, at the text that holds it", () => {
    const { skill, diagnostics } = compiled(
      `---\nname: tides\ndescription: "${DESCRIPTION}\\U000E0041"\n---\n`,
    );
    expect(skill?.description).toBe(DESCRIPTION);
    expect(diagnostics).toMatchObject([{ code: "invisible-characters", line: 3, column: 14 }]);
  });

  test("they are taken out of what models are shown of a function", () => {
    const { skill, diagnostics } = compiled(
      withBlock(
        "functions:\n  - name: f\n    description: Does it\u{E0041}.\n    parameters:\n      properties:\n" +
          "        a: {type: string, description: A\u200B thing, enum: [x\u2060]}\n    compute: a",
      ),
    );
    expect(skill?.functions[0]).toMatchObject({
      description: "Does it.",
      parameters: { properties: { a: { description: "A thing", enum: ["x"] } } },
    });
    expect(diagnostics.map(({ line, column }) => [line, column])).toEqual([
      [8, 25],
      [11, 41],
      [11, 58],
    ]);
  });

  test("they are taken out of the prose too, with one warning", () => {
    const { skill, diagnostics } = compiled(
      `---\nname: tides\ndescription: ${DESCRIPTION}\n---\nOne\u200B.\nTwo\u{E0041}.\n`,
    );
    expect(skill?.prose).toBe("One.\nTwo.");
    expect(diagnostics).toMatchObject([{ code: "invisible-characters", line: 5, column: 4 }]);
  });

  test("a run of them is one removal, whatever the ends of the lines are", () => {
    const text = `---\r\nname: tides\r\ndescription: ${DESCRIPTION}\r\n---\r\nOne\u200B\u{E0041}.\r\n\u2060Two\u200B.\r\n`;
    const [diagnostic] = compiled(text).diagnostics;
    expect(diagnostic?.edits.map(({ start, end }) => text.slice(start, end))).toEqual([
      "\u200B\u{E0041}",
      "\u2060",
      "\u200B",
    ]);
  });

  test("a document of hundreds of thousands of them is rid of them", () => {
    const header = `---\nname: tides\ndescription: ${DESCRIPTION}\n---\n`;
    const options = { file: "SKILL.md", folder: null, mayNameBaseUrlVariable: () => true };
    for (const body of ["\0".repeat(900_000), "a\u200B".repeat(200_000)])
      expect(fixSkill(header + body, options)).toBe(header + body.replace(/[\0\u200B]/g, ""));
  });

  test("an emoji and a word of Persian are no reason for a warning", () => {
    const { skill, diagnostics } = compiled(
      "---\nname: tides\ndescription: جزر و مد می‌خواهم 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿\n---\n",
    );
    expect(diagnostics).toEqual([]);
    expect(skill?.description).toBe("جزر و مد می‌خواهم 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿");
  });
});
