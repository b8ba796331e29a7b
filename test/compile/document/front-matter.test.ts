import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Excerpt } from "../../../src/compile/document/source.ts";
import { parseYaml } from "../../../src/compile/document/yaml.ts";
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

  test.each([
    ["the opening one", ` ---\n${NAME}\n${FIELD}\n---\n`, 1],
    ["the opening one, by a tab", `\t---\n${NAME}\n${FIELD}\n---\n`, 1],
    ["the closing one", `---\n${NAME}\n${FIELD}\n ---\n`, 4],
    ["the closing one, with a rule in the body", `---\n${NAME}\n${FIELD}\n  ---\nBody.\n\n---\n\nMore.\n`, 4],
  ])("only at column one: %s is named where it is indented", (_case, text, line) => {
    expect(said(text)).toEqual([`front-matter-indented ${line}:1`]);
  });
});

describe("front matter that is not found", () => {
  test.each([
    ["an empty document", "", ["front-matter-missing 1:1"]],
    ["a document of blank lines", "\n\n  \n", ["front-matter-missing 1:1"]],
    ["a few letters", "test\n", ["front-matter-missing 1:1"]],
    ["a path, as a link in an archive leaves it", "../../README.md", ["document-is-a-path 1:1"]],
    ["a path with a line feed", "潮汐/SKILL.MD\n", ["document-is-a-path 1:1"]],
    ["a sentence that names a file", "See ../README.md\n", ["front-matter-missing 1:1"]],
    ["front matter behind a comment", `<!-- © -->\n${HEADER}`, ["front-matter-after-text 2:1"]],
    ["front matter behind a heading", `# Tides\n\n${HEADER}`, ["front-matter-after-text 3:1"]],
    ["front matter in a fence behind text", `Text.\n~~~\n${HEADER}~~~\n`, ["front-matter-missing 1:1"]],
    ["a rule, and fields that no rule follows", `Text.\n\n---\n${NAME}\n`, ["front-matter-missing 1:1"]],
    ["four hyphens for three", `----\n${NAME}\n${FIELD}\n----\n`, ["front-matter-unopened 1:1"]],
    ["a dash that an editor made", `—\n${NAME}\n${FIELD}\n—\n`, ["front-matter-unopened 1:1"]],
    [
      "an invisible character before the mark",
      `\u200B${HEADER}`,
      ["front-matter-unopened 1:1", "invisible-characters 1:1"],
    ],
    [
      "a second byte order mark",
      `\uFEFF\uFEFF${HEADER}`,
      ["front-matter-unopened 1:1", "invisible-characters 1:1"],
    ],
    [
      "a merge conflict within",
      `---\n<<<<<<< a\n${NAME}\n||||||| b\n=======\n>>>>>>> c\n---\n`,
      ["merge-conflict 2:1"],
    ],
    ["a merge conflict that took the closing mark", `---\n${NAME}\n<<<<<<< a\n`, ["merge-conflict 3:1"]],
    ["empty front matter", "---\n---\n", ["name-missing 1:1"]],
    ["a lone opening mark", "---\n", ["front-matter-unclosed 1:1"]],
    ["fields without a mark before them", `${NAME}\n${FIELD}\n---\n`, ["front-matter-unopened 1:1"]],
    ["a file within a fence", `~~~md\n${HEADER}~~~\n`, ["front-matter-in-fence 1:1"]],
    ["a list", "---\n- one\n- two\n---\n", ["front-matter-not-a-mapping 2:1"]],
    ["a merge conflict at the top", `<<<<<<< HEAD\n${HEADER}`, ["merge-conflict 1:1"]],
  ])("%s is refused with the reason", (_case, text, diagnostics) => {
    expect(said(text)).toEqual(diagnostics);
  });

  test.each([
    ["four hyphens", "----", "write --- instead of line 4"],
    ["a dash", "—", "write --- instead of line 4"],
    ["the end of a YAML document", "...", "write --- instead of line 4"],
    ["nothing of the kind", "Text.", "end it with a line ---"],
  ])("front matter that ends with %s is never closed, and the fix names the line", (_case, line, fix) => {
    const { diagnostics } = compiled(`---\n${NAME}\n${FIELD}\n${line}\n`);
    expect(diagnostics).toMatchObject([{ code: "front-matter-unclosed", line: 1, fix }]);
  });

  test("front matter that runs on to a rule of the text is not closed before the first heading", () => {
    const text = `---\n${NAME}\n${FIELD}\n# how we work\n\n# Tides\n\nAsk for the harbour first.\n\n---\n`;
    expect(said(text)).toEqual(["front-matter-unclosed 6:1"]);
  });

  test("a line of seven equals signs under a title is no merge conflict", () => {
    const { diagnostics } = compiled(
      "Harbour\n=======\n\n```yaml\nmeta: {name: tides, description: The tides of a harbour.}\n```\n",
    );
    expect(diagnostics).toEqual([]);
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
    ["with a number sign", ["description: The harbours of C# programmers"], "The harbours of C# programmers"],
    [
      "in quotes before a comment",
      ['description: "The harbours: of programmers" # all'],
      "The harbours: of programmers",
    ],
  ])("a text %s", (_case, lines, description) => {
    const { skill, diagnostics } = compiled(withFields(NAME, ...lines));
    expect(diagnostics).toEqual([]);
    expect(skill?.description).toBe(description);
  });
});

