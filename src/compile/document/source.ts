import type { Edit } from "../edit.ts";

/** A place in a file: lines and columns count from 1, columns in Unicode code points. */
export interface Position {
  line: number;
  column: number;
}

/** A place as diagnostics show it: all on one line, which stands with it. */
export interface FilePlace extends Position {
  endColumn: number;
  /** The line itself. */
  excerpt: string;
}

/**
 * A document's text with its places. Line ends are LF whatever the file has, and a byte order mark is gone;
 * neither moves a line or a column. Offsets are UTF-16 units of `text`.
 */
export class SourceText {
  /** The path that diagnostics show. */
  readonly file: string;
  readonly text: string;
  readonly #lineStarts: number[];
  readonly #raw: string;
  /** Where in `text` the ends of lines stand that are two characters in the file. */
  #doubleEnds: number[] | null = null;

  constructor(file: string, raw: string) {
    this.file = file;
    this.#raw = raw;
    this.text = raw.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    this.#lineStarts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  position(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    const line = this.lineAt(clamped);
    return { line, column: codePoints(this.text.slice(this.#lineStarts[line - 1], clamped)) + 1 };
  }

  /** A run of the text as a place, which ends with the line that it begins on. */
  place(span: Span): FilePlace {
    const start = this.position(span.start);
    const end = this.position(Math.max(span.end, span.start));
    const excerpt = this.line(start.line);
    const endColumn = end.line === start.line ? end.column : codePoints(excerpt) + 1;
    return { ...start, endColumn: Math.max(endColumn, start.column + 1), excerpt };
  }

  /** The text of a line (from 1) without its end, or "" where there is none. */
  line(number: number): string {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return "";
    const next = this.#lineStarts[number];
    return this.text.slice(start, next === undefined ? this.text.length : next - 1);
  }

  /** A change of `text` as a change of the file's own text, whose line ends and byte order mark stay. */
  edit({ span, text }: { span: Span; text: string }): Edit {
    const start = this.#toRaw(span.start);
    const lineEnd = this.#ends().length > 0 ? "\r\n" : "\n";
    return { start, end: this.#toRaw(span.end), text: text.replaceAll("\n", lineEnd) };
  }

  #toRaw(offset: number): number {
    const mark = this.#raw.startsWith("\uFEFF") ? 1 : 0;
    const ends = this.#ends();
    const last = lastAtOrBefore(ends.length, (index) => ends[index], offset - 1);
    return offset + mark + ((ends[last] ?? offset) < offset ? last + 1 : 0);
  }

  #ends(): readonly number[] {
    const mark = this.#raw.startsWith("\uFEFF") ? 1 : 0;
    this.#doubleEnds ??= [...this.#raw.slice(mark).matchAll(/\r\n/g)].map(
      ({ index }, earlier) => index - earlier,
    );
    return this.#doubleEnds;
  }

  /** The number of the line that holds an offset. */
  lineAt(offset: number): number {
    return lastAtOrBefore(this.#lineStarts.length, (index) => this.#lineStarts[index], offset) + 1;
  }
}

/**
 * The last index (0 where there is none) whose value is at most a bound, of values that grow; found by
 * halving.
 */
export function lastAtOrBefore(
  length: number,
  valueAt: (index: number) => number | undefined,
  bound: number,
): number {
  let low = 0;
  let high = length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((valueAt(middle) ?? 0) <= bound) low = middle;
    else high = middle;
  }
  return low;
}

/** Whether a text takes more bytes in UTF-8; they are counted only where that is in doubt: 1 to 3 for each UTF-16 unit. */
export function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);
}

/** The bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A run of a document's text. */
export interface Span {
  start: number;
  end: number;
}

/** A piece of an excerpt: its text, and the run of the document that it stands for. */
export interface Piece {
  text: string;
  span: Span;
}

/**
 * A text made of pieces of a document (a fence in a quote has marks in between, a leniently read line has
 * quotes added) that still knows where each of its characters stood.
 */
export class Excerpt {
  readonly text: string;
  readonly #pieces: { at: number; span: Span }[] = [];

  constructor(pieces: readonly Piece[]) {
    let text = "";
    for (const piece of pieces) {
      this.#pieces.push({ at: text.length, span: piece.span });
      text += piece.text;
    }
    this.text = text;
  }

  /** The excerpt of runs of a document, as they stand. */
  static of(source: SourceText, spans: readonly Span[]): Excerpt {
    return new Excerpt(spans.map((span) => ({ text: source.text.slice(span.start, span.end), span })));
  }

  /** The document's offset of an offset in this text. */
  toSource(offset: number): number {
    const found =
      this.#pieces[lastAtOrBefore(this.#pieces.length, (index) => this.#pieces[index]?.at, offset)];
    return found === undefined ? 0 : Math.min(found.span.start + offset - found.at, found.span.end);
  }
}
