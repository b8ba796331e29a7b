import { sha256Hex } from "../digest.ts";
import { failed, type Result, success } from "../errors.ts";
import type { FunctionDefinition, IndexEntry, SearchableEntry, SkillRecord } from "../ir.ts";
import { MAX_UNLISTED_SKILLS } from "../limits.ts";
import { nearestFirst } from "../nearest.ts";
import type { BundledSkills } from "./bundle.ts";
import { type Lines, type ListedSkill, linesOf, ownFunctions, type SkillSource } from "./lines.ts";
import { compareEntries } from "./order.ts";
import { isStale, mayOverride, type OwnSkill, overlaidRecord } from "./overlay.ts";
import { hashOfAll, readingOf } from "./readings.ts";
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
  skill(name: string): Promise<Result<OwnSkill | null>>;
  /** Skills by name, as the index has them; null where one is gone since. */
  skills(names: readonly string[]): Promise<Result<ReadonlyMap<string, OwnSkill | null>>>;
}

/** A skill as it was found. */
export interface FoundSkill {
  record: SkillRecord;
  source: SkillSource;
  /** What the tenant stored, where it is the tenant's own. */
  own: OwnSkill | null;
  /** Whether the bundled skill of that name has changed since the tenant's own was made from it. */
  stale: boolean;
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
  async list(): Promise<Result<readonly ListedSkill[]>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    const list = lines.value.list();
    if (this.#view.name === "") return success(list);
    return success(
      list
        .filter((line) => showsSkill(this.#view, line))
        .map((line) => ({ ...line, functions: this.#shown(line.functions) })),
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
    const { all } = linesOf(this.#bundled.bundle.index, users.value);
    const served = new Set(all.filter(({ source }) => source === "user").map(({ name }) => name));
    const entries = users.value.filter(({ name }) => served.has(name));
    return success({ hash: await this.#hashWith(users.value), entries });
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
    const hash = await hashOfAll(this.#bundled.bundle.hash, users);
    return this.#hidesAny(users) ? sha256Hex(JSON.stringify([hash, this.#view.name])) : hash;
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
    const { all } = linesOf(this.#bundled.bundle.index, users.value);
    const shown = all.filter((line) => line.source === "user" && showsSkill(this.#view, line));
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
    const own = await this.#users.skill(name);
    return own.ok ? success(this.#found(name, own.value)) : own;
  }

  /** What stands under a name, where the tenant has this own skill or none; null where nothing does. */
  #found(name: string, own: OwnSkill | null): FoundSkill | null {
    const bundled = this.#bundled.record(name);
    if (own !== null && mayOverride(bundled?.skill ?? null)) {
      const record = overlaidRecord(own.record, bundled);
      return { record, source: "user", own, stale: isStale(own.base, bundled) };
    }
    return bundled === null ? null : { record: bundled, source: "bundled", own: null, stale: false };
  }

  /**
   * A function by name. Fails with UNKNOWN_FUNCTION and the names there are, nearest first, and with FORBIDDEN where it
   * or its skill asks for a permission that the caller lacks.
   */
  async function(name: string): Promise<Result<FoundFunction>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    for (const line of lines.value.claimants(name)) {
      const listed = await this.#listed([line]);
      if (!listed.ok) return listed;
      const [found] = listed.value;
      const definition = found?.record.skill.functions.find((candidate) => candidate.name === name);
      // A line may be older than what it speaks of; the next one that claims the function then has it.
      if (found === undefined || definition === undefined) continue;
      const { skill } = found.record;
      if (!this.#view.admits(skill.name)) break;
      const refusal = permissionRefusal(this.#view, skill) ?? permissionRefusal(this.#view, definition);
      return refusal === null ? success({ ...found, definition }) : failed(refusal);
    }
    const functions = lines.value.all
      .filter((line) => showsSkill(this.#view, line))
      .flatMap((line) => this.#shown(line.functions));
    return failed({ code: "UNKNOWN_FUNCTION", function: name, known: others(name, functions) });
  }

  /**
   * The records of all visible skills, in the order of the index.
   * @param named skills that are wanted by name, and found also where the index does not have them yet
   */
  async records(named: Iterable<string> = []): Promise<Result<ListedRecord[]>> {
    const lines = await this.#lines();
    if (!lines.ok) return lines;
    const { all } = lines.value;
    const listed = await this.#listed(all);
    if (!listed.ok) return listed;
    const names = new Set(all.map(({ name }) => name));
    const unlisted = await this.#unlisted([...named].filter((name) => !names.has(name)));
    if (!unlisted.ok) return unlisted;
    const found = [...listed.value, ...unlisted.value].map((skill) => ({
      ...skill,
      functions: indexEntryOf(skill.record).functions,
    }));
    const owned = ownFunctions(found).map(({ functions, ...skill }) => ({
      ...skill,
      functions: new Set(this.#shown(functions).map(({ name }) => name)),
      hidden: this.#hiddenOf(skill.record),
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
   * The skills of lines of the index, without those that are gone since. Only lines of the tenant's own cost reads of
   * the store, as few as it can do with.
   */
  async #listed(lines: readonly ListedSkill[]): Promise<Result<FoundSkill[]>> {
    const names = lines.filter(({ source }) => source === "user").map(({ name }) => name);
    const own = names.length === 0 ? success(NO_SKILLS) : await this.#users.skills(names);
    if (!own.ok) return own;
    return success(lines.flatMap(({ name }) => this.#found(name, own.value.get(name) ?? null) ?? []));
  }

  /** Skills that no index has yet; one look at the store each, so only a few are looked for. */
  async #unlisted(names: readonly string[]): Promise<Result<FoundSkill[]>> {
    const found: FoundSkill[] = [];
    const admitted = names.filter((name) => this.#view.admits(name));
    for (const name of admitted.slice(0, MAX_UNLISTED_SKILLS)) {
      const skill = await this.#record(name);
      if (!skill.ok) return skill;
      if (skill.value !== null) found.push(skill.value);
    }
    return success(found);
  }
}

const NO_SKILLS: ReadonlyMap<string, OwnSkill | null> = new Map();

const NOTHING: ReadonlySet<string> = new Set();

/** The names there are besides one that an index still holds although nothing is behind it, nearest first. */
function others(name: string, entries: readonly { name: string }[]): string[] {
  const names = entries.map((entry) => entry.name).filter((other) => other !== name);
  return nearestFirst(name, names);
}
