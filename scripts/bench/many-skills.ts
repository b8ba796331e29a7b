import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSkills } from "../../src/cli/skills/read.ts";
import { recordOf } from "../catalog/record.ts";
import { writeBundle } from "../catalog/write.ts";
import { documentName, skillDocuments } from "./documents.ts";

/** Skills of two functions each: more tools than any agent should be shown at once. */
const BUNDLED_SKILLS = 250;
const OWN_SKILLS = 20;

/** The functions of the catalog that `buildManyCatalog` builds. */
export const BUNDLED_FUNCTIONS = 2 * BUNDLED_SKILLS;

/** A document with the name of its skill. */
interface NamedDocument {
  name: string;
  text: string;
}

/** Documents for a tenant to upload, of skills that are not in the catalog. */
export function ownDocuments(): NamedDocument[] {
  return namedDocuments()
    .slice(BUNDLED_SKILLS)
    .map(({ name, text }) => ({ name, text: withoutCredential(text) }));
}

/** Only the operator gives a skill one of his secrets. */
function withoutCredential(text: string): string {
  return text.replace(/^ {2}authentication: .*\n/m, "");
}

function namedDocuments(): NamedDocument[] {
  return skillDocuments(BUNDLED_SKILLS + OWN_SKILLS).map((text, index) => ({
    name: documentName(index),
    text,
  }));
}

/** Builds a catalog of many skills into a folder; the path of the module to bundle. */
export async function buildManyCatalog(folder: string): Promise<string> {
  const skills = join(folder, "skills");
  const documents = namedDocuments().slice(0, BUNDLED_SKILLS);
  await Promise.all(
    documents.map(async ({ name, text }) => {
      await mkdir(join(skills, name), { recursive: true });
      await writeFile(join(skills, name, "SKILL.md"), text);
    }),
  );
  const { compiled } = await readSkills(skills);
  if (compiled.length < documents.length) throw new Error("Not every generated skill compiles.");
  const catalog = join(folder, "catalog");
  await writeBundle(catalog, await Promise.all(compiled.map(recordOf)));
  return join(catalog, "bundle.js");
}
