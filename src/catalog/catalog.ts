import { sha256Hex } from "../digest.ts";
import { failed, type Result, success } from "../errors.ts";
import type { FunctionDefinition, IndexEntry, SearchableEntry, SkillRecord } from "../ir.ts";
import { nearestFirst } from "../nearest.ts";
import type { BundledSkills } from "./bundle.ts";
import { type Lines, linesOf } from "./lines.ts";
import { compareEntries, compareText } from "./order.ts";
import { readingOf } from "./readings.ts";
import { indexEntryOf } from "./record.ts";
import {
  hidesAny,
  permissionRefusal,
  showsFunction,
  showsSkill,
  type View,
  WHOLE_VIEW,
  wholeSkillRefusal,
} from "./view.ts";

/** The skills that a tenant put itself; they stand before bundled ones of the same name. */
export interface UserSkills {
  index(): Promise<Result<readonly SearchableEntry[]>>;
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
  /** The names of those that the caller may not use. */
  hidden: ReadonlySet<string>;
}

/** How a set of records is named. */
export interface Naming {
  /** As `Catalog.hash` gives it. */
  hash: string;
  /** As `Catalog.reading` gives it. */
  reading: string;
  /** Whether the records are the very ones of the index: they are read apart from it, and either may be the newer one. */
  isExact: boolean;
}

/** A function with the skill that has it. */
export interface FoundFunction extends FoundSkill {
  definition: FunctionDefinition;
}

/**
 * What one caller sees: the bundled skills, overlaid by the tenant's own, as far as its view shows them. Who has a name
 * is decided before anything is hidden, so that a name means the same to all callers of a tenant.
 */
export class Catalog {
  readonly #bundled: BundledSkills;
  readonly #users: UserSkills;
  readonly #view: View;

  constructor(bundled: BundledSkills, users: UserSkills, view: View) {
    this.#bundled = bundled;
    this.#users = users;
    this.#view = view;
  }

