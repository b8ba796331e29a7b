/** How many more steps checks of values may take, where several share them. */
export interface ValidationSteps {
  left: number;
}

/**
 * What each kind of work takes, in steps. One is about 20 ns of a common processor: the time in which the linear
 * engine of patterns visits one of its states. Work for each character that is faster is less than a step.
 */
export const COST = {
  schema: 3,
  keyword: 1,
  /** A member looked up, or a member or an item gone through. */
  name: 2,
  /** A name that an object is asked for: the engine sorts those of large ones. */
  namedMember: 15,
  /** A set for the members and items that one schema has seen, and a member or an item that is put into another. */
  seen: 4,
  seenMember: 8,
  /** A fault in words, and each token of its path. */
  fault: 80,
  pathToken: 5,
  quotedCharacter: 1,
  countedCharacter: 0.1,
  comparedCharacter: 0.01,
  /** A number, name, list or object of a value that is compared as a whole, and a character of its texts. */
  identityPart: 15,
  identityCharacter: 0.5,
  formatCharacter: 2,
  /** The digits of a whole number that no double holds. */
  largeInteger: 16,
  /** A fraction in decimal digits. */
  decimal: 250,
  /** A pattern by the linear engine, and each of its states, beside the steps that the engine counts. */
  pattern: 50,
  patternState: 0.1,
  /** A pattern by `RegExp`, and one of its states for each character. */
  nativePattern: 15,
  nativeState: 0.2,
} as const;
