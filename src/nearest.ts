/** The number of single-character insertions, deletions and substitutions between two texts (Levenshtein). */
export function editDistance(left: string, right: string): number {
  const to = [...right];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  [...left].forEach((character, index) => {
    const next = [index + 1];
    to.forEach((other, column) => {
      const substitution = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(substitution, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    });
    row = next;
  });
  return row[to.length] ?? 0;
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
  const length = [...name].length;
  // The distance is at least the difference in length, which is cheap to know.
  const similar = [...candidates].filter((other) => Math.abs([...other].length - length) <= MOST_EDITS);
  const [best] = nearestFirst(name, similar);
  if (best === undefined || best === name) return null;
  return editDistance(name, best) <= Math.min(MOST_EDITS, length / 2) ? best : null;
}
