import { MAX_FRONT_MATTER_BYTES } from "../../limits.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import { byteLength, Excerpt, type Piece, type SourceText, type Span } from "./source.ts";
import { parseYaml, reportYamlFaults, type YamlBlock, type YamlParse } from "./yaml.ts";

/** The front matter of a document, and where the body begins. */
export interface FrontMatter {
  /** Null where there is none or where it could not be read (diagnostics then say why). */
  block: YamlBlock | null;
  span: Span;
  bodyStart: number;
}

interface Line {
  text: string;
  span: Span;
}

const MARK = /^---[ \t]*$/;
/** What git leaves behind where two versions of a file could not be joined. */
const CONFLICT = /^(<{7} |={7}$|>{7} )/;

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
  if (!MARK.test(opening.text)) {
    reportMissingOpening(lines.slice(first), diagnostics);
    return none;
  }
  if (first > 0) {
    diagnostics.add(
      "front-matter-late",
      opening.span,
      "blank lines stand before the front matter",
      "begin the file with ---",
    );
  }
  const closing = lines.findIndex((line, index) => index > first && MARK.test(line.text));
  const last = lines[closing];
  if (last === undefined) {
    diagnostics.add(
      "front-matter-unclosed",
      opening.span,
      "the front matter that opens here is never closed",
      "end it with a line ---",
    );
    return { ...none, bodyStart: source.text.length };
  }
  const span = { start: opening.span.start, end: last.span.end };
  const block = readBlock(lines.slice(first + 1, closing), diagnostics);
  return { block, span, bodyStart: Math.min(last.span.end + 1, source.text.length) };
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const span = { start, end: start + line.length };
    start = span.end + 1;
    return { text: line, span };
  });
}

/** Tells front matter that went wrong from front matter that nobody wrote. */
function reportMissingOpening(lines: Line[], diagnostics: DiagnosticList): void {
  const [opening, second] = lines;
  if (opening === undefined) return;
  if (/^ {0,3}(`{3,}|~{3,})/.test(opening.text) && MARK.test(second?.text ?? "")) {
    diagnostics.add(
      "front-matter-in-fence",
      opening.span,
      "the whole file is wrapped in a code fence",
      "remove the fence around the file",
    );
  }
  if (/^(name|description)[ \t]*:/.test(opening.text)) {
    diagnostics.add(
      "front-matter-unopened",
      opening.span,
      "fields stand here without a line --- before them",
      "begin the file with ---",
    );
  }
  const conflict = lines.slice(0, 20).find((line) => CONFLICT.test(line.text));
  if (conflict !== undefined) reportConflict(conflict, diagnostics);
}

function reportConflict(line: Line, diagnostics: DiagnosticList): void {
  diagnostics.add(
    "merge-conflict",
    line.span,
    "a merge conflict was left here",
    "keep one side and remove the markers",
  );
}

function readBlock(lines: Line[], diagnostics: DiagnosticList): YamlBlock | null {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return parseYaml(new Excerpt([])).block;
  if (byteLength(lines.map(({ text }) => `${text}\n`).join("")) > MAX_FRONT_MATTER_BYTES) {
    const message = `the front matter is larger than ${MAX_FRONT_MATTER_BYTES} bytes`;
    diagnostics.add("front-matter-too-large", first.span, message);
    return null;
  }
  const conflict = lines.find((line) => CONFLICT.test(line.text));
  if (conflict !== undefined) {
    reportConflict(conflict, diagnostics);
    return null;
  }
  return parseLines(lines, diagnostics);
}

function parseLines(lines: Line[], diagnostics: DiagnosticList): YamlBlock | null {
  const strict = parseYaml(new Excerpt(lines.map(asPiece)));
  if (strict.faults.length === 0) return kept(strict, diagnostics);
  const quoted = strict.faults.every(({ code }) => code === "yaml-syntax") ? lines.map(quoteWherePlain) : [];
  const lenient = parseYaml(new Excerpt(quoted.map(({ piece }) => piece)));
  const changed = quoted.filter(({ fix }) => fix !== null);
  if (lenient.faults.length > 0 || changed.length === 0) {
    reportYamlFaults(strict.faults, strict.block.excerpt, diagnostics);
    return null;
  }
  for (const { piece, fix } of changed) {
    diagnostics.add(
      "front-matter-lenient",
      piece.span,
      "this line is not YAML as it stands; it was read as plain text",
      fix,
    );
  }
  return kept(lenient, diagnostics);
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
function quoteWherePlain(line: Line): { piece: Piece; fix: string | null } {
  const match = /^([A-Za-z_][\w-]*):[ \t]+([^"'|>{\s].*?)[ \t]*$/.exec(line.text);
  const unchanged = { piece: asPiece(line), fix: null };
  if (match?.[2] === undefined || GLUED_FIELD.test(match[2])) return unchanged;
  if (parseYaml(new Excerpt([asPiece(line)])).faults.length === 0) return unchanged;
  const fix = `${match[1]}: ${JSON.stringify(match[2])}`;
  return { piece: { text: `${fix}\n`, span: line.span }, fix };
}
