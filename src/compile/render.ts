import type { Diagnostic, Severity } from "./diagnostic.ts";

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
/** No colours. */
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
