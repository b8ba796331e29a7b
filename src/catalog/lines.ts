import type { IndexEntry } from "../ir.ts";
import { compareEntries, compareText } from "./order.ts";
import { isStale, mayOverride, overlaidEntry } from "./overlay.ts";

/** Where a skill is from: this program itself, or the tenant. */
export type SkillSource = "bundled" | "user";

/** A line of the index as one caller sees it. */
export interface ListedSkill extends IndexEntry {
  source: SkillSource;
  /** Whether a user skill hides a bundled one. */
  overrides: boolean;
  /** Whether the bundled one has changed since the user skill was made from it. */
  stale: boolean;
}

/** The lines of all skills that there are for a tenant, put together once. */
export class Lines {
  /** In the order in which they have a function that several claim: the tenant's own first, then bundled ones, each by name. */
  readonly all: readonly ListedSkill[];
  #list: readonly ListedSkill[] | null = null;
  #claimants: ReadonlyMap<string, readonly ListedSkill[]> | null = null;

  constructor(bundled: readonly IndexEntry[], users: readonly IndexEntry[]) {
    const byNames = new Map(bundled.map((entry) => [entry.name, entry]));
    const own = users.filter(({ name }) => mayOverride(byNames.get(name) ?? null));
    const replaced = new Set(own.map(({ name }) => name));
    this.all = [
      ...own.toSorted(byName).map((entry) => userLine(entry, byNames.get(entry.name) ?? null)),
      ...bundled
        .filter(({ name }) => !replaced.has(name))
        .toSorted(byName)
        .map((entry) => ({ ...entry, source: "bundled" as const, overrides: false, stale: false })),
    ];
  }

  /** The lines in the order of an index, each function with the one skill that has it. */
  list(): readonly ListedSkill[] {
    this.#list ??= ownFunctions(this.all).sort(compareEntries);
    return this.#list;
  }

  /** The lines that claim a function, the one that has it first. */
  claimants(name: string): readonly ListedSkill[] {
    this.#claimants ??= claimantsOf(this.all);
    return this.#claimants.get(name) ?? [];
  }
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
  const lines = new Lines(bundled, index);
  linesByIndex.set(index, { bundled, lines });
  return lines;
}

function userLine(own: IndexEntry, bundled: IndexEntry | null): ListedSkill {
  const stale = isStale(own.base, bundled);
  return { ...overlaidEntry(own, bundled), source: "user", overrides: bundled !== null, stale };
}

function byName(left: IndexEntry, right: IndexEntry): number {
  return compareText(left.name, right.name);
}

function claimantsOf(lines: readonly ListedSkill[]): Map<string, ListedSkill[]> {
  const claims = lines.flatMap((line) =>
    [...new Set(line.functions.map(({ name }) => name))].map((name) => ({ name, line })),
  );
  return new Map(
    [...Map.groupBy(claims, ({ name }) => name)].map(([name, claimed]) => [
      name,
      claimed.map(({ line }) => line),
    ]),
  );
}

/**
 * Leaves each function with the first that has it: two uploads at once, or a bundled skill that shows again, may
 * leave two that claim one.
 */
export function ownFunctions<Claimant extends { functions: IndexEntry["functions"] }>(
  claimants: readonly Claimant[],
): Claimant[] {
  const taken = new Set<string>();
  return claimants.map((claimant) => {
    const functions = claimant.functions.filter(({ name }) => !taken.has(name));
    for (const { name } of functions) taken.add(name);
    return { ...claimant, functions };
  });
}
