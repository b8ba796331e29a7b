import { visibleSpans } from "../document/hidden.ts";
import { lastAtOrBefore, type Span } from "../document/source.ts";

/** Where a run of the document stands in the prose. */
interface Piece {
  span: Span;
  /** The offset of its beginning in the prose. */
  at: number;
}

const SEPARATOR = "\n\n";

/**
 * The text that a skill's reader gets: the body without protocol blocks, one blank line where one was, and without
 * the characters that nobody sees. It knows where each of its parts stood in the document. Offsets are UTF-16 units.
 */
export class Prose {
  readonly text: string;
  readonly #pieces: Piece[] = [];

  /**
   * @param document the text of the whole document
   * @param spans the runs of it that are prose, in order
   * @param hidesSomething whether there are characters in them that nobody sees
   */
  constructor(document: string, spans: readonly Span[], hidesSomething: boolean) {
    let text = "";
    for (const span of spans) {
      const kept = withoutBlankEnds(document, span);
      const parts = hidesSomething ? visibleSpans(document.slice(kept.start, kept.end), kept.start) : [kept];
      if (parts.every(({ start, end }) => document.slice(start, end).trim() === "")) continue;
      if (text !== "") text += SEPARATOR;
      for (const part of parts) {
        this.#pieces.push({ span: part, at: text.length });
        text += document.slice(part.start, part.end);
      }
    }
    this.text = text;
  }

  /** The offset in the prose of an offset in the document. */
  offsetOf(offset: number): number {
    const pieces = this.#pieces;
    const piece = pieces[lastAtOrBefore(pieces.length, (index) => pieces[index]?.span.start, offset)];
    return piece === undefined || piece.span.start > offset
      ? 0
      : piece.at + Math.min(offset, piece.span.end) - piece.span.start;
  }
}

/** Blank lines at the beginning go, indentation of the first line stays; at the end all blanks go. */
function withoutBlankEnds(document: string, { start, end }: Span): Span {
  const text = document.slice(start, end);
  const kept = text.trimEnd().length;
  const blank = /^(?:[ \t]*\n)+/.exec(text)?.[0].length ?? 0;
  return { start: start + Math.min(blank, kept), end: start + kept };
}
