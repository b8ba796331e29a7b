/** Undoes what programs escape when they write a text into URLs, JSON, pages and byte strings. */

/** A part of a text, in UTF-16 units; `end` is excluded. */
export interface Span {
  start: number;
  end: number;
}

/** A text with one layer of its escapes undone. */
export interface Unescaped {
  text: string;
  /** What stands in the escaped text for a part of this one. */
  sourceOf(span: Span): Span;
}

/** How the bytes 0x80 to 0x9F are shown by what takes them for text: servers that say Latin-1 mean windows-1252. */
const HIGH_CONTROLS = new TextDecoder("windows-1252").decode(
  Uint8Array.from({ length: 0x20 }, (_, index) => 0x80 + index),
);
const CONTINUATION = `[\\x80-\\xbf${HIGH_CONTROLS}]`;

const ESCAPES = [
  // RFC 3986, section 2.1.
  "%[0-9a-fA-F]{2}",
  // JSON and the byte strings of programs; within JSON that holds JSON the backslashes are many.
  "\\\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])?",
  // Character references of HTML.
  "&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,6});",
  // UTF-8 that was taken for Latin-1.
  `[\\xc2-\\xdf]${CONTINUATION}|[\\xe0-\\xef]${CONTINUATION}{2}|[\\xf0-\\xf4]${CONTINUATION}{3}`,
].join("|");
const ANY_ESCAPE = new RegExp(ESCAPES);
const EVERY_ESCAPE = new RegExp(ESCAPES, "g");

/** A text with one layer of its escapes undone; null where it has none. It becomes shorter each time. */
export function unescaped(text: string): Unescaped | null {
  if (!ANY_ESCAPE.test(text)) return null;
  const edits = new Edits();
  const plain = text.replace(EVERY_ESCAPE, (escaped: string, offset: number) => {
    const meant = meaningOf(escaped);
    if (meant !== escaped) edits.add(offset, escaped.length, meant.length);
    return meant;
  });
  return plain === text ? null : { text: plain, sourceOf: (span) => edits.sourceOf(span) };
}

function meaningOf(escaped: string): string {
  switch (escaped[0]) {
    case "%":
      return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    case "\\":
      return afterBackslashes(escaped.slice(escaped.lastIndexOf("\\") + 1));
    case "&":
      return characterReferred(escaped);
    default:
      return decodedBytes(escaped);
  }
}

const CONTROLS = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function afterBackslashes(code: string): string {
  return code.length > 1
    ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
    : (CONTROLS.get(code) ?? code);
}

const ENTITIES = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["bsol", "\\"],
  ["colon", ":"],
  ["equals", "="],
  ["gt", ">"],
  ["lt", "<"],
  ["num", "#"],
  ["percnt", "%"],
  ["plus", "+"],
  ["quot", '"'],
  ["sol", "/"],
]);

function characterReferred(reference: string): string {
  const name = reference.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return ENTITIES.get(name) ?? reference;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return characterOf(code) ?? reference;
}

/** The lead byte of UTF-8 says how many follow it, each of which holds six bits (RFC 3629, section 3). */
function decodedBytes(shown: string): string {
  const lead = shown.charCodeAt(0);
  const ownBits = lead & (0x7f >> shown.length);
  const following = Array.from(shown.slice(1), (character) => byteShownAs(character) & 0x3f);
  return characterOf(following.reduce((code, bits) => code * 0x40 + bits, ownBits)) ?? shown;
}

function byteShownAs(character: string): number {
  const index = HIGH_CONTROLS.indexOf(character);
  return index === -1 ? character.charCodeAt(0) : 0x80 + index;
}

function characterOf(code: number): string | null {
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** The escapes of a text, in their order, and where what they mean stands in the other text. */
class Edits {
  readonly #sources: Span[] = [];
  readonly #meanings: Span[] = [];
  /** How much shorter the other text has become. */
  #shrunk = 0;

  add(offset: number, length: number, meantLength: number): void {
    const start = offset - this.#shrunk;
    this.#sources.push({ start: offset, end: offset + length });
    this.#meanings.push({ start, end: start + meantLength });
    this.#shrunk += length - meantLength;
  }

  sourceOf({ start, end }: Span): Span {
    return { start: this.#sourceOf(start).start, end: this.#sourceOf(end - 1).end };
  }

  /** Where a unit of the other text comes from. */
  #sourceOf(unit: number): Span {
    const index = this.#lastUpTo(unit);
    const source = this.#sources[index];
    const meaning = this.#meanings[index];
    if (source === undefined || meaning === undefined) return { start: unit, end: unit + 1 };
    if (unit < meaning.end) return source;
    const start = source.end + unit - meaning.end;
    return { start, end: start + 1 };
  }

  /** The last edit that begins at a unit or before it; -1 where none does. */
  #lastUpTo(unit: number): number {
    let [low, high] = [0, this.#meanings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#meanings[middle]?.start ?? 0) <= unit) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
