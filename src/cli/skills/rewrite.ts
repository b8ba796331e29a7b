import { randomUUID } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "../system-error.ts";

/**
 * Puts new contents in a file's place in one step, so that nobody ever reads half of them. The mode stays, and
 * of a link the file that it leads to is changed.
 * @param before what the file is known to hold; where it holds something else by now, it is left alone
 * @returns null, or why the file is as it was
 */
export async function rewriteFile(path: string, before: Uint8Array, text: string): Promise<string | null> {
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    // Renaming would pass over a file's write protection, which is somebody's wish.
    if ((mode & 0o222) === 0) return "the file is read-only";
    return await replaceFile(target, mode & 0o7777, before, text);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.message;
  }
}

async function replaceFile(
  target: string,
  mode: number,
  before: Uint8Array,
  text: string,
): Promise<string | null> {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await readFile(target)).equals(before)) return "the file has changed in the meantime";
    await rename(draft, target);
    return null;
  } finally {
    await rm(draft, { force: true });
  }
}
