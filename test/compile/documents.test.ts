import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Skill } from "../../src/ir.ts";
import { compiled } from "./compiled.ts";

const folder = join(import.meta.dirname, "../fixtures/documents");

interface Outcome {
  says?: string[];
  /** What the skill is then; null where the document is refused. */
  skill: Partial<Skill> | null;
}

/** Documents as people really leave them behind, and what becomes of each. */
const outcomes: Record<string, Outcome> = {
  "heading-made-of-a-field": { says: ["front-matter-unclosed 1:1"], skill: null },
  "merge-conflict": { says: ["merge-conflict 3:1"], skill: null },
  "brace-at-column-one": { skill: { name: "tides" } },
  "escaped-brackets": { says: ["yaml-syntax 4:32"], skill: null },
  "brackets-in-a-row": { says: ["front-matter-lenient 4:1"], skill: { name: "tides" } },
  "leading-comma": {
    says: ["front-matter-lenient 3:1"],
    skill: { description: ", it might predict the next tide" },
  },
  "leading-at": {
    says: ["front-matter-lenient 3:1"],
    skill: { description: "@Tides を使って港の満潮と干潮の時刻を調べるためのスキルです" },
  },
  "control-characters": {
    says: ["invisible-characters 3:26"],
    skill: { description: "The harbour\u00E2s tides, high and low." },
  },
  "byte-order-mark-without-front-matter": { says: ["front-matter-missing 1:1"], skill: null },
  "fields-without-a-mark": { says: ["front-matter-unopened 1:1"], skill: null },
  "never-closed": { says: ["front-matter-unclosed 1:1"], skill: null },
  "blank-lines-and-an-open-fence": {
    says: ["front-matter-late 3:1", "fence-unclosed 13:1"],
    skill: { name: "tides" },
  },
  "zero-width-characters": {
    says: ["invisible-characters 3:23", "invisible-characters 6:5"],
    skill: { description: "The tides at a harbour, high and low." },
  },
  "tag-characters": {
    says: ["invisible-characters 3:58"],
    skill: { description: "Times and heights of the tides at a harbour." },
  },
  "a-word": { says: ["front-matter-missing 1:1"], skill: null },
  "a-path": { says: ["document-is-a-path 1:1"], skill: null },
  "colon-in-a-description": {
    says: ["front-matter-lenient 3:1"],
    skill: { description: "Tide tables: high and low water at a harbour." },
  },
  "colon-before-a-restriction": {
    says: ["front-matter-lenient 3:1"],
    skill: {
      frontmatter: {
        name: "tides",
        description: "Checks: all of the tides, one by one.",
        "allowed-tools": "Read",
      },
    },
  },
  "description-of-a-page": { says: ["description-too-long 3:14"], skill: null },
  "file-within-a-fence": { says: ["front-matter-in-fence 1:1"], skill: null },
  "functions-of-a-deployment": { says: ["protocol-like-fence 6:1"], skill: { functions: [] } },
  "eaten-line-feeds": { says: ["yaml-syntax 2:7"], skill: null },
  "key-twice": { says: ["duplicate-key 7:3"], skill: null },
  "everything-allowed": { says: ["front-matter-lenient 4:1"], skill: { name: "tides" } },
  "name-of-a-package": {
    says: ["name-not-a-slug 2:7"],
    skill: { name: "harbour-skills-tide-tables", title: "harbour/skills@tide-tables" },
  },
  "comments-in-fences": {
    skill: { prose: "# Use\n\n````md\n```sh\n# not a heading\n```\n````\n\n## C#" },
  },
  "folded-description": { skill: { description: "Part one about tides. USE FOR: planning a trip." } },
  "carriage-returns": { skill: { name: "tides", prose: "# Tides" } },
};

describe("a document as people leave it behind", () => {
  test("each has its outcome", () => {
    const names = readdirSync(folder).map((name) => name.replace(/\.md$/, ""));
    expect(names.sort()).toEqual(Object.keys(outcomes).sort());
  });

  test.each(Object.entries(outcomes))("%s", (name, { says = [], skill }) => {
    const result = compiled(readFileSync(join(folder, `${name}.md`), "utf8"));
    expect(result.diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(says);
    if (skill === null) expect(result.skill).toBeNull();
    else expect(result.skill).toMatchObject(skill);
  });
});
