import type { Replacement } from "../diagnostic.ts";
import type { Span } from "./source.ts";

/** Characters that nobody sees but models read: a description may carry instructions in them. */

/**
 * What may be hidden: controls, half characters and what Unicode says is not to be drawn, but for tabs and
 * ends of lines.
 */
const SUSPECT = /[[\p{Default_Ignorable_Code_Point}\p{Control}\p{Surrogate}]--[\t\n\r]]/v;

/**
 * What is worth looking its properties up, which takes a hundred times as long as to tell by UTF-16 units what most
 * texts are made of: letters of Europe, punctuation, arrows and other signs, Chinese, Japanese and Korean.
 */
const DOUBTFUL =
  /[^\t\n\r -~\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u058F\u2010-\u2027\u2030-\u205F\u2070-\u2BFF\u2E80-\u3163\u3165-\u9FFF\uAC00-\uD7A3\uFF01-\uFF5E]/;

/**
 * What is not hidden though it has no shape of its own: emoji (whose families and flags are joined by such
 * characters), a variation of the character before, joiners between letters of scripts that use them (UAX 31,
 * section 2.3), marks and fillers of scripts.
 */
const NEEDED = [
  /\p{RGI_Emoji}/v,
  /(?<=[\p{ExtPict}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{ExtPict})/v,
  /(?<=[^\p{Default_Ignorable_Code_Point}\p{Cc}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/v,
  /(?<=[\p{Mark}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}])[\u200C\u200D]/v,
  /(?<=[\p{Letter}\p{Mark}])[\u034F\u17B4\u17B5\u180B-\u180F]/v,
  /(?<=\p{Script=Hangul})[\u115F\u1160]/v,
];

/** One match is either something needed or a run of hidden characters. */
const SCAN = new RegExp(
  `(?:${NEEDED.map(({ source }) => source).join("|")})|(?<hidden>(?:${SUSPECT.source})+)`,
  "gv",
);

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/v;
/** Implicit marks, which belong in text that runs from right to left and cannot turn any letters round. */
const DIRECTION_MARK = /^[\u061C\u200E\u200F]$/;

/** A hidden character, and its offset in UTF-16 units. */
type Hidden = [offset: number, character: string];

/** The hidden characters of a text. Every text of every document comes by here, and hardly one holds any. */
function hiddenCharacters(text: string): Iterable<Hidden> {
  return DOUBTFUL.test(text) ? searchHidden(text) : [];
}

function* searchHidden(text: string): Generator<Hidden> {
  let isRightToLeft: boolean | null = null;
  const isMeant = (character: string): boolean => {
    if (!DIRECTION_MARK.test(character)) return false;
    isRightToLeft ??= RIGHT_TO_LEFT.test(text);
    return isRightToLeft;
  };
  for (const { start, end } of suspectLines(text)) {
    for (const match of text.slice(start, end).matchAll(SCAN)) {
      let offset = start + match.index;
      for (const character of match.groups?.hidden ?? "") {
        if (!isMeant(character)) yield [offset, character];
        offset += character.length;
      }
    }
  }
}

/** The lines in which something may be hidden: no sequence goes over two, and most lines have nothing. */
function* suspectLines(text: string): Generator<Span> {
  const doubtful = new RegExp(DOUBTFUL, "g");
  for (let match = doubtful.exec(text); match !== null; match = doubtful.exec(text)) {
    const start = text.lastIndexOf("\n", match.index) + 1;
    const next = text.indexOf("\n", match.index);
    const end = next === -1 ? text.length : next;
    if (SUSPECT.test(text.slice(start, end))) yield { start, end };
    doubtful.lastIndex = end;
  }
}

/** The offset of the first hidden character, or null. */
export function firstHidden(text: string): number | null {
  for (const [offset] of hiddenCharacters(text)) return offset;
  return null;
}

/**
 * The replacements that take the hidden characters out of a part of a document, one for each run of them.
 * @param from where the part begins
 */
export function removingHidden(text: string, from: number): Replacement[] {
  const replacements: Replacement[] = [];
  let last: Replacement | undefined;
  for (const [offset, character] of hiddenCharacters(text)) {
    const start = from + offset;
    if (last?.span.end !== start) {
      last = { span: { start, end: start }, was: "", text: "" };
      replacements.push(last);
    }
    last.was += character;
    last.span.end += character.length;
  }
  return replacements;
}

/**
 * The runs of a part of a document that stand between its hidden characters.
 * @param from where the part begins
 */
export function visibleSpans(text: string, from: number): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const [offset, character] of hiddenCharacters(text)) {
    if (offset > start) spans.push({ start: from + start, end: from + offset });
    start = offset + character.length;
  }
  if (start < text.length) spans.push({ start: from + start, end: from + text.length });
  return spans;
}

/** The text without its hidden characters. */
export function withoutHidden(text: string): string {
  let visible = "";
  let from = 0;
  for (const [offset, character] of hiddenCharacters(text)) {
    visible += text.slice(from, offset);
    from = offset + character.length;
  }
  return visible + text.slice(from);
}

/** What to do about hidden characters. */
export const REMOVE_HIDDEN = "take out what nobody sees";

const MAX_NAMED = 5;

/** What is hidden in a text, in words, or null where nothing is. */
export function describeHidden(text: string): string | null {
  const characters = [...hiddenCharacters(text)].map(([, character]) => character);
  if (characters.length === 0) return null;
  const names = [...new Set(characters)].map(nameOf);
  const shown = names.slice(0, MAX_NAMED).join(", ") + (names.length > MAX_NAMED ? ", …" : "");
  return characters.length === 1
    ? `an invisible character (${shown}) stands here`
    : `${characters.length} invisible characters (${shown}) stand here`;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
