import type { DiagnosticCode, DiagnosticList } from "../diagnostic.ts";
import type { Span } from "./source.ts";

/** A line of a document, without its end. */
export interface Line {
  text: string;
  span: Span;
}

/** The lines of a text whose line ends are line feeds, with their places. */
export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const span = { start, end: start + line.length };
    start = span.end + 1;
    return { text: line, span };
  });
}

/** Whether a line opens and closes front matter: three hyphens at column one, and blanks at most behind them. */
export function isMark({ text }: Line): boolean {
  return /^---[ \t]*$/.test(text);
}

const isFence = ({ text }: Line): boolean => /^ {0,3}(?:`{3}|~{3})/.test(text);

const isIndentedMark = ({ text }: Line): boolean => /^[ \t]+---[ \t]*$/.test(text);

/** A line of dashes, hyphens and the like: what an editor or a hasty hand makes of `---`. */
const isLikeMark = ({ text }: Line): boolean =>
  /^[^\p{Letter}\p{Number}]*$/u.test(text) && text.trim() !== "";

/** Whether a line is one of the two fields that every front matter has. */
const isField = (line: Line | undefined): boolean =>
  line !== undefined && /^[ \t]*(name|description)[ \t]*:/.test(line.text);

/** How far down front matter may begin, or a merge conflict stand, for somebody to have meant it as such. */
const TOP_LINES = 40;

/** Front matter that somebody meant to write and that is none. */
interface Absence {
  code: DiagnosticCode;
  line: Line;
  message: string;
  fix: string;
}

/**
 * Says what became of front matter that somebody meant to write, where a document does not begin with it.
 * @param lines the document's lines from the first one that is not blank
 */
export function reportAbsence(lines: readonly Line[], diagnostics: DiagnosticList): void {
  const top = lines.slice(0, TOP_LINES);
  if (reportConflict(top, diagnostics)) return;
  const absence = wholeFileAbsence(lines) ?? openingAbsence(top);
  if (absence !== null) diagnostics.add(absence.code, absence.line.span, absence.message, absence.fix);
}

/** What is wrong with the file as a whole. */
function wholeFileAbsence(lines: readonly Line[]): Absence | null {
  const [line, second] = lines;
  if (line === undefined) return null;
  if (isPath(lines)) {
    const message =
      "the file holds nothing but the path of another, as a symbolic link does where links are not kept";
    return { code: "document-is-a-path", line, message, fix: "put a copy of that file here" };
  }
  if (second === undefined || !isFence(line) || !isMark(second)) return null;
  const message = "the whole file is wrapped in a code fence";
  return { code: "front-matter-in-fence", line, message, fix: "remove the fence around the file" };
}

/** What is wrong with the line that was to open the front matter. */
function openingAbsence(top: readonly Line[]): Absence | null {
  const [line, second] = top;
  if (line === undefined) return null;
  if (isIndentedMark(line)) return indented(line);
  if (isField(line)) {
    const message = "fields stand here without a line --- before them";
    return { code: "front-matter-unopened", line, message, fix: "begin the file with ---" };
  }
  if (isLikeMark(line) && isField(second)) {
    const message = "this line is not ---, which opens front matter";
    return { code: "front-matter-unopened", line, message, fix: "---" };
  }
  const late = lateOpening(top);
  if (late === null) return null;
  const message = "text stands before the front matter, which is then none";
  return { code: "front-matter-after-text", line: late, message, fix: "begin the file with this line" };
}

/** Whether the file is one word that ends as the name of a document does. */
function isPath([first, ...others]: readonly Line[]): boolean {
  return /^\S+\.md[ \t]*$/i.test(first?.text ?? "") && others.every(({ text }) => text.trim() === "");
}

/** The line that opens front matter behind other text, outside fences; null where there is none. */
function lateOpening(top: readonly Line[]): Line | null {
  const fence = top.findIndex(isFence);
  const outside = fence === -1 ? top : top.slice(0, fence);
  const opening = outside.findIndex((line, index) => isMark(line) && isField(outside[index + 1]));
  const isClosed = outside.some((line, index) => index > opening && isMark(line));
  return isClosed ? (outside[opening] ?? null) : null;
}

function indented(line: Line): Absence {
  const message =
    "a line --- opens or closes front matter only where nothing stands before it, not even blanks";
  return { code: "front-matter-indented", line, message, fix: "---" };
}

function reportIndented(line: Line, diagnostics: DiagnosticList): void {
  const { code, message, fix } = indented(line);
  diagnostics.add(code, line.span, message, fix);
}

/** Says that front matter has no end, at the line that seems to be meant as one where there is such a line. */
export function reportUnclosed(opening: Line, rest: readonly Line[], diagnostics: DiagnosticList): void {
  const top = rest.slice(0, TOP_LINES);
  if (reportConflict(top, diagnostics)) return;
  const closing = top.find(isIndentedMark);
  if (closing !== undefined) {
    reportIndented(closing, diagnostics);
    return;
  }
  const meant = top.find(({ text }) => /^\s*[\p{Dash}.=_*+~]+\s*$/u.test(text));
  const message = "the front matter that opens here is never closed";
  const fix =
    meant === undefined
      ? "end it with a line ---"
      : `write --- instead of line ${diagnostics.lineOf(meant.span.start)}`;
  diagnostics.add("front-matter-unclosed", opening.span, message, fix);
}

/**
 * Says that front matter that is not YAML runs on into the text, where a line before the fault looks like its end
 * or like the text's beginning: an indented `---`, or a heading behind a blank line.
 * @returns whether there is such a line
 */
export function reportRunOn(lines: readonly Line[], fault: number, diagnostics: DiagnosticList): boolean {
  const found = lines.find(
    (line, index) =>
      line.span.start <= fault &&
      (isIndentedMark(line) || (isHeading(line) && lines[index - 1]?.text.trim() === "")),
  );
  if (found === undefined) return false;
  if (isIndentedMark(found)) reportIndented(found, diagnostics);
  else
    diagnostics.add(
      "front-matter-unclosed",
      found.span,
      "the front matter is not closed before this heading",
      "end the front matter with a line --- before the text begins",
    );
  return true;
}

/** A heading of Markdown, which is a comment to YAML; but a field that a formatter made a heading is none. */
const isHeading = ({ text }: Line): boolean => /^#{1,6}[ \t]+(?![\w-]+:)/.test(text);

/** What git leaves behind where two versions of a file could not be joined; the line between them is also a rule. */
const CONFLICT = /^(?:<{7} |\|{7} |={7}$|>{7} )/;
const CONFLICT_SIDE = /^(?:<{7}|>{7}) /;

/**
 * Says that a merge conflict was left in these lines, at the first trace of it.
 * @returns whether one was
 */
export function reportConflict(lines: readonly Line[], diagnostics: DiagnosticList): boolean {
  const conflict = lines.find(({ text }) => CONFLICT.test(text));
  if (conflict === undefined || !lines.some(({ text }) => CONFLICT_SIDE.test(text))) return false;
  diagnostics.add(
    "merge-conflict",
    conflict.span,
    "a merge conflict was left here",
    "keep one side and remove the markers",
  );
  return true;
}
