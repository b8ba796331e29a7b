import { MAX_SIMILAR_NAME_UNITS, MAX_SIMILAR_NAMES } from "./limits.ts";

/** The number of single-character insertions, deletions and substitutions between two texts (Levenshtein). */
export function editDistance(left: string, right: string): number {
  return distanceUpTo(Number.POSITIVE_INFINITY, left, right);
}

/**
 * The edit distance of two texts where it is at most `most`, otherwise infinity. What is further than `most` from the
 * diagonal of the table of all their beginnings cannot be part of a short way, and is not looked at.
 */
function distanceUpTo(most: number, left: string, right: string): number {
  const to = [...right];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  let index = 0;
  for (const character of left) {
    index++;
    const next = new Array<number>(to.length + 1).fill(Number.POSITIVE_INFINITY);
    next[0] = index;
    for (let at = Math.max(1, index - most); at <= Math.min(to.length, index + most); at++) {
      const substitution = (row[at - 1] ?? 0) + (character === to[at - 1] ? 0 : 1);
      next[at] = Math.min(substitution, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1);
    }
    row = next;
  }
  const distance = row[to.length] ?? 0;
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** The candidates, most similar to a name first; equally similar ones in alphabetical order. */
export function nearestFirst(name: string, candidates: Iterable<string>): string[] {
  const distances = new Map([...candidates].map((candidate) => [candidate, editDistance(name, candidate)]));
  return [...distances]
    .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
    .map(([candidate]) => candidate);
}

const MOST_EDITS = 2;

/** The candidate that a name was probably meant to be: at most two edits away, and fewer than half its letters. */
export function probablyMeant(name: string, candidates: Iterable<string>): string | null {
  const most = Math.min(MOST_EDITS, Math.floor([...name].length / 2));
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of similarInLength(name, candidates)) {
    const distance = distanceUpTo(best?.distance ?? most, name, candidate);
    if (distance > most) continue;
    if (best === null || distance < best.distance || candidate < best.candidate)
      best = { candidate, distance };
  }
  return best === null || best.distance === 0 ? null : best.candidate;
}

/**
 * The first so many candidates whose lengths let them be MOST_EDITS away: the distance is at least the difference in
 * length, which is cheap to know. A character is one or two UTF-16 units.
 */
function* similarInLength(name: string, candidates: Iterable<string>): Generator<string> {
  if (name.length > MAX_SIMILAR_NAME_UNITS) return;
  let left = MAX_SIMILAR_NAMES;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > 2 * MOST_EDITS) continue;
    if (left-- === 0) return;
    yield candidate;
  }
}

/** What a name was meant to be. */
export interface Meant {
  name: string;
  /** Whether there is nothing else that it can have been meant to be (see `plainlyMeant`). */
  isPlain: boolean;
}

/** The candidate that a name is plainly a slip of, or else the one that it was probably meant to be. */
export function whatWasMeant(name: string, candidates: Iterable<string>): Meant | null {
  const known = [...candidates];
  const plain = plainlyMeant(name, known);
  const likely = plain ?? probablyMeant(name, known);
  return likely === null ? null : { name: likely, isPlain: plain !== null };
}

/**
 * The one candidate that a name is plainly a slip of: it differs in letter case and separators alone
 * (`baseUrl` for `base_url`), or by one character that is wrong, missing, too many or swapped with the next.
 * Null where none is, or several are.
 */
function plainlyMeant(name: string, candidates: Iterable<string>): string | null {
  const others = [...candidates].filter((candidate) => candidate !== name);
  const bare = letters(name);
  const sameLetters = others.filter((candidate) => letters(candidate) === bare);
  const slips = sameLetters.length > 0 ? sameLetters : others.filter((candidate) => isSlip(name, candidate));
  const [meant, another] = slips;
  return meant === undefined || another !== undefined ? null : meant;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Too short a name is one slip away from too many others. */
const MIN_SLIP_LENGTH = 3;

function isSlip(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 2) return false;
  const written = [...name];
  const meant = [...other];
  if (Math.min(written.length, meant.length) < MIN_SLIP_LENGTH) return false;
  const at = written.findIndex((character, index) => character !== meant[index]);
  const from = at === -1 ? written.length : at;
  const rest = (characters: string[], skipped: number): string => characters.slice(from + skipped).join("");
  const isSwapped = written[from] === meant[from + 1] && written[from + 1] === meant[from];
  return (
    rest(written, 1) === rest(meant, 1) ||
    rest(written, 1) === rest(meant, 0) ||
    rest(written, 0) === rest(meant, 1) ||
    (isSwapped && rest(written, 2) === rest(meant, 2))
  );
}
