import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_TITLE_CHARACTERS } from "../../src/limits.ts";
import { loadSkill, type ReadableSkill, SectionNames, type Wanted } from "../../src/reading/index.ts";
import { sliceCharacters } from "../../src/text-page.ts";
import { compiled, HEADER } from "../compile/compiled.ts";
import { breaches, breachesOfPages, readable } from "./laws.ts";

function documentOf(body: string): ReadableSkill {
  const { skill, diagnostics } = compiled(`${HEADER}${body}`);
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return readable(skill);
}

const NOTHING_SAID: Wanted = { section: null, offset: null, maxCharacters: 10_000 };

function load(skill: ReadableSkill, wanted: Partial<Wanted> = {}) {
  const loaded = loadSkill(skill, { ...NOTHING_SAID, ...wanted });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value;
}

function refusal(skill: ReadableSkill, wanted: Partial<Wanted>) {
  const loaded = loadSkill(skill, { ...NOTHING_SAID, ...wanted });
  return loaded.ok ? null : loaded.failure;
}

const LONG = "All work and no play makes a long section. ".repeat(40).trim();
const tides = documentOf(`# Tides\n\nHigh and low.\n\n## Use\n\n${LONG}\n\n## Places\n\n### Use\n\n潮汐😀\n`);

describe("a document", () => {
  test("comes whole where it fits", () => {
    const { text } = tides;
    const size = [...text].length;
    expect(load(tides)).toEqual({
      status: "ok",
      mode: "document",
      name: "tides",
      source: "bundled",
      version: null,
      stale: false,
      files: [],
      files_omitted: 0,
      content: text,
      total_chars: size,
      offset: 0,
      next_offset: null,
      complete: true,
    });
  });

  test("says what stands beside it, as far as an eighth of the reply has room for it", () => {
    const files = Array.from({ length: 64 }, (_, index) => ({ path: `references/${index}.md`, bytes: 7 }));
    const own = { ...tides, source: "user", version: 3, stale: true, files } as const;
    expect(load(own)).toMatchObject({
      version: 3,
      stale: true,
      files: files.slice(0, 33),
      files_omitted: 31,
    });
    expect(load(own, { maxCharacters: 1_000 })).toMatchObject({
      files: files.slice(0, 3),
      files_omitted: 61,
    });
  });

  test("comes as its outline and its opening where it does not", () => {
    const opened = load(tides, { maxCharacters: 1_000 });
    expect(opened).toMatchObject({ mode: "outline", offset: 0, complete: false, sections_omitted: 0 });
    expect("outline" in opened ? opened.outline : null).toEqual([
      { section: "Tides", level: 1, chars: [...tides.text].length, first_line: "High and low." },
      { section: "Tides > Use", level: 2, chars: 1_729, first_line: expect.stringMatching(/^All work .*…$/) },
      { section: "Places", level: 2, chars: 23 },
      { section: "Places > Use", level: 3, chars: 12, first_line: "潮汐😀" },
    ]);
    expect(opened.content).toMatch(/^# Tides\n\nHigh and low\./);
    expect(opened.next_offset).toBe(opened.content.length);
  });

  test("goes on from an offset, also from the beginning, without an outline", () => {
    expect(load(tides, { offset: 0, maxCharacters: 1_000 }).mode).toBe("document");
    const end = [...tides.text].length - 2;
    expect(load(tides, { offset: end })).toMatchObject({ content: "汐😀", offset: end, complete: true });
  });

  test("ends where an offset is past it, and says its size", () => {
    const size = [...tides.text].length;
    expect(refusal(tides, { offset: size })).toEqual({
      code: "INVALID_REQUEST",
      message: `The document of tides has ${size} characters, so there is nothing at the offset ${size}.`,
      faults: [{ path: "/offset", rule: "maximum", expected: `at most ${size - 1}`, got: `${size}` }],
    });
    expect(refusal(tides, { section: "Places > Use", offset: 12 })).toMatchObject({
      message: 'The section "Places > Use" has 12 characters, so there is nothing at the offset 12.',
    });
  });

  test("of nothing is complete", () => {
    expect(load(documentOf(""))).toMatchObject({ content: "", total_chars: 0, complete: true });
    expect(refusal(documentOf(""), { offset: 1 })).toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("a section", () => {
  test("comes whole with the size of all, where it fits", () => {
    expect(load(tides, { section: "places > use" })).toEqual({
      status: "ok",
      mode: "section",
      name: "tides",
      source: "bundled",
      version: null,
      stale: false,
      files: [],
      files_omitted: 0,
      section: "Use",
      content: "### Use\n\n潮汐😀",
      total_chars: 12,
      offset: 0,
      next_offset: null,
      complete: true,
      document_chars: [...tides.text].length,
      outline: [],
      sections_omitted: 0,
    });
  });

  test("holds the sections within it, and has an outline of them where it does not fit", () => {
    const opened = load(tides, { section: "Tides", maxCharacters: 1_000 });
    expect(opened).toMatchObject({ mode: "section", complete: false });
    const outline = "outline" in opened ? opened.outline : [];
    expect(outline.map(({ section }) => section)).toEqual(["Tides > Use", "Places", "Places > Use"]);
  });

  test("that several have is refused with the paths that would do", () => {
    const section = "use";
    const paths = ["Tides > Use", "Places > Use"];
    expect(refusal(tides, { section })).toEqual({
      code: "AMBIGUOUS_SECTION",
      skill: "tides",
      section,
      paths,
    });
    for (const path of paths) expect(load(tides, { section: path }).mode).toBe("section");
  });

  test("that nobody has is refused with those that there are, nearest first", () => {
    const failure = { code: "UNKNOWN_SECTION", skill: "tides", unlisted: 0 };
    expect(refusal(tides, { section: "plaice" })).toEqual({
      ...failure,
      section: "plaice",
      known: ["Places", "Tides", "Places > Use", "Tides > Use"],
    });
    expect(refusal(tides, { section: "Use cases" })).toMatchObject({ unlisted: 0, known: expect.any(Array) });
    expect(refusal(documentOf("Text."), { section: "Use" })).toEqual({
      ...failure,
      section: "Use",
      known: [],
    });
  });

  test("is never listed by the thousand", () => {
    const many = documentOf(Array.from({ length: 1_000 }, (_, index) => `# Part ${index}\n`).join("\n"));
    const failure = refusal(many, { section: "Part 1000" });
    expect(failure).toMatchObject({ unlisted: 900, known: expect.arrayContaining(["Part 100"]) });
  });

  test("begins at no heading within a fence, and keeps the sign that its heading ends in", () => {
    const fenced = documentOf("# Use\n````md\n```sh\n# not a heading\n```\n````\n## C#\n");
    expect(new SectionNames(fenced.sections).labels).toEqual(["Use", "C#"]);
    expect(load(fenced, { section: "C#" }).content).toBe("## C#");
    expect(load(fenced, { section: "Use" }).content).toContain("# not a heading");
  });
});

describe("an outline that is too large", () => {
  const parts = Array.from(
    { length: 30 },
    (_, index) => `# Part ${index}\n\nAbout ${index}.\n\n## Details ${index}\n`,
  );
  const many = documentOf(`${parts.join("\n")}\n${LONG.repeat(5)}`);
  const outlineWithin = (maxCharacters: number) => {
    const opened = load(many, { maxCharacters });
    if (opened.mode !== "outline") throw new Error(opened.mode);
    return opened;
  };

  test("leaves first lines out, then the deepest sections, then the last ones, and says how many", () => {
    const lines = { all: outlineWithin(5_900), short: outlineWithin(4_500), upper: outlineWithin(3_500) };
    expect(lines.all.outline).toHaveLength(60);
    expect(lines.all.outline[0]).toMatchObject({ first_line: "About 0." });
    expect(lines.short.outline).toHaveLength(60);
    expect(lines.short.outline[0]).toEqual({ section: "Part 0", level: 1, chars: 34 });
    expect(lines.upper).toMatchObject({ sections_omitted: 30 });
    expect(lines.upper.outline.every(({ level }) => level === 1)).toBe(true);
    const least = outlineWithin(1_000);
    expect(least.outline.map(({ section }) => section)).toEqual(
      least.outline.map((_, index) => `Part ${index}`),
    );
    expect(least.outline.length).toBeGreaterThan(5);
    expect(least.outline.length + least.sections_omitted).toBe(60);
  });
});

describe("the laws of reading", () => {
  const titles = fc.oneof(
    fc.constantFrom("", "Use", "use", "Use #2", "A > B", "天气", '"'.repeat(MAX_TITLE_CHARACTERS)),
    fc.string({ unit: "grapheme", maxLength: 10 }),
  );
  const paragraphs = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.constantFrom(
      '"\\'.repeat(400),
      "😀".repeat(700),
      "\n".repeat(900),
      "\u0001".repeat(300),
      "潮".repeat(900),
    ),
  );
  const documents = fc
    .array(fc.record({ title: titles, level: fc.integer({ min: 1, max: 6 }), text: paragraphs }), {
      maxLength: 8,
    })
    .map((parts): ReadableSkill => {
      const pieces = parts.map(
        ({ title, level, text }) => `${"#".repeat(level)} ${title}\n${text.toWellFormed()}\n`,
      );
      let start = 0;
      const sections = parts.map(({ title, level }, index) => {
        const begin = start;
        start += [...(pieces[index] ?? "")].length;
        return { title, level, start: begin, end: start, firstLine: title };
      });
      const files = Array.from({ length: 64 }, (_, index) => ({
        path: `references/${index}.md`,
        bytes: index,
      }));
      const own = { source: "user", version: 1_000_000, stale: false, files } as const;
      return { name: "n".repeat(64), ...own, text: pieces.join(""), sections };
    });

  test("hold for any document: pages are the document, no reply is too large, no character is split", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1_000, max: 3_000 }), (skill, maxCharacters) => {
        expect(breaches(skill, maxCharacters)).toEqual([]);
        const { labels } = new SectionNames(skill.sections);
        skill.sections.forEach(({ start, end }, index) => {
          const text = sliceCharacters(skill.text, start, end);
          expect(breachesOfPages(skill, labels[index] ?? "", text, maxCharacters)).toEqual([]);
        });
      }),
    );
  });

  test.each([
    ["130 KB in one line", "x".repeat(130_000)],
    ["as much of Chinese", "潮汐".repeat(22_000)],
    ["as much of emoji", "😀".repeat(33_000)],
    ["as much that is written as two", '"\\'.repeat(65_000)],
  ])("hold for %s", (_what, text) => {
    const skill = documentOf(text);
    for (const maxCharacters of [1_000, 9_999, 10_000, 1_000_000])
      expect(breaches(skill, maxCharacters)).toEqual([]);
    expect(load(skill)).toMatchObject({ mode: "outline", outline: [], complete: false });
  });

  test("hold where headings are as long and as many as they may be", () => {
    const heading = (index: number) =>
      `${"#".repeat((index % 6) + 1)} ${`"${index % 7}`.repeat(120)}\n\ntext\n`;
    const skill = documentOf(Array.from({ length: 40 }, (_, index) => heading(index)).join("\n"));
    for (const maxCharacters of [1_000, 10_000]) expect(breaches(skill, maxCharacters)).toEqual([]);
  });
});
