import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentName, skillDocuments } from "../../../../scripts/bench/documents.ts";
import { recordOf } from "../../../../scripts/catalog/record.ts";
import { writeBundle } from "../../../../scripts/catalog/write.ts";
import { type DerivedDocument, deriveOnce, openDerived } from "../../../../src/cli/skills/cache/derived.ts";
import { openOutcomes } from "../../../../src/cli/skills/cache/outcomes.ts";
import type { CachePlace } from "../../../../src/cli/skills/cache/place.ts";
import type { CompiledDocument } from "../../../../src/cli/skills/document.ts";
import { type Reading, readSkillsBy } from "../../../../src/cli/skills/read.ts";
import { folderWith } from "../../command.ts";

/** How many records were made; what is found in a cache is not. */
let made = 0;

async function recordText(compiled: CompiledDocument): Promise<string> {
  made += 1;
  return JSON.stringify(await recordOf(compiled));
}

const DOCUMENTS = skillDocuments(3);

function folderWithDocuments(): { folder: string; root: string; place: CachePlace } {
  const files = DOCUMENTS.map((text, index) => [`skills/${documentName(index)}/SKILL.md`, text] as const);
  const folder = folderWith(Object.fromEntries(files));
  return {
    folder,
    root: join(folder, "skills"),
    place: { folder: join(folder, "cache"), fingerprint: "one" },
  };
}

async function cachedReading(place: CachePlace, root: string): Promise<Reading<DerivedDocument>> {
  made = 0;
  const cache = openDerived(place, root, recordText);
  const reading = await readSkillsBy(cache.compile, root);
  cache.save();
  return reading;
}

function freshReading(root: string): Promise<Reading<DerivedDocument>> {
  return readSkillsBy((document) => deriveOnce(document, recordText), root);
}

/** The files of a build, by their names. */
async function built(
  folder: string,
  { compiled }: Reading<DerivedDocument>,
): Promise<Record<string, string>> {
  await writeBundle(
    folder,
    compiled.map(({ derived }) => JSON.parse(derived)),
  );
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

describe("what is made of skills", () => {
  test("is made once, and again only of a document that has changed", async () => {
    const { root, place } = folderWithDocuments();
    await cachedReading(place, root);
    expect(made).toBe(3);
    await cachedReading(place, root);
    expect(made).toBe(0);
    writeFileSync(join(root, documentName(1), "SKILL.md"), `${DOCUMENTS[1]}\nOne more line.\n`);
    await cachedReading(place, root);
    expect(made).toBe(1);
  });

  test("gives the same files of a catalog, byte for byte, from a cache and without", async () => {
    const { folder, root, place } = folderWithDocuments();
    await cachedReading(place, root);
    writeFileSync(join(root, documentName(2), "SKILL.md"), `${DOCUMENTS[2]}\nOne more line.\n`);
    const cached = await cachedReading(place, root);
    const fresh = await freshReading(root);
    expect(cached).toEqual(fresh);
    const files = await built(join(folder, "cached"), cached);
    expect(files).toEqual(await built(join(folder, "fresh"), fresh));
    expect(Object.keys(files).length).toBeGreaterThan(DOCUMENTS.length);
  });

  test("is made where a check has left outcomes alone, and a check leaves it where it is", async () => {
    const { root, place } = folderWithDocuments();
    const check = async (): Promise<void> => {
      const cache = openOutcomes(place, root);
      await readSkillsBy(cache.compile, root);
      cache.save();
    };
    await check();
    expect(await cachedReading(place, root)).toEqual(await freshReading(root));
    await check();
    await cachedReading(place, root);
    expect(made).toBe(0);
  });

  test("is nothing where a document does not compile, which is remembered too", async () => {
    const { root, place } = folderWithDocuments();
    writeFileSync(join(root, documentName(0), "SKILL.md"), "---\nname: x\n---\n");
    const first = await cachedReading(place, root);
    expect(first.compiled).toHaveLength(2);
    expect(await cachedReading(place, root)).toEqual(first);
    expect(made).toBe(0);
  });
});
