import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { recordOf } from "../../scripts/catalog/record.ts";
import { writeBundle } from "../../scripts/catalog/write.ts";
import { readSkills } from "../../src/cli/skills/read.ts";
import type { SkillRecord } from "../../src/ir.ts";

const folder = mkdtempSync(join(tmpdir(), "skillgate-write-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { compiled } = await readSkills(join(import.meta.dirname, "../../skills"));
const records = await Promise.all(compiled.map(recordOf));

async function written(skills: readonly SkillRecord[]): Promise<[string, string][]> {
  await writeBundle(folder, skills);
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
}

test("the same skills give the same bytes, in whatever order they come", async () => {
  const expected = await written(records);
  expect(expected.length).toBeGreaterThan(records.length);
  const anyOrder = fc.shuffledSubarray(records, { minLength: records.length });
  await fc.assert(
    fc.asyncProperty(anyOrder, async (skills) => {
      expect(await written(skills)).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});
