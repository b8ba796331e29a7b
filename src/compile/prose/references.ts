import { MAX_REFERENCE_DIAGNOSTICS } from "../../limits.ts";
import type { DiagnosticCode, DiagnosticList, Fix } from "../diagnostic.ts";
import type { MarkdownStructure } from "../document/markdown.ts";
import type { SourceText, Span } from "../document/source.ts";
import { type FilePath, fileOfDestination, filesOfCode } from "./file-path.ts";
import { inlinePlaces } from "./inline.ts";
import { unnamedFiles } from "./naming.ts";
import { textOf } from "./outline.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** A place of the document that names a file. */
interface Mention {
  span: Span;
  /** The path as it was written. */
  written: string;
  file: FilePath;
}

/**
 * The files of the skill's folder that its document names, in the order of naming: by the destinations of
 * links, images and link reference definitions, and by code spans under the supporting folders. Code blocks
 * name none, for they show what to write elsewhere as often as what there is.
 * @param folder null where it is not known what it holds; then any path counts that stays within it
 */
export function readReferences(
  source: SourceText,
  structure: MarkdownStructure,
  folder: SkillFolder | null,
  diagnostics: DiagnosticList,
): string[] {
  const mentions = mentionsIn(source, structure);
  const reader = new ReferenceReader(folder);
  for (const mention of mentions) reader.read(mention);
  reader.report(diagnostics);
  const references = [...reader.references];
  if (folder !== null) reportUnnamed(folder, source.text, references, diagnostics);
  return references;
}

function mentionsIn(source: SourceText, { texts, destinations }: MarkdownStructure): Mention[] {
  const inTexts = texts.flatMap((block) => {
    const text = textOf(source, block);
    return inlinePlaces(text).flatMap(({ kind, span }) => {
      const moved = { start: span.start + block.span.start, end: span.end + block.span.start };
      return kind === "code" ? codeMentions(source, moved) : destinationMention(source, moved);
    });
  });
  const inDefinitions = destinations.flatMap((span) => destinationMention(source, span));
  return [...inTexts, ...inDefinitions].sort((left, right) => left.span.start - right.span.start);
}

function destinationMention(source: SourceText, span: Span): Mention[] {
  const isPointy = source.text[span.start] === "<";
  const inner = isPointy ? { start: span.start + 1, end: span.end - 1 } : span;
  const written = source.text.slice(inner.start, inner.end);
  const file = fileOfDestination(written);
  return file.kind === "none" ? [] : [{ span: inner, written, file }];
}

function codeMentions(source: SourceText, { start, end }: Span): Mention[] {
  return filesOfCode(source.text.slice(start, end)).map(({ at, word, file }) => ({
    span: { start: start + at, end: start + at + word.length },
    written: word,
    file,
  }));
}

type ReferenceCode = Extract<DiagnosticCode, `reference-${string}`>;

interface Fault {
  span: Span;
  message: string;
  /** Looked for only where it is shown: the nearest file takes a look at each. */
  fix: () => string | Fix | null;
}

class ReferenceReader {
  readonly #folder: SkillFolder | null;
  readonly references = new Set<string>();
  readonly #faults = new Map<ReferenceCode, Fault[]>();
  /** What is wrong with a path is said where it stands first. */
  readonly #seen = new Set<string>();

  constructor(folder: SkillFolder | null) {
    this.#folder = folder;
  }

  read(mention: Mention): void {
    const { path, isSlashed, kind } = mention.file;
    if (kind === "inside" && path.toLowerCase() === "skill.md") return;
    const actual = this.#find(mention);
    if (actual === null) this.#addUnfound(mention);
    else {
      if (!actual.endsWith("/")) this.references.add(actual);
      const isElsewhere = kind === "outside" || (actual !== path && actual !== `${path}/`);
      if (isElsewhere || !isSlashed) this.#addInexact(mention, actual, isElsewhere);
    }
  }

