/** Characters that nobody sees but models read: a description may carry instructions in them. */

/**
 * What may be hidden: controls, half characters and what Unicode says is not to be drawn, but for tabs and
 * ends of lines.
 */
const SUSPECT = /[[\p{Default_Ignorable_Code_Point}\p{Control}\p{Surrogate}]--[\t\n\r]]/v;

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

/** The hidden characters of a text, each with its offset (in UTF-16 units). */
function* hiddenCharacters(text: string): Generator<[number, string]> {
  if (!SUSPECT.test(text)) return;
  const hasMarks = RIGHT_TO_LEFT.test(text);
  for (const match of text.matchAll(SCAN)) {
    let offset = match.index;
    for (const character of match.groups?.hidden ?? "") {
      if (!hasMarks || !DIRECTION_MARK.test(character)) yield [offset, character];
      offset += character.length;
    }
  }
}

/** The offset of the first hidden character, or null. */
export function firstHidden(text: string): number | null {
  for (const [offset] of hiddenCharacters(text)) return offset;
  return null;
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
