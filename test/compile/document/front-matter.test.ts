import { describe, expect, test } from "vitest";
import { compiled, DESCRIPTION, HEADER, said } from "../compiled.ts";

/** A document with these lines as its front matter, which begin on line 2. */
function withFields(...lines: string[]): string {
  return `---\n${lines.join("\n")}\n---\nBody.\n`;
}

const NAME = "name: tides";
const FIELD = `description: ${DESCRIPTION}`;

describe("front matter is found", () => {
  test.each([
    ["with line feeds", `---\n${NAME}\n${FIELD}\n---\nBody.\n`],
    ["with carriage returns", `---\r\n${NAME}\r\n${FIELD}\r\n---\r\nBody.\r\n`],
    ["with carriage returns alone", `---\r${NAME}\r${FIELD}\r---\rBody.\r`],
    ["behind a byte order mark", `\uFEFF---\n${NAME}\n${FIELD}\n---\nBody.\n`],
    [
      "behind a byte order mark, with carriage returns",
      `\uFEFF---\r\n${NAME}\r\n${FIELD}\r\n---\r\nBody.\r\n`,
    ],
    ["with blanks behind the marks", `--- \n${NAME}\n${FIELD}\n---\t\nBody.\n`],
    ["with blank lines inside", `---\n\n${NAME}\n\n${FIELD}\n\n---\nBody.\n`],
    ["with a comment", `---\n# who we are\n${NAME}\n${FIELD}\n---\nBody.\n`],
  ])("%s", (_case, text) => {
    const { skill, diagnostics } = compiled(text);
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject({ name: "tides", description: DESCRIPTION, prose: "Body." });
  });

  test("when its closing mark is the end of the file, without a line feed", () => {
    const { skill, diagnostics } = compiled(`---\n${NAME}\n${FIELD}\n---`);
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject({ name: "tides", prose: "" });
  });

  test("behind blank lines, which is warned about", () => {
    const { skill, diagnostics } = compiled(`\n \n${HEADER}Body.`);
    expect(diagnostics).toMatchObject([{ code: "front-matter-late", line: 3, column: 1 }]);
    expect(skill?.prose).toBe("Body.");
  });

  test("and ends at the first line of three hyphens alone; rules in the body and hyphens in values stay", () => {
    const text = withFields(NAME, "description: use --- as a divider between two parts", "note: '---'");
    const { skill, diagnostics } = compiled(`${text}\n---\n\nMore.\n`);
    expect(diagnostics).toEqual([]);
    expect(skill?.description).toBe("use --- as a divider between two parts");
    expect(skill?.frontmatter.note).toBe("---");
    expect(skill?.prose).toBe("Body.\n\n---\n\nMore.");
  });

  test("only at column one: an indented mark does not close it", () => {
    expect(said(`---\n${NAME}\n${FIELD}\n ---\n`)).toEqual(["front-matter-unclosed 1:1"]);
  });

  test.each([
    ["an empty document", "", ["front-matter-missing 1:1"]],
    ["a document of blank lines", "\n\n  \n", ["front-matter-missing 1:1"]],
    ["a few letters", "test\n", ["front-matter-missing 1:1"]],
    ["a path, as a link in an archive leaves it", "../../README.md", ["front-matter-missing 1:1"]],
    ["empty front matter", "---\n---\n", ["name-missing 1:1"]],
    ["a lone opening mark", "---\n", ["front-matter-unclosed 1:1"]],
    ["fields without a mark before them", `${NAME}\n${FIELD}\n---\n`, ["front-matter-unopened 1:1"]],
    ["a file within a fence", `~~~md\n${HEADER}~~~\n`, ["front-matter-in-fence 1:1"]],
    ["a list", "---\n- one\n- two\n---\n", ["front-matter-not-a-mapping 2:1"]],
    ["a merge conflict at the top", `<<<<<<< HEAD\n${HEADER}`, ["merge-conflict 1:1"]],
  ])("%s is refused with the reason", (_case, text, diagnostics) => {
    expect(said(text)).toEqual(diagnostics);
  });

  test("the text behind front matter that is never closed does not become fields", () => {
    const { skill, diagnostics } = compiled(`---\n${NAME}\n${FIELD}\n\n# Title\n\nlicense: MIT\n`);
    expect(skill).toBeNull();
    expect(diagnostics).toHaveLength(1);
  });

  test("a heading that a formatter made of a field never becomes the name", () => {
    const { skill, diagnostics } = compiled(
      "---\n\n## name: tides\n\ndescription: x\n\n| a | b |\n| --- | --- |\n",
    );
    expect(skill).toBeNull();
    expect(diagnostics).toMatchObject([{ code: "front-matter-unclosed", line: 1 }]);
  });
});

