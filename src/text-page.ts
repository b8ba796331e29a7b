/** A stretch of a text; offsets and sizes count code points. */
export interface TextPage {
  text: string;
  offset: number;
  /** Where the rest begins; null where nothing is left. */
  nextOffset: number | null;
  totalCharacters: number;
}

/**
 * The page of a text that begins at an offset, and as much of it as makes a JSON string of so many characters, quotes
 * included, as `JSON.stringify` writes it. No code point is split.
 * @param maxCharacters at least 8, so that there always is a next page; null for all the rest
 * @returns null where the offset is beyond the end
 */
export function pageOf(text: string, offset: number, maxCharacters: number | null): TextPage | null {
  const start = unitOf(text, offset);
  if (start >= text.length && offset > 0) return null;
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

/** The part of a text between two offsets. */
export function sliceCharacters(text: string, start: number, end: number): string {
  const from = unitOf(text, start);
  return text.slice(from, unitOf(text, end - start, from));
}

/** Where in UTF-16 the code point begins that is so many after a place; the end of the text where there is none. */
function unitOf(text: string, offset: number, from = 0): number {
  let unit = from;
  for (let count = 0; count < offset && unit < text.length; count += 1) unit += unitsAt(text, unit);
  return unit;
}

const QUOTES = 2;

function stretch(text: string, start: number, maxCharacters: number): { end: number; count: number } {
  let end = start;
  let count = 0;
  for (let written = QUOTES; end < text.length; count += 1) {
    written += writtenAt(text, end);
    if (written > maxCharacters) break;
    end += unitsAt(text, end);
  }
  return { end, count };
}

function unitsAt(text: string, unit: number): 1 | 2 {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}

/** Control characters that JSON has two characters for: backspace, tab, line feed, form feed, carriage return. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What `JSON.stringify` takes for a code point: lone surrogates and most control characters become `\uXXXX`. */
function writtenAt(text: string, unit: number): 1 | 2 | 6 {
  const point = text.codePointAt(unit) ?? 0;
  if (point < 0x20) return SHORT_ESCAPES.has(point) ? 2 : 6;
  if (point === QUOTE || point === BACKSLASH) return 2;
  return point >= 0xd800 && point <= 0xdfff ? 6 : 1;
}
