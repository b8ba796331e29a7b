import { MAX_DIAGNOSTICS, MAX_DOCUMENT_PATTERN_STEPS } from "../limits.ts";
import type { PatternSteps } from "../schema/index.ts";
import type { SourceText, Span } from "./document/source.ts";

/** Everything that can be said about a document. `error` stops a build or an upload, `warning` does not. */
export const diagnosticCodes = {
  "not-utf-8": "error",
  "document-too-large": "error",
  "front-matter-missing": "error",
  "front-matter-unopened": "error",
  "front-matter-unclosed": "error",
  "front-matter-late": "warning",
  "front-matter-in-fence": "error",
  "front-matter-too-large": "error",
  "front-matter-lenient": "warning",
  "front-matter-not-a-mapping": "error",
  "merge-conflict": "error",
  "invisible-characters": "warning",
  "yaml-syntax": "error",
  "duplicate-key": "error",
  "alias-limit": "error",
  "nesting-limit": "error",
  "fence-unclosed": "warning",
  "protocol-like-fence": "warning",
  "duplicate-section": "error",
  "wrong-type": "error",
  "missing-field": "error",
  "empty-field": "error",
  "unknown-field": "warning",
  "value-out-of-range": "error",
  "not-one-of": "error",
  "text-kept-as-written": "warning",
  "name-missing": "error",
  "name-mismatch": "error",
  "name-differs-from-folder": "warning",
  "name-not-a-slug": "warning",
  "name-too-long": "error",
  "description-missing": "error",
  "description-too-long": "error",
  "description-vague": "warning",
  "version-not-semver": "warning",
  "category-unknown": "warning",
  "function-name-invalid": "error",
  "function-duplicate": "error",
  "function-unknown": "error",
  "function-declaration-only": "warning",
  "function-kinds-several": "error",
  "function-kind-unsupported": "error",
  "too-many-functions": "error",
  "schema-root-not-object": "error",
  "schema-keyword-invalid": "error",
  "schema-reference-invalid": "error",
  "schema-required-unknown": "error",
  "schema-pattern-invalid": "error",
  "schema-pattern-backtracks": "warning",
  "schema-pattern-forbidden": "error",
  "schema-value-rejected": "error",
  "upstream-unknown": "error",
  "upstream-missing": "error",
  "base-url-invalid": "error",
  "base-url-variable-forbidden": "error",
  "path-invalid": "error",
  "parameter-unknown": "error",
  "parameter-shadowed": "warning",
  "parameter-placed-twice": "error",
  "parameter-not-placed": "warning",
  "body-not-allowed": "error",
  "header-reserved": "error",
  "expression-invalid": "error",
  "expression-not-boolean": "error",
  "authentication-unsupported": "error",
  "secret-name-invalid": "error",
  "secret-not-bound": "error",
  "skill-duplicate": "error",
  "function-in-two-skills": "error",
} as const satisfies Record<string, "error" | "warning">;

export type DiagnosticCode = keyof typeof diagnosticCodes;
type Severity = "error" | "warning";

/** One thing to say about one place of a file. Lines and columns count from 1, columns in code points. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: Severity;
  file: string;
  line: number;
  column: number;
  /** Where the place ends; on the same line as it begins. */
  endColumn: number;
  message: string;
  /** What to write instead, or null where that is not certain. */
  fix: string | null;
  /** The line itself, for showing it. */
  excerpt: string;
}

/** A diagnostic about a document as a whole; it stands at the beginning. */
export function wholeDocument(code: DiagnosticCode, file: string, message: string): Diagnostic {
  const severity = diagnosticCodes[code];
  return { code, severity, file, line: 1, column: 1, endColumn: 2, message, fix: null, excerpt: "" };
}

/**
 * Collects the diagnostics of one document; all faults of a pass are kept, in the order of their places.
 * Where there are too many, warnings give way to errors.
 */
export class DiagnosticList {
  readonly #source: SourceText;
  readonly #errors: Diagnostic[] = [];
  readonly #warnings: Diagnostic[] = [];
  /** What has been said already, so that a place that is read twice is spoken about once. */
  readonly #said = new Set<string>();
  /** What patterns may still cost in checks of the values that the document gives for itself. */
  readonly patternSteps: PatternSteps = { left: MAX_DOCUMENT_PATTERN_STEPS };

  constructor(source: SourceText) {
    this.#source = source;
  }

