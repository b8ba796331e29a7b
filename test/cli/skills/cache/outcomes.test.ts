import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentKey, openOutcomes } from "../../../../src/cli/skills/cache/outcomes.ts";
import { type CachePlace, openTable } from "../../../../src/cli/skills/cache/place.ts";
import { compileSummary, readDocument } from "../../../../src/cli/skills/document.ts";
import { listingOnce } from "../../../../src/cli/skills/folder.ts";
import { readSkillsBy } from "../../../../src/cli/skills/read.ts";
import { summaryOf } from "../../../../src/cli/terminal/report.ts";
import { DESCRIPTION } from "../../../compile/compiled.ts";
import { folderWith } from "../../command.ts";

/** A skill with one function and a reference. */
function skill(name: string, definition: string, reference = "references/a.md"): string {
  const block = `\`\`\`yaml\nfunctions:\n  - {description: d, ${definition}}\n\`\`\`\n`;
  return `---\nname: ${name}\ndescription: ${DESCRIPTION}\n---\nSee [this](${reference}).\n\n${block}`;
}

const computing = "name: one, compute: 1 + 1";
const calling = "name: two, steps: [{id: s, call: one}], result: steps.s";

/** Two skills, one of which calls the other's function, and their files. */
const FILES = {
  "skills/moon/SKILL.md": skill("moon", computing),
  "skills/moon/references/a.md": "Phases, see [more](b.md).",
  "skills/moon/references/b.md": "More.",
  "skills/tides/SKILL.md": skill("tides", calling),
  "skills/tides/references/a.md": "Harbours.",
};

function placeIn(folder: string, fingerprint = "one"): CachePlace {
  return { folder: join(folder, "cache"), fingerprint };
}

/** All that a check says of the skills in a folder, as it prints it. */
async function said(folder: string, place: CachePlace | null): Promise<string> {
  const root = join(folder, "skills");
  const cache = place === null ? null : openOutcomes(place, root);
  const reading = await readSkillsBy(cache?.compile ?? compileSummary, root);
  cache?.save();
  return JSON.stringify(summaryOf(reading), null, 2);
}

