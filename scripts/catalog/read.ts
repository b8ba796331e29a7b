import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import {
  compileSkill,
  type Diagnostic,
  type LinkInput,
  linkSkills,
  wholeDocument,
} from "../../src/compile/index.ts";
import type { Skill } from "../../src/ir.ts";
import { MAX_SKILL_BYTES } from "../../src/limits.ts";

/** A skill document that compiled, with its source text. */
export interface CompiledDocument extends LinkInput {
  source: string;
  skill: Skill;
}

/** What became of all the skill documents below a folder. */
export interface Reading {
  files: string[];
  compiled: CompiledDocument[];
  diagnostics: Diagnostic[];
}

/**
 * Compiles every SKILL.md (in any letter case) below a folder, in the order of the paths.
 * @param onFile told of each file before it is read, with its number (from 1) and how many there are
 */
export async function readSkills(
  root: string,
  onFile: (done: number, of: number) => void = () => {},
): Promise<Reading> {
  const files = (await findDocuments(root)).sort();
  const reading: Reading = { files, compiled: [], diagnostics: [] };
  for (const [index, path] of files.entries()) {
    onFile(index + 1, files.length);
    await readDocument(path, relative(process.cwd(), path), reading);
  }
  reading.diagnostics.push(...linkSkills(reading.compiled));
  return reading;
}

/** Links are not followed, so that no skill brings in what lies outside the folder. */
async function findDocuments(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return findDocuments(path);
      return entry.isFile() && entry.name.toLowerCase() === "skill.md" ? [path] : [];
    }),
  );
  return found.flat();
}

async function readDocument(path: string, file: string, reading: Reading): Promise<void> {
  const source = await readSource(path, file);
  if (typeof source !== "string") {
    reading.diagnostics.push(source);
    return;
  }
  const folder = basename(dirname(path));
  const { skill, diagnostics } = compileSkill(source, {
    file,
    folder,
    isUpload: false,
    mayNameBaseUrlVariable: () => true,
  });
  reading.diagnostics.push(...diagnostics);
  if (skill !== null) reading.compiled.push({ file, source, skill });
}

async function readSource(path: string, file: string): Promise<string | Diagnostic> {
  const { size } = await stat(path);
  if (size > MAX_SKILL_BYTES)
    return wholeDocument("document-too-large", file, `a skill document has at most ${MAX_SKILL_BYTES} bytes`);
  const bytes = await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return wholeDocument("not-utf-8", file, "the file is not UTF-8 text");
  }
}
