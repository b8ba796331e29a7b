import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { readSkills } from "../../src/cli/skills/read.ts";
import { renderDiagnostic } from "../../src/compile/index.ts";

const folder = join(import.meta.dirname, "../../skills");
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const reading = await readSkills(folder);

describe("the bundled skills", () => {
  test("every folder holds a skill of its name", () => {
    expect(reading.compiled.map(({ skill }) => skill.name).sort()).toEqual(names);
  });

  test.each(names)("nothing is to be said against %s", (name) => {
    const own = reading.diagnostics.filter(
      ({ file }) => file === relative(process.cwd(), join(folder, name, "SKILL.md")),
    );
    expect(own.map((diagnostic) => renderDiagnostic(diagnostic))).toEqual([]);
  });
});
