import { PatternError, type PatternNode, parsePattern } from "./pattern-syntax.ts";

/** What an unbounded repetition counts as: too much for two of them, whatever stands between. */
const UNBOUNDED = 1_000;
const MAX_WAYS = 100 * UNBOUNDED;

/**
 * Whether a backtracking engine also takes time linear in the text: where one repetition, or the search for a
 * place to begin, is all that it can try again. For the rare pattern that only `RegExp` can be given.
 * @param source a pattern of ECMA-262 in Unicode mode
 */
export function backtracksLittle(source: string): boolean {
  try {
    const node = parsePattern(source, "ecmascript");
    const isAnchored = source.startsWith("^") && node.kind !== "choice";
    return waysOf(node) * (isAnchored ? 1 : UNBOUNDED) <= MAX_WAYS;
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
      const ways = waysOf(node.item);
      if (node.most !== Number.POSITIVE_INFINITY) return ways ** node.most * (node.most - node.least + 1);
      return ways === 1 ? UNBOUNDED : Number.POSITIVE_INFINITY;
    }
    default:
      return 1;
  }
}