describe("the spelling of the front matter's values", () => {
  test("numbers and dates keep the digits that they were written with", () => {
    const { skill } = compiled(
      withFields("name: 2024", FIELD, "version: 1.10", "author: 2024-01-31", "homepage: 0x10"),
    );
    expect(skill).toMatchObject({ name: "2024", version: "1.10" });
    expect(skill?.frontmatter).toMatchObject({ version: "1.10", author: "2024-01-31", homepage: "0x10" });
  });

  test.each([
    "1.10",
    "0755",
    "0x10",
    "0o17",
    "1e3",
    "1_000",
    "yes",
    "true",
    "2024-01-31",
    "12:30:45",
    "-0",
    ".5",
  ])("a text field keeps %s as it was written", (written) => {
    const fields = ["version", "license", "author", "compatibility"].map((key) => `${key}: ${written}`);
    const { skill } = compiled(withFields(`name: n`, FIELD, ...fields, `tags: [${written}]`));
    expect(skill).toMatchObject({ version: written, tags: [written] });
    expect(skill?.frontmatter).toMatchObject({ license: written, author: written, compatibility: written });
  });

  test("metadata keeps the digits of its numbers, and what is nested in it", () => {
    const { skill } = compiled(
      withFields(NAME, FIELD, "metadata: {version: 1.10, mode: 0755, always: true, bins: {node: [1]}}"),
    );
    expect(skill?.frontmatter.metadata).toEqual({
      version: "1.10",
      mode: "0755",
      always: true,
      bins: { node: [1] },
    });
  });

  test("a description that a comment cuts off is warned about, with the whole text as the fix", () => {
    const { skill, diagnostics } = compiled(
      withFields(NAME, "description: The harbours of C# programmers #1 潮汐 "),
    );
    expect(skill?.description).toBe("The harbours of C# programmers");
    const fix = 'description: "The harbours of C# programmers #1 潮汐"';
    expect(diagnostics).toMatchObject([
      { code: "text-cut-by-comment", severity: "warning", line: 3, column: 45, endColumn: 50, fix },
    ]);
    expect(compiled(withFields(NAME, fix)).diagnostics).toEqual([]);
  });

  test.each([
    ["a name", "name: tides # the folder's"],
    ["a folded text", "compatibility: >- # folded\n  Any harbour."],
    ["a quoted text", 'compatibility: "Any harbour." # all'],
  ])("a comment behind %s is one", (_case, line) => {
    const fields = line.startsWith("name") ? [line, FIELD] : [NAME, FIELD, line];
    expect(said(withFields(...fields))).toEqual([]);
  });
});

