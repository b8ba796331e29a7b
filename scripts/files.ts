import { readFile, writeFile } from "node:fs/promises";

/** Writes a text file unless it holds that text already, so that whoever watches it is not woken for nothing. */
export async function writeIfChanged(path: string, text: string): Promise<void> {
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