/** The names of the codes in it, once each. */
function codesIn(report: string): string[] {
  return JSON.parse(report).codes.map(({ code }: { code: string }) => code);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Puts an outcome that no compiler gave into the cache, which shows whether a run takes what it finds there. */
function plant(folder: string, place: CachePlace): void {
  const root = join(folder, "skills");
  const table = openTable(place, root, "outcomes");
  const document = readDocument(join(root, "moon/SKILL.md"), listingOnce());
  if ("code" in document) throw new Error(document.message);
  table.set(documentKey(document), JSON.stringify({ compiled: null, diagnostics: [] }));
  table.save();
}

describe("compiling with a cache", () => {
  test("takes what it finds there, where nothing has changed", async () => {
    const folder = folderWith(FILES);
    plant(folder, placeIn(folder));
    expect(JSON.parse(await said(folder, placeIn(folder)))).toMatchObject({ files: 2, compiled: 1 });
  });

  test.each<[string, string[], (folder: string) => void]>([
    ["nothing", [], () => {}],
    [
      "a document",
      ["name-differs-from-folder"],
      (folder) => write(folder, "skills/moon/SKILL.md", skill("sun", computing)),
    ],
    [
      "a document's function, of which another one's diagnostics speak",
      ["function-unknown"],
      (folder) => write(folder, "skills/moon/SKILL.md", skill("moon", "name: three, compute: 1 + 1")),
    ],
    [
      "a file that a document names, which names another no longer",
      ["file-unnamed"],
      (folder) => write(folder, "skills/moon/references/a.md", "Phases."),
    ],
    [
      "a file that is gone",
      ["reference-missing"],
      (folder) => rmSync(join(folder, "skills/tides/references/a.md")),
    ],
    [
      "a file that is new",
      ["file-unnamed"],
      (folder) => write(folder, "skills/tides/references/new.md", "x"),
    ],
    [
      "the name of a folder",
      ["name-differs-from-folder"],
      (folder) => renameSync(join(folder, "skills/moon"), join(folder, "skills/sun")),
    ],
    [
      "a skill that is gone",
      ["function-unknown"],
      (folder) => rmSync(join(folder, "skills/moon"), { recursive: true }),
    ],
    [
      "a skill that is new",
      ["function-in-two-skills"],
      (folder) => write(folder, "skills/z/SKILL.md", skill("z", computing, "https://example.com/")),
    ],
    [
      "the bytes of a document, to ones that are no text",
      ["not-utf-8", "function-unknown"],
      (folder) => writeFileSync(join(folder, "skills/moon/SKILL.md"), Uint8Array.of(0x2d, 0xe9)),
    ],
  ])("says what a run without one says, after a change of %s", async (_case, codes, change) => {
    const folder = folderWith(FILES);
    const place = placeIn(folder);
    expect(codesIn(await said(folder, place))).toEqual([]);
    change(folder);
    const expected = await said(folder, null);
    expect(await said(folder, place)).toBe(expected);
    expect(await said(folder, place)).toBe(expected);
    expect(codesIn(expected)).toEqual(expect.arrayContaining(codes));
  });

  test("says what a run without one says, after any changes", async () => {
    const paths = [...Object.keys(FILES), "skills/sun/SKILL.md", "skills/moon/new.md"];
    const texts = [...Object.values(FILES), skill("sun", "name: one, compute: 2"), "x", "---\nname: x", null];
    const change = fc.record({ path: fc.constantFrom(...paths), text: fc.constantFrom(...texts) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const folder = folderWith(FILES);
        for (const { path, text } of changes) {
          if (text === null) rmSync(join(folder, path), { force: true });
          else write(folder, path, text);
          expect(await said(folder, placeIn(folder))).toBe(await said(folder, null));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("a cache that cannot be used", () => {
  test("is not looked at where another compiler left it", async () => {
    const folder = folderWith(FILES);
    plant(folder, placeIn(folder, "another"));
    expect(await said(folder, placeIn(folder))).toBe(await said(folder, null));
  });

  test.each<[string, (sealed: Buffer) => Buffer]>([
    ["is empty", () => Buffer.alloc(0)],
    ["was cut off", (sealed) => sealed.subarray(0, -1)],
    ["is not one", () => Buffer.from("something else\n")],
    [
      "has one wrong bit",
      (sealed) => {
        sealed[sealed.length - 3] = (sealed[sealed.length - 3] ?? 0) ^ 1;
        return sealed;
      },
    ],
  ])("is not looked at where its file %s, and is replaced", async (_case, damage) => {
    const folder = folderWith(FILES);
    const place = placeIn(folder);
    plant(folder, place);
    const path = join(place.folder, readdirSync(place.folder)[0] ?? "");
    writeFileSync(path, damage(readFileSync(path)));
    const expected = await said(folder, null);
    expect(await said(folder, place)).toBe(expected);
    plant(folder, place);
    expect(await said(folder, place)).not.toBe(expected);
  });

  test.each([
    ["a file stands where its folder should", "cache"],
    ["a file stands in the way to it", "cache/deeper"],
  ])("is done without where %s", async (_case, below) => {
    const folder = folderWith({ ...FILES, cache: "" });
    const place = { folder: join(folder, below), fingerprint: "one" };
    expect(await said(folder, place)).toBe(await said(folder, null));
    expect(readFileSync(join(folder, "cache"), "utf8")).toBe("");
  });
});

describe("a cache", () => {
  test("drops what no run asks for any more", async () => {
    const folder = folderWith(FILES);
    const place = placeIn(folder);
    const contents = (): string =>
      readFileSync(join(place.folder, readdirSync(place.folder)[0] ?? ""), "utf8");
    await said(folder, place);
    expect(contents()).toContain('"name":"moon"');
    rmSync(join(folder, "skills/moon"), { recursive: true });
    await said(folder, place);
    expect(contents()).not.toContain('"name":"moon"');
  });

  test("keeps a limited number of files, those that were used last", async () => {
    const folder = folderWith(FILES);
    await said(folder, placeIn(folder, "first"));
    const [first] = readdirSync(placeIn(folder).folder);
    write(folder, "cache/another program's", "");
    for (let index = 0; index < 20; index += 1) await said(folder, placeIn(folder, `${index}`));
    const left = readdirSync(placeIn(folder).folder);
    expect(left).toHaveLength(16 + 1);
    expect(left).not.toContain(first);
    expect(left).toContain("another program's");
  });

  test("is not written again where nothing has changed", async () => {
    const folder = folderWith(FILES);
    const place = placeIn(folder);
    await said(folder, place);
    const path = join(place.folder, readdirSync(place.folder)[0] ?? "");
    const { ino } = statSync(path);
    await said(folder, place);
    expect(statSync(path).ino).toBe(ino);
  });
});
