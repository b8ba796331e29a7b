import { statSync } from "node:fs";
import { type Diagnostic, type LinkInput, linkSkills } from "../../compile/index.ts";
import { type CompileDocument, type CompiledDocument, compileDocument, readDocument } from "./document.ts";
import { findDocuments, listingOnce } from "./folder.ts";

/** What became of all the skill documents below a folder. */
export interface Reading<Compiled extends LinkInput = CompiledDocument> {
  files: string[];
  compiled: Compiled[];
  /** In the order of the files, and of the places in each. */
  diagnostics: Diagnostic[];
}

/** Is told of each file before it is read, with its number (from 1) and how many there are. */
export type OnFile = (done: number, of: number) => void;

/**
 * Compiles every SKILL.md (in any letter case) below a folder, in the order of the paths; or one file, whatever
 * its name.
 */
export function readSkills(root: string): Promise<Reading> {
  return readSkillsBy(compileDocument, root);
}

/**
 * The same with a compiler of one's own. One document after the other is read and let go. That happens
 * synchronously, which takes a third of the time: a file of a few KB is read in less than it takes to wait for it.
 */
export async function readSkillsBy<Compiled extends LinkInput>(
  compile: CompileDocument<Compiled>,
  root: string,
  onFile: OnFile = () => {},
): Promise<Reading<Compiled>> {
  const list = listingOnce();
  const { documents: files, diagnostics } = statSync(root).isFile()
    ? { documents: [root], diagnostics: [] }
    : findDocuments(root, list);
  const reading: Reading<Compiled> = { files, compiled: [], diagnostics };
  for (const [index, path] of files.entries()) {
    onFile(index + 1, files.length);
    const document = readDocument(path, list);
    const outcome =
      "code" in document ? { compiled: null, diagnostics: [document] } : await compile(document);
    reading.diagnostics.push(...outcome.diagnostics);
    if (outcome.compiled !== null) reading.compiled.push(outcome.compiled);
  }
  reading.diagnostics.push(...linkSkills(reading.compiled));
  reading.diagnostics.sort(byPlace);
  return reading;
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}
