/** Which characters and places the escapes, classes and cases of patterns stand for. */

/** Whether a code point is one that the pattern wants at this place. */
export type CharacterTest = (codePoint: number) => boolean;

/**
 * Whether a place between two code points is one that the pattern wants; -1 stands for an end of the text.
 */
export type Assertion = (before: number, after: number) => boolean;

/** Code points that the syntax itself names, and what stands for an end of the text. */
export const LINE_FEED = 10;
export const BACKSPACE = 8;
export const END = -1;

const isWord: CharacterTest = (point) => point === 95 || isDigit(point) || isUpper(point) || isLower(point);
const isDigit: CharacterTest = (point) => point >= 48 && point <= 57;
const isUpper: CharacterTest = (point) => point >= 65 && point <= 90;
const isLower: CharacterTest = (point) => point >= 97 && point <= 122;
const isSpace: CharacterTest = (point) => point === 32 || (point >= 9 && point <= 13 && point !== 11);
/** Whether a code point is one that another test does not want. */
export const not =
  (test: CharacterTest): CharacterTest =>
  (point) =>
    !test(point);

/** `\d` and the like, by their letter, as RE2 has them. */
export const CLASS_ESCAPES = new Map<string, CharacterTest>([
  ["d", isDigit],
  ["D", not(isDigit)],
  ["w", isWord],
  ["W", not(isWord)],
  ["s", isSpace],
  ["S", not(isSpace)],
]);

/** `\n` and the like, by their letter. */
export const CONTROL_ESCAPES = new Map([
  ["a", 7],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

/** `[:alpha:]` and the like, by their name. */
export const POSIX_CLASSES = new Map<string, CharacterTest>([
  ["ascii", (point) => point >= 0 && point <= 127],
  ["blank", (point) => point === 9 || point === 32],
  ["cntrl", (point) => (point >= 0 && point < 32) || point === 127],
  ["graph", (point) => point > 32 && point < 127],
  ["print", (point) => point >= 32 && point < 127],
  ["alnum", (point) => isDigit(point) || isUpper(point) || isLower(point)],
  ["alpha", (point) => isUpper(point) || isLower(point)],
  ["digit", isDigit],
  ["lower", isLower],
  ["punct", (point) => point > 32 && point < 127 && !isDigit(point) && !isUpper(point) && !isLower(point)],
  ["space", (point) => isSpace(point) || point === 11],
  ["upper", isUpper],
  ["word", isWord],
  ["xdigit", (point) => isDigit(point) || (point >= 65 && point <= 70) || (point >= 97 && point <= 102)],
]);

/** ECMA-262's `\s` and `.`, for which the engine itself is the best table. */
const isEcmaScriptSpace: CharacterTest = (point) => /\s/u.test(String.fromCodePoint(point));
/** What `.` of ECMA-262 leaves out. */
export const isEcmaScriptLineEnd: CharacterTest = (point) =>
  point === LINE_FEED || point === 13 || point === 0x2028 || point === 0x2029;

/** `\d` and the like as ECMA-262 has them: its blanks are those of Unicode. */
export const ECMASCRIPT_CLASS_ESCAPES = new Map<string, CharacterTest>([
  ...CLASS_ESCAPES,
  ["s", isEcmaScriptSpace],
  ["S", not(isEcmaScriptSpace)],
]);

/** Compiled once for each name: the names are the few hundred that Unicode knows, others are not kept. */
const characterProperties = new Map<string, CharacterTest>();

/** A property as `\p{…}` names it, tested by the engine's own tables; null where there is none. */
export function characterProperty(name: string): CharacterTest | null {
  const known = characterProperties.get(name);
  if (known !== undefined) return known;
  try {
    const expression = new RegExp(`^\\p{${name}}$`, "u");
    const test: CharacterTest = (point) => point !== END && expression.test(String.fromCodePoint(point));
    characterProperties.set(name, test);
    return test;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

const wordBoundary: Assertion = (before, after) => isWord(before) !== isWord(after);

/** `\b` and the like, by their letter. */
export const ASSERTION_ESCAPES = new Map<string, Assertion>([
  ["A", (before) => before === END],
  ["z", (_before, after) => after === END],
  ["b", wordBoundary],
  ["B", (before, after) => !wordBoundary(before, after)],
]);

/** The other cases of a character, of those that are one character (`SS` is not a case of `ß`). */
export function caseVariants(point: number): number[] {
  if (point === END) return [];
  const character = String.fromCodePoint(point);
  const folded = foldCase(point);
  const variants = [only(character.toLowerCase()), only(character.toUpperCase()), folded];
  return variants.filter((variant) => variant !== null).filter((variant) => foldCase(variant) === folded);
}

/** The one letter whose only capital is that of another one; only Turkish folds it. */
const DOTLESS_I = 0x131;

/** The one case that stands for all cases of a character (Unicode's simple case folding). */
export function foldCase(point: number): number {
  if (point === END || point === DOTLESS_I) return point;
  const upper = only(String.fromCodePoint(point).toUpperCase()) ?? point;
  return only(String.fromCodePoint(upper).toLowerCase()) ?? upper;
}

/** The code point of a text that has just one. */
function only(text: string): number | null {
  const point = text.codePointAt(0);
  return point !== undefined && text.length === (point > 0xffff ? 2 : 1) ? point : null;
}
