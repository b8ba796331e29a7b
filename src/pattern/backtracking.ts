import { PatternError, type PatternNode, parsePattern } from "./pattern-syntax.ts";

/** What a repetition of any kind counts as, and the search for a place to begin: too much for two of them. */
const REPETITION = 1_000;
/** A step of `RegExp` takes a tenth of one of the linear engine, in whose steps its patterns are charged. */
const MAX_WAYS = 10 * REPETITION;

/**
 * Whether a backtracking engine also takes time linear in the text: where one repetition, or the search for a
 * place to begin, is all that it can try again. For the rare pattern that only `RegExp` can be given.
 * @param source a pattern of ECMA-262 in Unicode mode
 */
export function backtracksLittle(source: string): boolean {
  try {
    const node = parsePattern(source, "ecmascript");
    const isAnchored = source.startsWith("^") && node.kind !== "choice";
    return waysOf(node) * (isAnchored ? 1 : REPETITION) <= MAX_WAYS;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return false;
  }
}

/** How many ways there are at most to go through a part of a pattern. */
function waysOf(node: PatternNode): number {
  switch (node.kind) {
    case "sequence":
      return node.items.reduce((ways, item) => ways * waysOf(item), 1);
    case "choice":
      return node.options.reduce((ways, option) => ways + waysOf(option), 0);
    case "repeat": {
      // One character, so many times: there is nothing to try again.
      if (node.item.kind === "read" && node.least === node.most) return 1;
      return waysOf(node.item) === 1 ? REPETITION : Number.POSITIVE_INFINITY;
    }
    default:
      return 1;
  }
}
