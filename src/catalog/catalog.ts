import { sha256Hex } from "../digest.ts";
import { failed, type Result, success } from "../errors.ts";
import type { FunctionDefinition, IndexEntry, SkillRecord } from "../ir.ts";
import { nearestFirst } from "../nearest.ts";
import { categoryNames } from "../vocabulary.ts";
import type { BundledSkills } from "./bundle.ts";
import { indexEntryOf } from "./record.ts";

/** The skills that a tenant put itself; they stand before bundled ones of the same name. */
export interface UserSkills {
  index(): Promise<Result<readonly IndexEntry[]>>;
  /** A skill by name, also one that the index does not have yet; null where there is none. */
  record(name: string): Promise<Result<SkillRecord | null>>;
}

/** Where a skill is from: this program itself, or the tenant. */
export type SkillSource = "bundled" | "user";

/** A line of the index as one caller sees it. */
export interface ListedSkill extends IndexEntry {
  source: SkillSource;
  /** Whether a user skill hides a bundled one. */
  overrides: boolean;
}

/** A skill as it was found. */
export interface FoundSkill {
  record: SkillRecord;
  source: SkillSource;
}

/** A record with the names of the functions that are its to serve: another skill may have some of them. */
export interface ListedRecord extends FoundSkill {
  functions: ReadonlySet<string>;
}

/** How a set of records is named. */
export interface Naming {
  /** As `Catalog.hash` gives it. */
  hash: string;
  /** As `Catalog.reading` gives it. */
  reading: number;
  /** Whether the records are the very ones of the index: they are read apart from it, and either may be the newer one. */
  isExact: boolean;
}

/** A function with the skill that has it. */
export interface FoundFunction extends FoundSkill {
  definition: FunctionDefinition;
}

/** What one caller sees: the bundled skills, overlaid by the tenant's own. */
export class Catalog {
  readonly #bundled: BundledSkills;
  readonly #users: UserSkills;

  constructor(bundled: BundledSkills, users: UserSkills) {
    this.#bundled = bundled;
    this.#users = users;
  }