describe("values of the front matter", () => {
  test.each([
    [
      "folded",
      ["description: >-", "  Part one of the tides", "  USE FOR: planning"],
      "Part one of the tides USE FOR: planning",
    ],
    [
      "literal",
      ["description: |", "  Part one of the tides", "  USE FOR: planning"],
      "Part one of the tides\nUSE FOR: planning",
    ],
    [
      "in double quotes",
      ['description: "Tides: \\"high\\" and low, at a harbour"'],
      'Tides: "high" and low, at a harbour',
    ],
    [
      "in single quotes",
      ["description: 'The harbour''s tides, high and low'"],
      "The harbour's tides, high and low",
    ],
    [
      "continued on the next line",
      ["description: Tides at a harbour,", "  high and low"],
      "Tides at a harbour, high and low",
    ],
    [
      "with a number sign",
      ["description: The harbours of C# programmers #1"],
      "The harbours of C# programmers",
    ],
  ])("a text %s", (_case, lines, description) => {
    const { skill, diagnostics } = compiled(withFields(NAME, ...lines));
    expect(diagnostics).toEqual([]);
    expect(skill?.description).toBe(description);
  });

  test("numbers and dates keep the digits that they were written with", () => {
    const { skill } = compiled(
      withFields("name: 2024", FIELD, "version: 1.10", "author: 2024-01-31", "homepage: 0x10"),
    );
    expect(skill).toMatchObject({ name: "2024", version: "1.10" });
    expect(skill?.frontmatter).toMatchObject({ version: "1.10", author: "2024-01-31", homepage: "0x10" });
  });

  test("unknown fields are kept as they are", () => {
    const { skill, diagnostics } = compiled(
      withFields(
        NAME,
        FIELD,
        "allowed-tools: Read, Bash(git:*)",
        "x: {a: [1, null, true]}",
        "big: 12345678901234567890",
      ),
    );
    expect(diagnostics).toEqual([]);
    expect(skill?.frontmatter).toMatchObject({
      "allowed-tools": "Read, Bash(git:*)",
      x: { a: [1, null, true] },
      big: "12345678901234567890",
    });
  });

  test("names like __proto__ are fields like any other", () => {
    const { skill } = compiled(withFields(NAME, FIELD, "__proto__: {polluted: true}", "constructor: x"));
    expect(Object.keys(skill?.frontmatter ?? {})).toContain("__proto__");
    expect(Object.getPrototypeOf(skill?.frontmatter)).toBeNull();
    expect("polluted" in {}).toBe(false);
  });

  test.each([
    ["a name", ["name:", FIELD], "empty-field 2:1"],
    ["a description", [NAME, "description: # nothing here"], "empty-field 3:1"],
    ["a description that says null", [NAME, "description: null"], "empty-field 3:1"],
    ["a description that says ~", [NAME, "description: ~"], "empty-field 3:1"],
  ])("%s without a value is an error", (_case, lines, diagnostic) => {
    const { skill } = compiled(withFields(...lines));
    expect(skill).toBeNull();
    expect(said(withFields(...lines))).toEqual([diagnostic]);
  });

  test("a description of nothing but blanks is none", () => {
    expect(said(withFields(NAME, 'description: "  "'))).toEqual(["description-missing 3:14"]);
  });

  test("a list where a text belongs is kept as it was typed", () => {
    const { skill, diagnostics } = compiled(withFields(NAME, FIELD, "argument-hint: [city]"));
    expect(diagnostics).toMatchObject([
      { code: "text-kept-as-written", line: 4, column: 16, fix: 'argument-hint: "[city]"' },
    ]);
    expect(skill?.frontmatter["argument-hint"]).toBe("[city]");
  });

  test("one text is a list of one where a list belongs", () => {
    const { skill } = compiled(withFields(NAME, FIELD, "tags: sea", "triggers: [涨潮, tide]"));
    expect(skill).toMatchObject({ tags: ["sea"], triggers: ["涨潮", "tide"] });
  });
});

