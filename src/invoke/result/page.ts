/** A stretch of a text; offsets and sizes count code points. */
export interface TextPage {
  text: string;
  offset: number;
  /** Where the rest begins; null where nothing is left. */
  nextOffset: number | null;
  totalCharacters: number;
}

/**
 * The page of a text that begins at an offset, and as much of it as makes a JSON string of so many characters: a quote
 * and a backslash take two there, all else of a JSON text takes one. No code point is split.
 * @param text a JSON text
 * @param maxCharacters at least 4, so that there always is a next page; null for all the rest
 * @returns null where the offset is beyond the end
 */
export function pageOf(text: string, offset: number, maxCharacters: number | null): TextPage | null {
  const start = unitOf(text, offset);
  if (start === null) return null;
  const { end, count } = stretch(text, start, maxCharacters ?? Number.POSITIVE_INFINITY);
  return {
    text: text.slice(start, end),
    offset,
    nextOffset: end === text.length ? null : offset + count,
    totalCharacters: offset + count + countCharacters(text, end),
  };
}

/** Code points of a text, from a unit of UTF-16 on. */
export function countCharacters(text: string, from = 0): number {
  let count = 0;
  for (let unit = from; unit < text.length; unit += unitsAt(text, unit)) count += 1;
  return count;
}

/** Where in UTF-16 the code point of an offset begins; null where there is none, unless the text is empty. */
function unitOf(text: string, offset: number): number | null {
  let unit = 0;
  for (let count = 0; count < offset; count += 1) {
    if (unit >= text.length) return null;
    unit += unitsAt(text, unit);
  }
  return unit < text.length || offset === 0 ? unit : null;
}

const QUOTES = 2;

function stretch(text: string, start: number, maxCharacters: number): { end: number; count: number } {
  let end = start;
  let count = 0;
  for (let written = QUOTES; end < text.length; count += 1) {
    const character = text[end];
    written += character === '"' || character === "\\" ? 2 : 1;
    if (written > maxCharacters) break;
    end += unitsAt(text, end);
  }
  return { end, count };
}

function unitsAt(text: string, unit: number): 1 | 2 {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}