  add(code: DiagnosticCode, span: Span, message: string, fix: string | null = null): void {
    const severity = diagnosticCodes[code];
    const kept = severity === "error" ? this.#errors : this.#warnings;
    const said = `${code} ${span.start} ${message}`;
    if (kept.length >= MAX_DIAGNOSTICS || this.#said.has(said)) return;
    this.#said.add(said);
    const start = this.#source.position(span.start);
    const end = this.#source.position(Math.max(span.end, span.start));
    const excerpt = this.#source.line(start.line);
    const endColumn = end.line === start.line ? end.column : [...excerpt].length + 1;
    kept.push({
      code,
      severity,
      file: this.#source.file,
      ...start,
      endColumn: Math.max(endColumn, start.column + 1),
      message,
      fix,
      excerpt,
    });
  }

  get hasErrors(): boolean {
    return this.#errors.length > 0;
  }

  /** Whether so much is wrong that no further check has anything to add. */
  get isFull(): boolean {
    return this.#errors.length >= MAX_DIAGNOSTICS;
  }

  /** The number of the line that holds an offset. */
  lineOf(offset: number): number {
    return this.#source.position(offset).line;
  }

  sorted(): Diagnostic[] {
    const kept = [...this.#errors, ...this.#warnings].slice(0, MAX_DIAGNOSTICS);
    return kept.sort((left, right) => left.line - right.line || left.column - right.column);
  }
}

/**
 * Draws a diagnostic as a good compiler does: place, message, the line with a caret under the fault, the fix.
 * East Asian wide characters are two cells wide, and the caret stands under the right one.
 */
export function renderDiagnostic(diagnostic: Diagnostic, paint: Paint = plainPaint): string {
  const { severity, code, file, line, column, endColumn, message, fix, excerpt } = diagnostic;
  const head = `${paint.place(`${file}:${line}:${column}`)}: ${paint[severity](`${severity}[${code}]`)}: ${printable(message)}`;
  const gutter = String(line);
  const blank = " ".repeat(gutter.length);
  const shown = window([...printable(excerpt)], column - 1, endColumn - 1);
  const lead = " ".repeat(cells(shown.before));
  const marks = "^".repeat(Math.max(1, cells(shown.marked)));
  const lines = [
    head,
    `  ${paint.gutter(`${gutter} |`)} ${shown.text}`,
    `  ${paint.gutter(`${blank} |`)} ${lead}${paint[severity](marks)}`,
  ];
  if (fix !== null) lines.push(`  ${paint.gutter(`${blank} =`)} ${paint.fix("fix:")} ${printable(fix)}`);
  return lines.join("\n");
}

/** How the parts of a diagnostic are coloured. */
export type Paint = Record<Severity | "place" | "gutter" | "fix", (text: string) => string>;

const same = (text: string): string => text;
export const plainPaint: Paint = { error: same, warning: same, place: same, gutter: same, fix: same };

/**
 * A line as a terminal may get it: one sign for each character that would move the cursor or turn text round.
 */
function printable(line: string): string {
  return line.replaceAll("\t", " ").replace(/[\p{Control}\p{Bidi_Control}\u{E0000}-\u{E007F}]/gu, "\uFFFD");
}

const MAX_SHOWN = 100;

/** A long line is cut around the fault, so that it fits a terminal. */
function window(
  points: string[],
  start: number,
  end: number,
): { text: string; before: string; marked: string } {
  const from = points.length <= MAX_SHOWN || start < MAX_SHOWN / 2 ? 0 : start - MAX_SHOWN / 2;
  const to = Math.min(points.length, from + MAX_SHOWN);
  const opening = from > 0 ? "…" : "";
  return {
    text: opening + points.slice(from, to).join("") + (to < points.length ? "…" : ""),
    before: opening + points.slice(from, Math.min(start, to)).join(""),
    marked: points.slice(Math.min(start, to), Math.min(end, to)).join(""),
  };
}

/**
 * East Asian wide and full-width characters (UAX 11), and emoji that are drawn as such: half a flag is one
 * cell.
 */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}[\p{Extended_Pictographic}&&\p{Emoji_Presentation}]]/v;
const ZERO_WIDTH = /[\p{Mark}\p{Format}\p{Control}]/u;

/** Cells that a text takes on a terminal. */
function cells(text: string): number {
  let width = 0;
  for (const point of text) width += ZERO_WIDTH.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return width;
}
