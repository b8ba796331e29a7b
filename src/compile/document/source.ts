/** A place in a file: lines and columns count from 1, columns in Unicode code points. */
export interface Position {
  line: number;
  column: number;
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

  constructor(file: string, raw: string) {
    this.file = file;
    this.text = raw.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    this.#lineStarts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  position(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    const line = this.#lineAt(clamped);
    return { line, column: codePoints(this.text.slice(this.#lineStarts[line - 1], clamped)) + 1 };
  }

  /** The text of a line (from 1) without its end, or "" where there is none. */
  line(number: number): string {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return "";
    const next = this.#lineStarts[number];
    return this.text.slice(start, next === undefined ? this.text.length : next - 1);
  }

  /** The number of the line that holds an offset. */
  #lineAt(offset: number): number {
    return lastAtOrBefore(this.#lineStarts.length, (index) => this.#lineStarts[index], offset) + 1;
  }
}

/**
 * The last index (0 where there is none) whose value is at most a bound, of values that grow; found by
 * halving.
 */
function lastAtOrBefore(
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