describe("fields of the front matter", () => {
  test.each([
    ["a mapping", ["allowed-tools:", "  Read: true"], "wrong-type 5:3"],
    ["a list of mappings", ["allowed-tools:", "  - Read: true"], "wrong-type 5:5"],
    ["nothing", ["allowed-tools:"], "empty-field 4:1"],
  ])("tools that are %s are an error, for the restriction is lost", (_case, lines, diagnostic) => {
    expect(compiled(withFields(NAME, FIELD, ...lines)).skill).toBeNull();
    expect(said(withFields(NAME, FIELD, ...lines))).toEqual([diagnostic]);
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

  test("a description that is a comment is said to be one", () => {
    const [diagnostic] = compiled(withFields(NAME, "description: # nothing here")).diagnostics;
    expect(diagnostic?.message).toBe("description has no value: what stands behind # is a comment");
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

describe("what a reader line by line would lose without a word is kept or said", () => {
  test("nested fields stay nested and never pass for fields of the document", () => {
    const lines = ["metadata:", "  name: boats", "  author:", "    name: Ada", "    tags: [a]"];
    const { skill, diagnostics } = compiled(withFields(NAME, FIELD, ...lines));
    expect(diagnostics).toEqual([]);
    expect(skill).toMatchObject({ name: "tides", tags: [] });
    expect(Object.keys(skill?.frontmatter ?? {})).toEqual(["name", "description", "metadata"]);
    expect(skill?.frontmatter.metadata).toEqual({ name: "boats", author: { name: "Ada", tags: ["a"] } });
  });

  test("a list over several lines is a list", () => {
    expect(compiled(withFields(NAME, FIELD, "tags:", "  - sea", "  - 'a, b'")).skill?.tags).toEqual([
      "sea",
      "a, b",
    ]);
  });

  test("a comment is no part of a value", () => {
    const { skill, diagnostics } = compiled(withFields(NAME, FIELD, "category: analysis # as the others"));
    expect(diagnostics).toEqual([]);
    expect(skill?.category).toBe("analysis");
  });

  test("a line without a colon is an error at its place", () => {
    const { skill, diagnostics } = compiled(withFields(NAME, "tides of the harbour", FIELD));
    expect(skill).toBeNull();
    expect(diagnostics[0]).toMatchObject({ code: "yaml-syntax", line: 3 });
  });

  test("a field that is indented by mistake is an error at its place", () => {
    expect(said(withFields(NAME, ` ${FIELD}`))).toEqual(["yaml-syntax 2:7"]);
  });

  test("no value ends in a carriage return", () => {
    const text = withFields(NAME, FIELD, "tags: [sea]", "note: a").replaceAll("\n", "\r\n");
    expect(JSON.stringify(compiled(text).skill)).not.toContain("\\r");
  });

  test("a category that is nearly a known one is warned about, for it would come last", () => {
    const { diagnostics } = compiled(withFields(NAME, FIELD, "category: analisis"));
    expect(diagnostics).toMatchObject([{ code: "category-unknown", line: 4, fix: "category: analysis" }]);
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

  test("is not even tried where the fields are YAML, and loses none of them where they are not", () => {
    const value = fc.string({
      unit: fc.constantFrom(..."ab :#-@`,[]{}'\"|>&*!%?0", "潮", "\n  "),
      maxLength: 12,
    });
    fc.assert(
      fc.property(value, value, (description, hint) => {
        const lines = [NAME, `description: ${description}`, `argument-hint: ${hint}`, "allowed-tools: Read"];
        const isYaml = parseYaml(
          new Excerpt([{ text: `${lines.join("\n")}\n`, span: { start: 4, end: 99 } }]),
        );
        const { skill, diagnostics } = compiled(withFields(...lines));
        const isLenient = diagnostics.some(({ code }) => code === "front-matter-lenient");
        if (isYaml.faults.length === 0) expect(isLenient).toBe(false);
        else expect(isLenient).toBe(!diagnostics.some(({ code }) => code === "yaml-syntax"));
        if (skill !== null) expect(skill.frontmatter["allowed-tools"]).toBe("Read");
      }),
      { numRuns: 500 },
    );
  });

  test("is refused, with the first reading's fault, where it does not help either", () => {
    const lines = [NAME, "description: Two: modes", "metadata: {a: b"];
    expect(said(withFields(...lines))[0]).toBe("yaml-syntax 3:14");
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
