import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { folderWith, launchedSkillgate, skillgate } from "./command.ts";
import { FIXABLE, FIXED, RIGHT, WRONG } from "./documents.ts";

/** Each test starts a process or two, which takes long where much else runs. */
vi.setConfig({ testTimeout: 30_000 });

/** The beginning of every escape sequence that a terminal reads. */
const ESCAPE = "\u001B";

describe("skillgate check", () => {
  test("is content with right documents", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": RIGHT });
    expect(await skillgate(folder, ["check"])).toEqual({
      status: 0,
      stdout: "",
      stderr: "1 of 1 document compiled: 0 errors, 0 warnings.\n",
    });
  });

  test("shows each fault where it stands, by file, and sums up by code", async () => {
    const folder = folderWith({
      "b/moon/SKILL.md": WRONG,
      "b/tides/skill.md": FIXABLE,
      "b/tides/other.md": WRONG,
    });
    const { status, stdout, stderr } = await skillgate(folder, ["check", "b"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      [
        "b/moon/SKILL.md:1:1: error[description-missing]: the skill has no description",
        "  1 | ---",
        "    | ^",
        "    = fix: description: what it does and when to use it",
        "",
        "b/tides/skill.md:3:1: warning[front-matter-lenient]: this line is not YAML as it stands; it was read as plain text",
        "  3 | description: Tides: times and heights at a harbour",
        "    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        '    = fix: description: "Tides: times and heights at a harbour"',
        "",
        "b/tides/skill.md:4:11: warning[category-unknown]: the category analysys is not a known one",
        "  4 | category: analysys",
        "    |           ^^^^^^^^",
        "    = fix: category: analysis",
        "",
        "     1  error    description-missing",
        "     1  warning  category-unknown      1 fixable",
        "     1  warning  front-matter-lenient  1 fixable",
        "",
        "1 of 2 documents compiled: 1 error, 2 warnings. 2 of them can be fixed by `skillgate check --fix`.",
        "",
      ].join("\n"),
    );
  });

  test("checks one file, in whose folder others may be wrong", async () => {
    const folder = folderWith({ "a/tides/SKILL.md": RIGHT, "a/moon/SKILL.md": WRONG });
    const { status, stderr } = await skillgate(folder, ["check", "a/tides/SKILL.md"]);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "1 of 1 document compiled: 0 errors, 0 warnings.\n",
    });
  });

  test("says errors alone where it is to be quiet", async () => {
    const folder = folderWith({ "skills/moon/SKILL.md": WRONG, "skills/tides/SKILL.md": FIXABLE });
    const { stdout, stderr } = await skillgate(folder, ["check", "--quiet"]);
    expect(stdout).toBe("");
    expect(stderr.match(/(error|warning)\[/g)).toEqual(["error["]);
    expect(stderr).not.toContain("compiled");
  });
});

