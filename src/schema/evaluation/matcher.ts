import { MAX_MATCHED_NAME_CHARACTERS } from "../../limits.ts";
import { cachedPattern, PatternError } from "../../pattern/index.ts";
import type { Evaluation } from "./evaluation.ts";

/** A pattern of a schema, made ready to be matched. */
export interface Matcher {
  /** Steps that each character of a text may take. */
  readonly size: number;
  /** Whether that holds of every text; only a backtracking engine can run the others. */
  readonly isLinear: boolean;
  test(text: string): boolean;
}

/**
 * The matcher of a pattern, on the engine whose time is linear in the text wherever that reads the pattern: with
 * `RegExp`, `^(a+)+$` takes for ever on the wrong text.
 * @param source a pattern in which `checkSchema` finds no fault
 */
export function matcherOf(source: string): Matcher {
  try {
    const pattern = cachedPattern(source, "ecmascript");
    return { size: pattern.size, isLinear: true, test: (text) => pattern.test(text) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const expression = new RegExp(source, "u");
    return { size: source.length, isLinear: false, test: (text) => expression.test(text) };
  }
}

/** Why a check is given up whose patterns take more steps than are left. */
export const TOO_MANY_STEPS = {
  rule: "pattern",
  expected: "texts short enough for their patterns",
  got: "ones that take too many steps to match",
};

/** Whether a member's name matches; false also where it cannot be looked at, and the check is given up. */
export function matchesName(matcher: Matcher, name: string, evaluation: Evaluation): boolean {
  if (!matcher.isLinear && name.length > MAX_MATCHED_NAME_CHARACTERS) {
    const expected = `member names of at most ${MAX_MATCHED_NAME_CHARACTERS} characters`;
    return evaluation.abandon({
      rule: "patternProperties",
      expected,
      got: `one of ${name.length} characters`,
    });
  }
  return evaluation.spend(matcher.size * (name.length + 1), TOO_MANY_NAME_STEPS) && matcher.test(name);
}

const TOO_MANY_NAME_STEPS = {
  rule: "patternProperties",
  expected: "fewer or shorter member names",
  got: "ones that take too many steps to match",
};
