import { MAX_MATCHED_NAME_CHARACTERS } from "../../limits.ts";
import {
  backtracksLittle,
  cachedPattern,
  type Pattern,
  type PatternBudget,
  PatternError,
} from "../../pattern/index.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import { COST } from "../evaluation/steps.ts";

/** A pattern of a schema, made ready to be matched. */
export interface Matcher {
  /** Whether matching takes time linear in the text, whatever that is. */
  readonly isLinear: boolean;
  /** The steps that matching a text of so many UTF-16 units takes, beside those that `test` counts. */
  steps(length: number): number;
  /** @param budget what `test` takes the steps from that it counts */
  test(text: string, budget: PatternBudget): boolean;
}

/**
 * The matcher of a pattern: `RegExp` where that cannot but be linear in the text, and otherwise the engine that always
 * is, for with `RegExp` `^(a+)+$` takes for ever on the wrong text. What only `RegExp` reads is matched by it too.
 * @param source a pattern in which `checkSchema` finds no fault
 */
export function matcherOf(source: string): Matcher {
  try {
    const pattern = cachedPattern(source, "ecmascript");
    return backtracksLittle(source) ? native(source, pattern.size) : stateful(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return backtracking(source);
  }
}

function native(source: string, size: number): Matcher {
  const expression = new RegExp(source, "u");
  return {
    isLinear: true,
    steps: (length) => COST.nativePattern + (length + 1) * size * COST.nativeState,
    test: (text) => expression.test(text),
  };
}

/** The linear engine counts its own steps. */
function stateful({ size, test }: Pattern): Matcher {
  return { isLinear: true, steps: () => COST.pattern + size * COST.patternState, test };
}

/** A pattern that may begin anew at each character of a name, and go on to its end. */
function backtracking(source: string): Matcher {
  const expression = new RegExp(source, "u");
  return {
    isLinear: false,
    steps: (length) => COST.nativePattern + (length + 1) * (length + source.length) * COST.nativeState,
    test: (text) => expression.test(text),
  };
}

/** Whether a text matches; false also where that takes more steps than are left. */
export function matches(matcher: Matcher, text: string, evaluation: Evaluation): boolean {
  return (
    evaluation.pay(matcher.steps(text.length)) && evaluation.counts((budget) => matcher.test(text, budget))
  );
}

/** As `matches`, for a member's name; one that is too long for the pattern ends the check. */
export function matchesName(matcher: Matcher, name: string, evaluation: Evaluation): boolean {
  if (matcher.isLinear || name.length <= MAX_MATCHED_NAME_CHARACTERS)
    return matches(matcher, name, evaluation);
  return evaluation.abandon({
    expected: `member names of at most ${MAX_MATCHED_NAME_CHARACTERS} characters`,
    got: `one of ${name.length} characters`,
  });
}
