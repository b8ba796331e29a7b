import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reading, readSkills } from "../../src/cli/skills/read.ts";
import type { DiagnosticCode } from "../../src/compile/index.ts";
import type { Skill } from "../../src/ir.ts";
import { isCorpusThere, unpackCorpus } from "../corpus.ts";
import { compiled } from "./compiled.ts";
import { referenceRefusal } from "./reference-rules.ts";

interface Document {
  path: string;
  folder: string;
  text: string;
}

let root = "";
let reading: Reading = { files: [], compiled: [], diagnostics: [] };
let documents: Document[] = [];

beforeAll(async () => {
  if (!isCorpusThere) return;
  root = unpackCorpus();
  reading = await readSkills(root);
  documents = await Promise.all(
    reading.files.map(async (file) => ({
      path: relative(root, file),
      folder: basename(dirname(file)),
      text: await readFile(file, "utf8"),
    })),
  );
}, 120_000);

afterAll(() => {
  if (isCorpusThere) rmSync(root, { recursive: true });
});

/** Diagnostics name files as they are seen from here. */
const pathOf = (file: string): string => relative(root, resolve(file));

/**
 * What is said of the collection rather than of a document: its folders are numbered, some names stand twice, and of
 * most folders it holds the document alone.
 */
const aboutNeighbours = new Set<DiagnosticCode>([
  "name-differs-from-folder",
  "reference-missing",
  "reference-inexact",
  "reference-outside",
  "file-unnamed",
  "skill-duplicate",
  "function-in-two-skills",
]);

/** What is wrong with documents by themselves: each reason with the paths. */
function refusals(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { code, severity, file } of reading.diagnostics) {
    if (severity === "warning" || aboutNeighbours.has(code)) continue;
    const paths = found.get(code) ?? [];
    if (!paths.includes(pathOf(file))) found.set(code, [...paths, pathOf(file)]);
  }
  return found;
}

/** Every document that is refused, by the reason; each was looked at, and is rightly refused. */
const rightlyRefused: Record<string, string[]> = {
  "description-too-long": [
    "nasty/25-database-lookup/SKILL.md",
    "scientific/scientific-skills/database-lookup/SKILL.md",
  ],
  "document-is-a-path": ["nasty/28-README/SKILL.md"],
  "duplicate-key": ["nasty/36-planning-with-files/SKILL.md"],
  "front-matter-in-fence": ["nasty/30-skill-adapter/SKILL.md"],
  "front-matter-missing": ["nasty/10-polymarket-traiding-bot/SKILL.md", "nasty/18-tmux-2/SKILL.md"],
  "front-matter-unclosed": ["nasty/00-molthunt/SKILL.md", "nasty/13-morning-briefing/SKILL.md"],
  "front-matter-unopened": ["nasty/12-snipara-mcp/skill.md"],
  "merge-conflict": ["nasty/01-obsidian-daily/SKILL.md"],
  "yaml-syntax": ["nasty/04-novafon/SKILL.md", "nasty/34-capital-analysis/SKILL.md"],
};

/** What becomes of the documents that are accepted though something is strange about them. */
const accepted: Record<string, { says: string[]; skill: Partial<Skill> }> = {
  "03-zoom-manager-clawd": { says: [], skill: { name: "zoom-manager" } },
  "06-feishu-leave-request": { says: ["front-matter-lenient 4:1"], skill: { name: "feishu-leave-request" } },
  "07-a-beginner-s-guide-to-chatgpt-prompt-engineering-d-558bdbec": {
    says: ["front-matter-lenient 3:1"],
    skill: { description: ", it might predict the next word as" },
  },
  "09-ai-image-prompts-for-eye-catching-marketing-creati-4e43d568": {
    says: ["invisible-characters 3:23", "invisible-characters 10:10"],
    skill: {},
  },
  "15-ralph-loop-writer": {
    says: ["front-matter-late 2:1", "fence-unclosed 309:1"],
    skill: { name: "ralph" },
  },
  "16-evasive-06-unicode-injection": {
    says: ["invisible-characters 17:53"],
    skill: { name: "text-processor" },
  },
  "19-research-goal": { says: ["front-matter-lenient 3:1"], skill: { name: "research-goal" } },
  "21-asset-allocation": { says: ["fence-unclosed 307:1"], skill: { name: "asset-allocation" } },
  "22-quality-playbook": { says: [], skill: { name: "quality-playbook" } },
  "27-postgres-schema-design": { says: [], skill: { name: "postgres-schema-design" } },
  "31-apollo-deploy-integration": { says: [], skill: { functions: [] } },
  "33-swiftui-patterns": { says: ["front-matter-lenient 3:1"], skill: { name: "swiftui-patterns" } },
  "37-overpermission": { says: ["front-matter-lenient 4:1"], skill: { name: "do-everything" } },
  "39-algorithmic-art": {
    says: ["name-not-a-slug 2:7"],
    skill: { name: "openakita-skills-algorithmic-art", title: "openakita/skills@algorithmic-art" },
  },
};

