import { rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentName, skillDocuments } from "../documents.ts";
import { undoAtEnd } from "../ending.ts";

/** Writes so many generated skills into a temporary folder. `remove` takes it away, which the process's end does too. */
export async function writeSkillFolder(count: number): Promise<{ folder: string; remove(): void }> {
  const folder = await mkdtemp(join(tmpdir(), "skillgate-bench-"));
  const remove = undoAtEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const [index, text] of skillDocuments(count).entries()) {
    await mkdir(join(folder, documentName(index)));
    await writeFile(documentPath(folder, index), text);
  }
  return { folder, remove };
}

/** Where the document of this number stands in such a folder. */
export function documentPath(folder: string, index: number): string {
  return join(folder, documentName(index), "SKILL.md");
}
