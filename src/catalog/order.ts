import type { IndexEntry } from "../ir.ts";
import { categoryNames } from "../vocabulary.ts";

/** The category that a skill is shown under; one without is among the others. */
export function categoryOf({ category }: { category: string | null }): string {
  return category ?? "other";
}

/** The order of an index: known categories as declared, other ones after them, then names by code unit. */
export function compareEntries(left: IndexEntry, right: IndexEntry): number {
  const rank = (entry: IndexEntry): number => {
    const known = categoryNames.indexOf(categoryOf(entry));
    return known === -1 ? categoryNames.length : known;
  };
  return (
    rank(left) - rank(right) ||
    compareText(categoryOf(left), categoryOf(right)) ||
    compareText(left.name, right.name)
  );
}

/** The order of texts by code unit. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
