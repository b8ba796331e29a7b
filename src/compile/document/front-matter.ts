import { MAX_FRONT_MATTER_BYTES } from "../../limits.ts";
import type { DiagnosticList, Replacement } from "../diagnostic.ts";
import {
  isMark,
  type Line,
  linesOf,
  reportAbsence,
  reportConflict,
  reportRunOn,
  reportUnclosed,
} from "./marks.ts";
import { Excerpt, isLongerThan, type Piece, type SourceText, type Span } from "./source.ts";
import { parseYaml, reportYamlFaults, type YamlBlock, type YamlParse } from "./yaml.ts";

/** The front matter of a document, and where the body begins. */
export interface FrontMatter {
  /** Null where there is none or where it could not be read (diagnostics then say why). */
  block: YamlBlock | null;
  span: Span;
  bodyStart: number;
}

/**
 * Finds and reads the front matter: from a line `---` at the top to the next line `---`, both at column one
 * (agentskills.io specification). A document without one is legal here; the caller decides what that means.
 */
export function readFrontMatter(source: SourceText, diagnostics: DiagnosticList): FrontMatter {
  const lines = linesOf(source.text);
  const first = lines.findIndex((line) => line.text.trim() !== "");
  const opening = lines[first];
  const none: FrontMatter = { block: null, span: { start: 0, end: 0 }, bodyStart: 0 };
  if (opening === undefined) return none;
  if (!isMark(opening)) {
    reportAbsence(lines.slice(first), diagnostics);
    return none;
  }
  if (first > 0) {
    const before = { start: 0, end: opening.span.start };
    diagnostics.add("front-matter-late", opening.span, "blank lines stand before the front matter", {
      advice: "begin the file with ---",
      replacements: [{ span: before, was: source.text.slice(0, before.end), text: "" }],
    });
  }
  const closing = lines.findIndex((line, index) => index > first && isMark(line));
  const last = lines[closing];
  if (last === undefined) {
    reportUnclosed(opening, lines.slice(first + 1), diagnostics);
    return { ...none, bodyStart: source.text.length };
  }
  const span = { start: opening.span.start, end: last.span.end };
  const block = readBlock(lines.slice(first + 1, closing), diagnostics);
  return { block, span, bodyStart: Math.min(last.span.end + 1, source.text.length) };
}

function readBlock(lines: readonly Line[], diagnostics: DiagnosticList): YamlBlock | null {
  const [first] = lines;
  if (first === undefined) return parseYaml(new Excerpt([])).block;
  if (isLongerThan(lines.map(({ text }) => `${text}\n`).join(""), MAX_FRONT_MATTER_BYTES)) {
    const message = `the front matter is larger than ${MAX_FRONT_MATTER_BYTES} bytes`;
    diagnostics.add("front-matter-too-large", first.span, message);
    return null;
  }
  return reportConflict(lines, diagnostics) ? null : parseLines(lines, diagnostics);
}

function parseLines(lines: readonly Line[], diagnostics: DiagnosticList): YamlBlock | null {
  const strict = parseYaml(new Excerpt(lines.map(asPiece)));
  if (strict.faults.length === 0) return kept(strict, diagnostics);
  const quoted = strict.faults.every(({ code }) => code === "yaml-syntax") ? lines.map(quoteWherePlain) : [];
  const lenient = parseYaml(new Excerpt(quoted.map(({ piece }) => piece)));
  const fixes = quoted.flatMap(({ fix }) => fix ?? []);
  if (lenient.faults.length > 0 || fixes.length === 0) {
    reportFaults(strict, lines, diagnostics);
    return null;
  }
  for (const fix of fixes) {
    diagnostics.add(
      "front-matter-lenient",
      fix.span,
      "this line is not YAML as it stands; it was read as plain text",
      { advice: fix.text, replacements: [fix] },
    );
  }
  return kept(lenient, diagnostics);
}

/** Faults that begin behind what looks like the end of the front matter are no faults of its fields. */
function reportFaults(
  { block, faults }: YamlParse,
  lines: readonly Line[],
  diagnostics: DiagnosticList,
): void {
  const offsets = faults.map(({ start }) => block.excerpt.toSource(start));
  const isRunOn = reportRunOn(lines, Math.min(...offsets), diagnostics);
  if (!isRunOn) reportYamlFaults(faults, block.excerpt, diagnostics);
}

function kept({ block, warnings }: YamlParse, diagnostics: DiagnosticList): YamlBlock {
  reportYamlFaults(warnings, block.excerpt, diagnostics);
  return block;
}

function asPiece(line: Line): Piece {
  return { text: `${line.text}\n`, span: line.span };
}

/** A field of the front matter that lost its line break and hangs on the end of another's value. */
const GLUED_FIELD = /\S(?:name|description|version|license|metadata|category|tags|author|allowed-tools): /;

/**
 * Quotes the value of a top-level line that is not YAML taken by itself (an unquoted `: `, a value that
 * begins with a reserved sign). Only what plainly means one text is touched: faults in values that are
 * quoted, folded, literal or mappings are real, and a line that swallowed the next one must not pass for
 * text.
 */
function quoteWherePlain(line: Line): { piece: Piece; fix: Replacement | null } {
  const match = /^([A-Za-z_][\w-]*):[ \t]+([^"'|>{\s].*?)[ \t]*$/.exec(line.text);
  const unchanged = { piece: asPiece(line), fix: null };
  if (match?.[2] === undefined || GLUED_FIELD.test(match[2])) return unchanged;
  if (parseYaml(new Excerpt([asPiece(line)])).faults.length === 0) return unchanged;
  const text = `${match[1]}: ${JSON.stringify(match[2])}`;
  const fix = { span: line.span, was: line.text, text };
  return { piece: { text: `${text}\n`, span: line.span }, fix };
}
