import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes a folder hold these texts, by their names, and nothing else. */
export async function writeFolder(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (!texts.has(name)) await rm(join(folder, name), { recursive: true });
  for (const [name, text] of texts) await writeIfChanged(join(folder, name), text);
}

/** Writes a text file unless it holds that text already, so that whoever watches it is not woken for nothing. */
async function writeIfChanged(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) !== text) await writeFile(path, text);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