  /**
   * Every visible skill, by category in the declared order and then by name. Each function stands with the one
   * skill that has it.
   */
  async list(): Promise<Result<ListedSkill[]>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    const owned = ownFunctions(lines.value.all.map((line) => ({ line, functions: line.functions })));
    return success(owned.map(({ line, functions }) => ({ ...line, functions })).sort(compareEntries));
  }

  async #lines(): Promise<Result<Lines>> {
    const users = await this.#users.index();
    return users.ok ? success(linesOf(this.#bundled.bundle.index, users.value)) : users;
  }

  /**
   * Names what the caller sees, the same for the same: the hash of the bundle, or where there are skills of
   * the tenant's own, one of that and of theirs.
   */
  async hash(): Promise<Result<string>> {
    const users = await this.#users.index();
    return users.ok ? success(await this.#hashWith(users.value)) : users;
  }

  async #hashWith(users: readonly IndexEntry[]): Promise<string> {
    const { hash } = this.#bundled.bundle;
    if (users.length === 0) return hash;
    const own = users.map(({ name, digest }) => [name, digest] as const);
    own.sort(([left], [right]) => compareText(left, right));
    return sha256Hex(JSON.stringify([hash, own]));
  }

  /** Numbers the index as it was read: while it is the same, so are the caller's skills. BUNDLED_ONLY without any. */
  async reading(): Promise<Result<number>> {
    const users = await this.#users.index();
    return users.ok ? success(readingOf(users.value)) : users;
  }

  /** What there is to say of records that were read beside the index. */
  async naming(records: readonly FoundSkill[]): Promise<Result<Naming>> {
    const users = await this.#users.index();
    if (!users.ok) return users;
    const own = records.filter(({ source }) => source === "user");
    const digests = new Map(own.map(({ record }) => [record.skill.name, record.digest]));
    const isExact =
      own.length === users.value.length &&
      users.value.every(({ name, digest }) => digests.get(name) === digest);
    const reading = readingOf(users.value);
    return success({ hash: await this.#hashWith(users.value), reading, isExact });
  }

  /** A skill by name. Fails with UNKNOWN_SKILL and the names there are, nearest first. */
  async skill(name: string): Promise<Result<FoundSkill>> {
    const own = await this.#users.record(name);
    if (!own.ok) return own;
    if (own.value !== null) return success({ record: own.value, source: "user" });
    const record = this.#bundled.record(name);
    if (record !== null) return success({ record, source: "bundled" });
    const listed = await this.list();
    if (!listed.ok) return listed;
    return failed({ code: "UNKNOWN_SKILL", skill: name, known: others(name, listed.value) });
  }

  /** A function by name. Fails with UNKNOWN_FUNCTION and the names there are, nearest first. */
  async function(name: string): Promise<Result<FoundFunction>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    for (const line of lines.value.byFunction.get(name) ?? []) {
      const found = await this.#listed(line);
      if (!found.ok) return found;
      const definition = found.value?.record.skill.functions.find((candidate) => candidate.name === name);
      // A line may be older than what it speaks of; the next one that claims the function then has it.
      if (found.value !== null && definition !== undefined) return success({ ...found.value, definition });
    }
    const functions = lines.value.all.flatMap((line) => line.functions);
    return failed({ code: "UNKNOWN_FUNCTION", function: name, known: others(name, functions) });
  }

  /** The records of all visible skills, in the order of the index. */
  async records(): Promise<Result<ListedRecord[]>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    const results = await Promise.all(lines.value.all.map((line) => this.#listed(line)));
    const found: (FoundSkill & { functions: IndexEntry["functions"] })[] = [];
    for (const result of results) {
      if (!result.ok) return result;
      if (result.value !== null)
        found.push({ ...result.value, functions: indexEntryOf(result.value.record).functions });
    }
    const owned = ownFunctions(found).map(({ record, source, functions }) => ({
      record,
      source,
      functions: new Set(functions.map(({ name }) => name)),
    }));
    return success(
      owned.sort((left, right) => compareEntries(indexEntryOf(left.record), indexEntryOf(right.record))),
    );
  }

  /**
   * The record of a line of the index, or null where it is gone since. Only a line of the tenant's own costs
   * a read of the store.
   */
  async #listed({ name, source }: ListedSkill): Promise<Result<FoundSkill | null>> {
    const own = source === "user" ? await this.#users.record(name) : success(null);
    if (!own.ok) return own;
    if (own.value !== null) return success({ record: own.value, source: "user" });
    const record = this.#bundled.record(name);
    return success(record === null ? null : { record, source: "bundled" });
  }
}

/** The lines of all visible skills. */
interface Lines {
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
function linesOf(bundled: readonly IndexEntry[], users: readonly IndexEntry[]): Lines {
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

/** The reading of a caller without skills of its own. */
export const BUNDLED_ONLY = 0;

let lastReading = BUNDLED_ONLY;
const readings = new WeakMap<readonly IndexEntry[], number>();

function readingOf(users: readonly IndexEntry[]): number {
  if (users.length === 0) return BUNDLED_ONLY;
  let reading = readings.get(users);
  if (reading === undefined) {
    lastReading += 1;
    reading = lastReading;
    readings.set(users, reading);
  }
  return reading;
}

/** The names there are besides one that an index still holds although nothing is behind it, nearest first. */
function others(name: string, entries: readonly { name: string }[]): string[] {
  const names = entries.map((entry) => entry.name).filter((other) => other !== name);
  return nearestFirst(name, names);
}

/** The category that a skill is shown under; one without is among the others. */
export function categoryOf({ category }: { category: string | null }): string {
  return category ?? "other";
}

/**
 * Leaves each function with the first that has it: two uploads at once, or a bundled skill that shows again, may
 * leave two that claim one.
 */
function ownFunctions<Claimant extends { functions: IndexEntry["functions"] }>(
  claimants: readonly Claimant[],
): Claimant[] {
  const taken = new Set<string>();
  return claimants.map((claimant) => {
    const functions = claimant.functions.filter(({ name }) => !taken.has(name));
    for (const { name } of functions) taken.add(name);
    return { ...claimant, functions };
  });
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

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