  /** The path under which what is meant stands in the folder; null where nothing does. */
  #find({ file: { kind, path } }: Mention): string | null {
    if (this.#folder === null) return kind === "inside" ? path : null;
    return kind === "inside" ? this.#folder.find(path) : this.#folder.findFromCollection(path);
  }

  #addFault(code: ReferenceCode, { span, written }: Mention, message: string, fix: Fault["fix"]): void {
    const key = `${code} ${written}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const faults = this.#faults.get(code) ?? [];
    this.#faults.set(code, faults);
    faults.push({ span, message, fix });
  }

  #addInexact(mention: Mention, actual: string, isElsewhere: boolean): void {
    const { written, file } = mention;
    const isCase = actual.toLowerCase() === file.path.toLowerCase();
    const reason = isCase
      ? "and most systems keep letter cases apart"
      : "for paths begin at the skill's own folder";
    const message = isElsewhere
      ? `${written} is found only as ${actual}, ${reason}`
      : `${written} has backslashes, which are no part of a path in a skill`;
    this.#addFault("reference-inexact", mention, message, () => correction(mention, actual));
  }

  #addUnfound(mention: Mention): void {
    const { written, file } = mention;
    if (file.kind === "outside") {
      const message = `${written} leads out of the skill's folder, which is all that a reader of the skill has`;
      this.#addFault("reference-outside", mention, message, () => null);
      return;
    }
    this.#addFault("reference-missing", mention, `there is no ${file.path} in the skill's folder`, () => {
      const nearest = this.#folder?.nearest(file.path) ?? null;
      return nearest === null ? null : inPlaceOf(written, nearest);
    });
  }

  /**
   * Of each kind the first faults, the last of which says how many more there are. A document that came without
   * any of its files is told so once.
   */
  report(diagnostics: DiagnosticList): void {
    for (const [code, faults] of this.#faults) {
      const isAlone = code === "reference-missing" && this.#folder?.isEmpty === true && faults.length > 1;
      const most = isAlone ? 1 : MAX_REFERENCE_DIAGNOSTICS;
      const more = faults.length - most;
      faults.slice(0, most).forEach(({ span, message, fix }, index) => {
        const isLast = index === most - 1 && more > 0;
        const rest = isAlone ? `nor ${others(more)} named` : `and ${more} more like it`;
        diagnostics.add(code, span, isLast ? `${message}, ${rest}` : message, fix());
      });
    }
  }
}

function others(count: number): string {
  return count === 1 ? "the other one that is" : `any of the ${count} others that are`;
}

/** A path that can stand anywhere in a document as it is. */
const BARE_PATH = /^[\p{L}\p{N}._/-]+$/u;

/** What to write for a path that is found under another one: a machine can where nothing needs to be quoted. */
function correction({ span, written }: Mention, path: string): Fix | string {
  const text = inPlaceOf(written, path);
  return BARE_PATH.test(path) ? { advice: text, replacements: [{ span, was: written, text }] } : text;
}

/** A corrected path with the query and the fragment of the one that was written. */
function inPlaceOf(written: string, path: string): string {
  const rest = /[?#].*$/s.exec(written)?.[0] ?? "";
  const needsBrackets = /\s/.test(path) && !/\s/.test(written);
  return needsBrackets ? `<${path}${rest}>` : path + rest;
}

const MAX_NAMED = 10;

function reportUnnamed(
  folder: SkillFolder,
  text: string,
  references: readonly string[],
  diagnostics: DiagnosticList,
): void {
  const unnamed = unnamedFiles(folder.files, text, references);
  const [first] = unnamed;
  if (first === undefined) return;
  const shown = unnamed.slice(0, MAX_NAMED).join(", ") + (unnamed.length > MAX_NAMED ? ", …" : "");
  const message =
    unnamed.length === 1
      ? `nothing names the file ${first}, so no reader will know of it`
      : `nothing names ${unnamed.length} files, so no reader will know of them: ${shown}`;
  const fix = `say in the document when to read ${first}, or remove it`;
  diagnostics.add("file-unnamed", { start: 0, end: 0 }, message, fix);
}