describe("the exit status of skillgate check", () => {
  test.each([
    ["warnings alone", FIXABLE, [], 0],
    ["warnings where they count", FIXABLE, ["--strict"], 1],
    ["nothing, where warnings count", RIGHT, ["--strict"], 0],
    ["an error", WRONG, ["--quiet"], 1],
  ])("ends for %s with its status", async (_case, document, words, expected) => {
    const folder = folderWith({ "skills/tides/SKILL.md": document });
    expect((await skillgate(folder, ["check", ...words])).status).toBe(expected);
  });

  test.each([
    ["a folder that is not there", ["check", "nowhere"], "There is no file or folder nowhere."],
    ["a path through a file", ["check", "notes.txt/skills"], "There is no file or folder notes.txt/skills."],
    ["no folder at all", ["check"], "There is no file or folder skills."],
    ["a folder without documents", ["check", "empty"], "There is no SKILL.md in empty or below it."],
    ["an option that is misspelt", ["check", "--jsno"], "(Did you mean --json?)"],
    ["a command that is misspelt", ["chek"], "(Did you mean check?)"],
    ["a word too many", ["check", "a", "b"], "too many arguments"],
    ["a dry run of nothing", ["check", "empty", "--dry-run"], "'--dry-run' goes with '--fix'"],
    ["a colour", ["check", "--color", "blue"], "Allowed choices are auto, always, never"],
    ["no command", [], "Usage: skillgate"],
  ])("ends with status 2 for %s", async (_case, words, said) => {
    const folder = folderWith({ "notes.txt": "", "empty/notes.txt": "" });
    const { status, stdout, stderr } = await skillgate(folder, words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  test("says of a link that it is not followed, and that nothing was checked", async () => {
    const folder = folderWith({ "SKILL.md": RIGHT, "skills/notes.txt": "" });
    symlinkSync("../SKILL.md", join(folder, "skills/SKILL.md"));
    const { status, stderr } = await skillgate(folder, ["check"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^skills\/SKILL\.md:1:1: warning\[/);
    expect(stderr).toContain("There is no SKILL.md in skills or below it.");
  });

  test("stops when its reader has seen enough", async () => {
    const folder = folderWith({ "skills/moon/SKILL.md": WRONG });
    const { stderr } = await skillgate(folder, ["check", "--json"], {}, "closed");
    expect(stderr).toBe("");
  });

  test("says that a file is not UTF-8 or too large, and goes on", async () => {
    const folder = folderWith({
      "skills/latin/SKILL.md": Uint8Array.of(0x2d, 0x2d, 0x2d, 0xe9),
      "skills/long/SKILL.md": "x".repeat(2 ** 20 + 1),
      "skills/tides/SKILL.md": RIGHT,
    });
    const { status, stderr } = await skillgate(folder, ["check"]);
    expect(status).toBe(1);
    expect(stderr).toContain("skills/latin/SKILL.md:1:4: error[not-utf-8]");
    expect(stderr).toContain("skills/long/SKILL.md:1:1: error[document-too-large]");
    expect(stderr).toContain("1 of 3 documents compiled");
  });
});

describe("skillgate check --json", () => {
  test("prints the report on standard output and nothing else anywhere", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": `\uFEFF${FIXABLE.replaceAll("\n", "\r\n")}` });
    const { status, stdout, stderr } = await skillgate(folder, ["check", "--json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lenient = 'description: "Tides: times and heights at a harbour"';
    expect(JSON.parse(stdout)).toEqual({
      files: 1,
      compiled: 1,
      errors: 0,
      warnings: 2,
      codes: [
        { code: "category-unknown", severity: "warning", count: 1, fixable: 1 },
        { code: "front-matter-lenient", severity: "warning", count: 1, fixable: 1 },
      ],
      diagnostics: [
        {
          code: "front-matter-lenient",
          severity: "warning",
          file: "skills/tides/SKILL.md",
          line: 3,
          column: 1,
          endColumn: 51,
          message: "this line is not YAML as it stands; it was read as plain text",
          fix: lenient,
          edits: [{ start: 19, end: 69, text: lenient }],
          excerpt: "description: Tides: times and heights at a harbour",
        },
        {
          code: "category-unknown",
          severity: "warning",
          file: "skills/tides/SKILL.md",
          line: 4,
          column: 11,
          endColumn: 19,
          message: "the category analysys is not a known one",
          fix: "category: analysis",
          edits: [{ start: 81, end: 89, text: "analysis" }],
          excerpt: "category: analysys",
        },
      ],
      changes: [],
      losses: [],
    });
  });
});

describe("skillgate check --fix", () => {
  test("writes what is right, shows it as a diff, and reports what is left", async () => {
    const folder = folderWith({ "skills/moon/SKILL.md": WRONG, "skills/tides/SKILL.md": FIXABLE });
    const { status, stdout, stderr } = await skillgate(folder, ["check", "--fix"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.slice(0, stderr.indexOf("skills/moon"))).toBe(
      [
        "--- skills/tides/SKILL.md",
        "+++ skills/tides/SKILL.md",
        "@@ -1,5 +1,5 @@",
        " ---",
        " name: tides",
        "-description: Tides: times and heights at a harbour",
        "-category: analysys",
        '+description: "Tides: times and heights at a harbour"',
        "+category: analysis",
        " ---",
        "Fixed skills/tides/SKILL.md.",
        "",
        "",
      ].join("\n"),
    );
    expect(stderr.match(/(error|warning)\[[a-z-]+/g)).toEqual(["error[description-missing"]);
    expect(readFileSync(join(folder, "skills/tides/SKILL.md"), "utf8")).toBe(FIXED);
    expect(readFileSync(join(folder, "skills/moon/SKILL.md"), "utf8")).toBe(WRONG);
  });

  test("changes nothing the second time, and leaves no draft behind", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": FIXABLE });
    expect((await skillgate(folder, ["check", "--fix"])).status).toBe(0);
    const { mtimeMs } = statSync(join(folder, "skills/tides/SKILL.md"));
    const { stderr } = await skillgate(folder, ["check", "--fix"]);
    expect(stderr).toBe("1 of 1 document compiled: 0 errors, 0 warnings.\n");
    expect(statSync(join(folder, "skills/tides/SKILL.md")).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(join(folder, "skills/tides"))).toEqual(["SKILL.md"]);
  });

  test.each([
    ["LF", FIXABLE, FIXED],
    ["CRLF", FIXABLE.replaceAll("\n", "\r\n"), FIXED.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${FIXABLE}`, `\uFEFF${FIXED}`],
    ["no last line end", FIXABLE.trimEnd(), FIXED.trimEnd()],
    ["mixed line ends and blanks at their ends", `${FIXABLE}a  \r\nb\t\nc\r`, `${FIXED}a  \r\nb\t\nc\r`],
  ])("keeps every other byte of a file with %s", async (_case, before, after) => {
    const folder = folderWith({ "skills/tides/SKILL.md": before });
    expect((await skillgate(folder, ["check", "--fix"])).status).toBe(0);
    expect(readFileSync(join(folder, "skills/tides/SKILL.md")).equals(Buffer.from(after))).toBe(true);
  });

  test("keeps the mode of the file", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": FIXABLE });
    chmodSync(join(folder, "skills/tides/SKILL.md"), 0o755);
    await skillgate(folder, ["check", "--fix"]);
    expect(statSync(join(folder, "skills/tides/SKILL.md")).mode & 0o777).toBe(0o755);
  });

  test("leaves a read-only file alone, says so, and reports what is still wrong with it", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": FIXABLE });
    chmodSync(join(folder, "skills/tides/SKILL.md"), 0o444);
    const { status, stderr } = await skillgate(folder, ["check", "--fix"]);
    expect(status).toBe(1);
    expect(stderr).toContain("error: skills/tides/SKILL.md was not fixed: the file is read-only");
    expect(stderr).toContain("warning[front-matter-lenient]");
    expect(readFileSync(join(folder, "skills/tides/SKILL.md"), "utf8")).toBe(FIXABLE);
  });

  test("shows and writes nothing in a dry run, whose report is of what would be left", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": FIXABLE });
    const { status, stderr } = await skillgate(folder, ["check", "--fix", "--dry-run", "--strict"]);
    expect(status).toBe(0);
    expect(stderr).toContain("-category: analysys\n");
    expect(stderr).toContain("skills/tides/SKILL.md would be fixed so; nothing was written.");
    expect(stderr).toContain("0 errors, 0 warnings");
    expect(readFileSync(join(folder, "skills/tides/SKILL.md"), "utf8")).toBe(FIXABLE);
  });

  test("gives the diff as data too, as other tools take it", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": FIXABLE });
    const { stdout } = await skillgate(folder, ["check", "--fix", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      warnings: 0,
      changes: [
        {
          file: "skills/tides/SKILL.md",
          diff: expect.stringContaining("\n-category: analysys\n"),
          written: true,
          refusal: null,
        },
      ],
    });
  });

  test("shows characters that nobody sees, where they are all that changes", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": `${RIGHT}A\u200B\u{E0041}b\r\n` });
    const { stderr } = await skillgate(folder, ["check", "--fix"]);
    expect(stderr).toContain("-A<U+200B><U+E0041>b\n+Ab\n");
  });
});

describe("colours", () => {
  test.each([
    ["not into a pipe", [], {}, false],
    ["where they are asked for", ["--color", "always"], {}, true],
    [
      "where they are asked for, whatever the environment says",
      ["--color", "always"],
      { NO_COLOR: "1" },
      true,
    ],
    ["never where they are not wanted", ["--no-color"], { FORCE_COLOR: "1" }, false],
  ])("go %s", async (_case, words, variables, expected) => {
    const folder = folderWith({ "skills/moon/SKILL.md": WRONG });
    const { stderr } = await skillgate(folder, ["check", ...words], variables);
    expect(stderr).toContain("description-missing");
    expect(stderr.includes(ESCAPE)).toBe(expected);
  });
});

describe("the command line", () => {
  test("says its version", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(await skillgate("/", ["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([["--help"], ["check --help"], ["help check"]])("explains itself: %s", async (words) => {
    const { status, stdout, stderr } = await skillgate("/", words.split(" "));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const name = words === "--help" ? "help" : "help-check";
    await expect(stdout).toMatchFileSnapshot(`../fixtures/cli/${name}.txt`);
  });

  test("is what the package's command starts, in the folder where it was called", async () => {
    const folder = folderWith({ "skills/moon/SKILL.md": WRONG });
    const run = await launchedSkillgate(folder, ["check", "--quiet"]);
    expect(run).toEqual(await skillgate(folder, ["check", "--quiet"]));
    expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining("description-missing") });
  });

  test("works in the folder where npm was called, though npm starts it in the package's", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": RIGHT });
    const variables = { npm_lifecycle_event: "skillgate", INIT_CWD: folder };
    const { stderr } = await launchedSkillgate(join(import.meta.dirname, "../.."), ["check"], variables);
    expect(stderr).toBe("1 of 1 document compiled: 0 errors, 0 warnings.\n");
  });
});
