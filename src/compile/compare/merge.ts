import { diffArrays } from "diff";
import { MAX_DIFFERING_LINES } from "../../limits.ts";

/** Lines of a document, from one on: `first` is their number, counted from 1. */
export interface Lines {
  first: number;
  lines: readonly string[];
}

/** A place that both sides changed, each in its own way. */
export interface Conflict {
  base: Lines;
  ours: Lines;
  theirs: Lines;
}

/** The text with both sides' changes in it, or the places where there is none. */
export type Merge = { ok: true; text: string } | { ok: false; conflicts: Conflict[] };

/**
 * Brings together what two sides made of a text, line by line (diff3: Khanna, Kunal and Pierce, "A Formal Investigation
 * of Diff3", 2007): what only one side changed is taken over, what both changed alike is taken once. Null where a side
 * is so different that no comparison ends.
 */
export function mergeTexts(base: string, ours: string, theirs: string): Merge | null {
  const [common, left, right] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  const [ourMatches, theirMatches] = [matchesOf(common, left), matchesOf(common, right)];
  if (ourMatches === null || theirMatches === null) return null;
  const merged: string[] = [];
  const conflicts: Conflict[] = [];
  for (const { base: from, ours: mine, theirs: other } of chunksOf(
    [common, left, right],
    ourMatches,
    theirMatches,
  )) {
    const lines = settled(from.lines, mine.lines, other.lines);
    if (lines === null) conflicts.push({ base: from, ours: mine, theirs: other });
    else merged.push(...lines);
  }
  return conflicts.length === 0 ? { ok: true, text: merged.join("") } : { ok: false, conflicts };
}

/** Each line with what ends it, so that the lines together are the text. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** For each line of a text that another one has too, in order, where that has it; null where that takes too long. */
function matchesOf(base: readonly string[], other: readonly string[]): Map<number, number> | null {
  const changes = diffArrays([...base], [...other], { maxEditLength: MAX_DIFFERING_LINES });
  if (changes === undefined) return null;
  const matches = new Map<number, number>();
  let [at, there] = [0, 0];
  for (const { added, removed, count } of changes) {
    if (!added && !removed)
      for (let index = 0; index < count; index++) matches.set(at + index, there + index);
    if (!added) at += count;
    if (!removed) there += count;
  }
  return matches;
}

/** A run of lines of the base with what stands in its place on each side. */
type Chunk = Conflict;

/**
 * Cuts three texts along the lines that all of them have: what lies between two such lines belongs together, on each
 * side.
 */
function* chunksOf(
  [base, ours, theirs]: readonly [string[], string[], string[]],
  ourMatches: ReadonlyMap<number, number>,
  theirMatches: ReadonlyMap<number, number>,
): Generator<Chunk> {
  let [from, mine, other] = [0, 0, 0];
  for (let line = 0; line <= base.length; line++) {
    const isEnd = line === base.length;
    const here = isEnd ? ours.length : ourMatches.get(line);
    const there = isEnd ? theirs.length : theirMatches.get(line);
    if (here === undefined || there === undefined) continue;
    yield {
      base: slice(base, from, line),
      ours: slice(ours, mine, here),
      theirs: slice(theirs, other, there),
    };
    if (!isEnd)
      yield {
        base: slice(base, line, line + 1),
        ours: slice(ours, here, here + 1),
        theirs: slice(theirs, there, there + 1),
      };
    [from, mine, other] = [line + 1, here + 1, there + 1];
  }
}

function slice(lines: readonly string[], from: number, to: number): Lines {
  return { first: from + 1, lines: lines.slice(from, to) };
}

/** What a run of lines becomes, null where the sides disagree. */
function settled(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | null {
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
  return isSame(ours, base) ? theirs : null;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}