  /** The same skills with nothing hidden: what names are taken, whoever may use what has them. */
  whole(): Catalog {
    return new Catalog(this.#bundled, this.#users, WHOLE_VIEW);
  }

  /**
   * Whether the caller may put, change or remove a skill of this name. FORBIDDEN where its view does not admit the
   * name, and where the skill that has it now asks for a permission that the caller lacks: to replace that one would be
   * to take the permission from it.
   */
  async checkWritable(name: string): Promise<Result<null>> {
    if (!this.#view.admits(name)) {
      const message = `The key is for other skills, so it may not write ${name}.`;
      return failed({ code: "FORBIDDEN", message });
    }
    const found = await this.#record(name);
    if (!found.ok) return found;
    const refusal = found.value === null ? null : wholeSkillRefusal(this.#view, found.value.record.skill);
    return refusal === null ? success(null) : failed(refusal);
  }

  /**
   * Every visible skill, by category in the declared order and then by name. Each function stands with the one
   * skill that has it.
   */
  async list(): Promise<Result<ListedSkill[]>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    const owned = ownFunctions(lines.value.all.map((line) => ({ line, functions: line.functions })));
    return success(
      owned
        .filter(({ line }) => showsSkill(this.#view, line))
        .map(({ line, functions }) => ({ ...line, functions: this.#shown(functions) }))
        .sort(compareEntries),
    );
  }

  #shown<Asking extends { permission: string | null }>(functions: readonly Asking[]): Asking[] {
    return functions.filter((definition) => showsFunction(this.#view, definition));
  }

  async #lines(): Promise<Result<Lines>> {
    const users = await this.#users.index();
    return users.ok ? success(linesOf(this.#bundled.bundle.index, users.value)) : users;
  }

  /** The lines of the tenant's own skills, with what a search finds them by, and the hash of all that there then is. */
  async ownEntries(): Promise<Result<{ hash: string; entries: readonly SearchableEntry[] }>> {
    const users = await this.#users.index();
    if (!users.ok) return users;
    return success({ hash: await this.#hashWith(users.value), entries: users.value });
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
    const view = this.#hidesAny(users) ? [this.#view.name] : [];
    if (users.length === 0 && view.length === 0) return hash;
    const own = users.map(({ name, digest }) => [name, digest] as const);
    own.sort(([left], [right]) => compareText(left, right));
    return sha256Hex(JSON.stringify([hash, own, ...view]));
  }

  #hidesAny(users: readonly IndexEntry[]): boolean {
    return hidesAny(this.#view, users) || hidesAny(this.#view, this.#bundled.bundle.index);
  }

  /**
   * Names the index as it was read, and how much of it shows: while that is the same, so are the caller's skills.
   * BUNDLED_ONLY for all the bundled skills and no others.
   */
  async reading(): Promise<Result<string>> {
    const users = await this.#users.index();
    return users.ok ? success(this.#readingOf(users.value)) : users;
  }

  #readingOf(users: readonly IndexEntry[]): string {
    const reading = readingOf(users);
    return this.#hidesAny(users) ? `${reading} ${this.#view.name}` : reading;
  }

  /** What there is to say of records that were read beside the index. */
  async naming(records: readonly FoundSkill[]): Promise<Result<Naming>> {
    const users = await this.#users.index();
    if (!users.ok) return users;
    const own = records.filter(({ source }) => source === "user");
    const digests = new Map(own.map(({ record }) => [record.skill.name, record.digest]));
    const shown = users.value.filter((entry) => showsSkill(this.#view, entry));
    const isExact =
      own.length === shown.length && shown.every(({ name, digest }) => digests.get(name) === digest);
    const reading = this.#readingOf(users.value);
    return success({ hash: await this.#hashWith(users.value), reading, isExact });
  }

  /**
   * A skill by name. Fails with UNKNOWN_SKILL and the names there are, nearest first, and with FORBIDDEN where it asks for
   * a permission that the caller lacks.
   */
  async skill(name: string): Promise<Result<FoundSkill>> {
    const found = this.#view.admits(name) ? await this.#record(name) : success(null);
    if (!found.ok) return found;
    if (found.value !== null) {
      const refusal = permissionRefusal(this.#view, found.value.record.skill);
      return refusal === null ? success(found.value) : failed(refusal);
    }
    const listed = await this.list();
    if (!listed.ok) return listed;
    return failed({ code: "UNKNOWN_SKILL", skill: name, known: others(name, listed.value) });
  }

  /** A skill by name with its source, which tells of all its functions, so that it is for those who may use them all. */
  async wholeSkill(name: string): Promise<Result<FoundSkill>> {
    const found = await this.skill(name);
    if (!found.ok) return found;
    const refusal = wholeSkillRefusal(this.#view, found.value.record.skill);
    return refusal === null ? found : failed(refusal);
  }

  async #record(name: string): Promise<Result<FoundSkill | null>> {
    const own = await this.#users.record(name);
    if (!own.ok) return own;
    if (own.value !== null) return success({ record: own.value, source: "user" });
    const record = this.#bundled.record(name);
    return success(record === null ? null : { record, source: "bundled" });
  }

  /**
   * A function by name. Fails with UNKNOWN_FUNCTION and the names there are, nearest first, and with FORBIDDEN where it
   * or its skill asks for a permission that the caller lacks.
   */
  async function(name: string): Promise<Result<FoundFunction>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    for (const line of lines.value.byFunction.get(name) ?? []) {
      const found = await this.#listed(line);
      if (!found.ok) return found;
      const definition = found.value?.record.skill.functions.find((candidate) => candidate.name === name);
      // A line may be older than what it speaks of; the next one that claims the function then has it.
      if (found.value === null || definition === undefined) continue;
      const { skill } = found.value.record;
      if (!this.#view.admits(skill.name)) break;
      const refusal = permissionRefusal(this.#view, skill) ?? permissionRefusal(this.#view, definition);
      return refusal === null ? success({ ...found.value, definition }) : failed(refusal);
    }
    const functions = lines.value.all
      .filter((line) => showsSkill(this.#view, line))
      .flatMap((line) => this.#shown(line.functions));
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
      functions: new Set(this.#shown(functions).map(({ name }) => name)),
      hidden: this.#hiddenOf(record),
    }));
    const shown = owned.filter(({ record }) => showsSkill(this.#view, record.skill));
    return success(
      shown.sort((left, right) => compareEntries(indexEntryOf(left.record), indexEntryOf(right.record))),
    );
  }

  #hiddenOf({ skill }: SkillRecord): ReadonlySet<string> {
    const hidden = skill.functions.filter((definition) => !showsFunction(this.#view, definition));
    return hidden.length === 0 ? NOTHING : new Set(hidden.map(({ name }) => name));
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

const NOTHING: ReadonlySet<string> = new Set();

/** The names there are besides one that an index still holds although nothing is behind it, nearest first. */
function others(name: string, entries: readonly { name: string }[]): string[] {
  const names = entries.map((entry) => entry.name).filter((other) => other !== name);
  return nearestFirst(name, names);
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
