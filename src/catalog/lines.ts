import type { IndexEntry } from "../ir.ts";
import type { ListedSkill } from "./catalog.ts";
import { compareText } from "./order.ts";

/** The lines of all skills that there are for a tenant. */
export interface Lines {
  /** In the order in which they have a function that several claim. */
  all: readonly ListedSkill[];
  /** Those that claim a function, in that order. */
  byFunction: ReadonlyMap<string, readonly ListedSkill[]>;
}

/** By the tenant's index, and by that of the bundle, of which a program has one. */
const linesByIndex = new WeakMap<readonly IndexEntry[], { bundled: readonly IndexEntry[]; lines: Lines }>();

/** Stands for the index of every tenant without skills of its own. */
const NO_SKILLS: readonly IndexEntry[] = [];

/** The lines of bundled skills and a tenant's own, made once for each reading of its index. */
export function linesOf(bundled: readonly IndexEntry[], users: readonly IndexEntry[]): Lines {
  const index = users.length === 0 ? NO_SKILLS : users;
  const known = linesByIndex.get(index);
  if (known?.bundled === bundled) return known.lines;
  const lines = makeLines(bundled, index);
  linesByIndex.set(index, { bundled, lines });
  return lines;
}

/** The tenant's own come first, then bundled ones, each by name. */
function makeLines(bundled: readonly IndexEntry[], users: readonly IndexEntry[]): Lines {
  const own = new Set(users.map(({ name }) => name));
  const bundledNames = new Set(bundled.map(({ name }) => name));
  const byName = (left: IndexEntry, right: IndexEntry): number => compareText(left.name, right.name);
  const all: ListedSkill[] = [
    ...users
      .toSorted(byName)
      .map((entry) => ({ ...entry, source: "user" as const, overrides: bundledNames.has(entry.name) })),
    ...bundled
      .filter(({ name }) => !own.has(name))
      .toSorted(byName)
      .map((entry) => ({ ...entry, source: "bundled" as const, overrides: false })),
  ];
  const claims = all.flatMap((line) =>
    [...new Set(line.functions.map(({ name }) => name))].map((name) => ({ name, line })),
  );
  const byFunction = new Map(
    [...Map.groupBy(claims, ({ name }) => name)].map(([name, claimed]) => [
      name,
      claimed.map(({ line }) => line),
    ]),
  );
  return { all, byFunction };
}