describe.skipIf(!isCorpusThere)("real skills (skipped where there is no ../shared/corpus)", () => {
  test("are all found, in the order of their paths, and each gives a skill or an error", () => {
    expect(reading.files.length).toBeGreaterThan(600);
    expect(reading.files).toEqual([...reading.files].sort());
    const refused = new Set([...refusals().values()].flat());
    const skills = new Set(reading.compiled.map(({ file }) => pathOf(file)));
    for (const { path } of documents)
      expect({ path, isSkill: skills.has(path) }).toEqual({ path, isSkill: !refused.has(path) });
  });

  test("are refused only where they must be", () => {
    expect(Object.fromEntries(refusals())).toEqual(rightlyRefused);
  });

  test.each(Object.entries(accepted))(
    "are read right where they are strange: %s",
    (folder, { says, skill }) => {
      const path = documents.find((document) => dirname(document.path) === `nasty/${folder}`)?.path;
      const diagnostics = reading.diagnostics.filter(
        ({ code, file }) => pathOf(file) === path && !aboutNeighbours.has(code),
      );
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(says);
      expect(reading.compiled.find(({ file }) => pathOf(file) === path)?.skill).toMatchObject(skill);
    },
  );

  test("are accepted wherever the reference accepts them", () => {
    const verdicts = documents.map(({ text, folder }) => referenceRefusal(text, folder));
    const acceptable = documents.filter((_, index) => verdicts[index] === null);
    expect(acceptable.length).toBeGreaterThan(400);
    const refused = [...refusals().values()].flat();
    expect(acceptable.map(({ path }) => path).filter((path) => refused.includes(path))).toEqual([]);
    console.log(tableOf(verdicts));
  });

  test("give the same skill and the same places, whatever ends their lines", () => {
    const different = documents.filter(({ text }) => {
      const plain = text.replace(/\r\n?/g, "\n");
      const outcome = outcomeOf(plain);
      return ["\r\n", "\r"].some((lineEnd) => outcomeOf(plain.replaceAll("\n", lineEnd)) !== outcome);
    });
    expect(different.map(({ path }) => path)).toEqual([]);
  }, 120_000);
});

/** A compilation in one text, without its edits, which count in the file's own text. */
function outcomeOf(text: string): string {
  const { skill, diagnostics } = compiled(text);
  return JSON.stringify({
    skill,
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, edits: [] })),
  });
}

/** How many documents are accepted here and there, and the reasons of either side, with their numbers. */
function tableOf(verdicts: readonly (string | null)[]): string {
  const theirs = new Map<string, number>();
  for (const verdict of verdicts)
    theirs.set(verdict ?? "accepted", (theirs.get(verdict ?? "accepted") ?? 0) + 1);
  const rows = (counts: Iterable<[string, number]>): string[] =>
    [...counts]
      .sort(([, left], [, right]) => right - left)
      .map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
  const ours = [...refusals()].map(([code, paths]): [string, number] => [code, paths.length]);
  const refused = ours.reduce((sum, [, count]) => sum + count, 0);
  return [
    `${verdicts.length} real documents.`,
    "The reference's rules:",
    ...rows(theirs),
    "Here:",
    ...rows([["accepted", verdicts.length - refused], ...ours]),
  ].join("\n");
}