describe("lenient reading", () => {
  test.each([
    ["a colon in a description", "description: Two modes: short and long", "Two modes: short and long"],
    [
      "a colon in Chinese",
      "description: 潮汐表: 港口的高潮和低潮时间，用来安排行程的时候",
      "潮汐表: 港口的高潮和低潮时间，用来安排行程的时候",
    ],
    ["a leading comma", "description: , it might predict the next word", ", it might predict the next word"],
    [
      "a leading @",
      "description: @Observable is used for managing state",
      "@Observable is used for managing state",
    ],
    [
      "a leading backtick",
      "description: `tides` lists the tides at a harbour",
      "`tides` lists the tides at a harbour",
    ],
    [
      "a leading %",
      "description: %s is replaced by the harbour's name",
      "%s is replaced by the harbour's name",
    ],
    ["quotes inside", 'description: say "tides: now" to get the tides', 'say "tides: now" to get the tides'],
    [
      "a backslash inside",
      "description: a\\b: the path of a file of tides",
      "a\\b: the path of a file of tides",
    ],
  ])("takes a line for text that plainly is meant as one: %s", (_case, line, description) => {
    const { skill, diagnostics } = compiled(withFields(NAME, line));
    expect(diagnostics).toMatchObject([
      { code: "front-matter-lenient", severity: "warning", line: 3, column: 1 },
    ]);
    expect(skill?.description).toBe(description);
    const [{ fix } = { fix: null }] = diagnostics;
    const corrected = compiled(withFields(NAME, fix ?? ""));
    expect(corrected.diagnostics).toEqual([]);
    expect(corrected.skill?.description).toBe(description);
  });

  test("takes several flow lists in a row for text", () => {
    const { skill } = compiled(withFields(NAME, FIELD, "argument-hint: [date] [duration] [type]"));
    expect(skill?.frontmatter["argument-hint"]).toBe("[date] [duration] [type]");
  });

  test("takes a lone asterisk for text", () => {
    const { skill } = compiled(withFields(NAME, FIELD, "allowed-tools: *"));
    expect(skill?.frontmatter["allowed-tools"]).toBe("*");
  });

  test("never loses what a skill is not allowed to do", () => {
    const { skill } = compiled(
      withFields(NAME, "description: Checks: all of them, one by one", "allowed-tools: Read"),
    );
    expect(skill?.frontmatter["allowed-tools"]).toBe("Read");
  });

  test.each([
    ["a mapping where a text belongs", [NAME, "description:", "  Two: modes", "license: x"], "wrong-type"],
    ["a mapping that is not closed", [NAME, FIELD, "metadata: {a: b"], "yaml-syntax"],
    ["a quoted text that is not closed", [NAME, 'description: "The tides: high and low'], "yaml-syntax"],
    ["a broken line within a mapping", [NAME, FIELD, "metadata:", "  note: a: b"], "yaml-syntax"],
    [
      "a line that swallowed the next field",
      [`name: tidesdescription: ${DESCRIPTION}`, FIELD],
      "yaml-syntax",
    ],
    ["a key that stands twice", [NAME, "description: Two: one", NAME], "yaml-syntax"],
  ])("does not touch %s", (_case, lines, code) => {
    const { skill, diagnostics } = compiled(withFields(...lines));
    expect(skill).toBeNull();
    expect(diagnostics[0]?.code).toBe(code);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).not.toContain("front-matter-lenient");
  });

  test("a key that stands twice is named with both its lines", () => {
    const [diagnostic] = compiled(withFields(NAME, FIELD, "version: 1.0.0", "version: 2.0.0")).diagnostics;
    expect(diagnostic).toMatchObject({ code: "duplicate-key", line: 5, column: 1 });
    expect(diagnostic?.message).toBe("the key version stands twice in the same mapping (first on line 4)");
  });

  test("faults that no lenient reading helps are given at their places in the file", () => {
    expect(said(withFields(NAME, FIELD, 'metadata: {bins: \\["curl"]}'))[0]).toBe("yaml-syntax 4:19");
  });
});
