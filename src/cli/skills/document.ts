import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import {
  type CompileOptions,
  compileSkill,
  type Diagnostic,
  decodeDocument,
  type KeywordLocator,
  type LinkInput,
  wholeDocument,
} from "../../compile/index.ts";
import type { Skill } from "../../ir.ts";
import { MAX_SKILL_BYTES } from "../../limits.ts";
import { type FileBeside, isDocumentName, type ListFolder, readSkillFolder, shown } from "./folder.ts";

/** A skill document as it stands in its file, with all that compiling looks at. */
export interface SkillDocument {
  path: string;
  /** The path that diagnostics show. */
  file: string;
  /** The name of the folder that it stands in. */
  folder: string;
  bytes: Uint8Array;
  /** What stands beside it; null where the file is not named as a skill's document, which has no folder of its own. */
  beside: readonly FileBeside[] | null;
}

/** A skill document that compiled, with its source text. */
export interface CompiledDocument extends LinkInput {
  source: string;
  skill: Skill;
  locateKeyword: KeywordLocator;
}

/** What became of a document. */
export interface Outcome<Compiled extends LinkInput> {
  /** Null where any diagnostic is an error. */
  compiled: Compiled | null;
  diagnostics: readonly Diagnostic[];
}

/** Makes of a document what somebody needs of it. */
export type CompileDocument<Compiled extends LinkInput> = (
  document: SkillDocument,
) => Outcome<Compiled> | Promise<Outcome<Compiled>>;

/** Reads a document and its surroundings, unless it is too large to be one. */
export function readDocument(path: string, list: ListFolder): SkillDocument | Diagnostic {
  const file = shown(path);
  if (statSync(path).size > MAX_SKILL_BYTES)
    return wholeDocument("document-too-large", file, `a skill document has at most ${MAX_SKILL_BYTES} bytes`);
  return {
    path,
    file,
    folder: basename(dirname(resolve(path))),
    bytes: readFileSync(path),
    beside: isDocumentName(basename(path)) ? readSkillFolder(dirname(path), list) : null,
  };
}

/** What a document is compiled with. Its author is trusted: it comes from the operator's own disk. */
export function optionsFor({ file, folder, beside }: SkillDocument): CompileOptions {
  const files = beside?.map(({ path, bytes }) => ({ path, text: bytes === null ? null : textOf(bytes) }));
  return { file, folder, files: files ?? null, isUpload: false, mayNameBaseUrlVariable: () => true };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** All of a document's text, with the byte order mark where there is one; or why it has none. */
export function markedText({ bytes, file }: SkillDocument): string | Diagnostic {
  const text = decodeDocument(bytes, file);
  const hasMark = UTF8_MARK.every((byte, index) => bytes[index] === byte);
  return typeof text === "string" && hasMark ? `\uFEFF${text}` : text;
}

/** The byte order mark in UTF-8. */
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** Compiles a document to the whole skill. */
export function compileDocument(document: SkillDocument): Outcome<CompiledDocument> {
  const text = markedText(document);
  if (typeof text !== "string") return { compiled: null, diagnostics: [text] };
  const { skill, places, locateKeyword, diagnostics } = compileSkill(text, optionsFor(document));
  if (skill === null || places === null || locateKeyword === null) return { compiled: null, diagnostics };
  const source = text.replace(/^\uFEFF/, "");
  return { compiled: { file: document.file, source, skill, places, locateKeyword }, diagnostics };
}

/** Compiles a document to what linking needs of it. */
export function compileSummary(document: SkillDocument): Outcome<LinkInput> {
  return summarized(compileDocument(document));
}

/** An outcome without the skill: thousands of skills together take more memory than is needed for any purpose. */
export function summarized({ compiled, diagnostics }: Outcome<CompiledDocument>): Outcome<LinkInput> {
  if (compiled === null) return { compiled: null, diagnostics };
  const { file, skill, places } = compiled;
  return { compiled: { file, skill: { name: skill.name }, places }, diagnostics };
}
