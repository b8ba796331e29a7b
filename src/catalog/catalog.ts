import type { Result } from "../errors.ts";
import { failed, success } from "../errors.ts";
import type { FunctionDefinition, IndexEntry, SkillRecord } from "../ir.ts";
import { nearestFirst } from "../nearest.ts";
import { categoryNames } from "../vocabulary.ts";
import type { BundledSkills } from "./bundle.ts";

/** The skills that a tenant put itself; they stand before bundled ones of the same name. */
export interface UserSkills {
  index(): Promise<Result<readonly IndexEntry[]>>;
  /** A skill by name, also one that the index does not have yet; null where there is none. */
  record(name: string): Promise<Result<SkillRecord | null>>;
}

export type SkillSource = "bundled" | "user";

/** A line of the index as one caller sees it. */
export interface ListedSkill extends IndexEntry {
  source: SkillSource;
  /** Whether a user skill hides a bundled one. */
  overrides: boolean;
}

export interface FoundSkill {
  record: SkillRecord;
  source: SkillSource;
}

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

  /** Every visible skill, by category in the declared order and then by name. */
  async list(): Promise<Result<ListedSkill[]>> {
    const users = await this.#users.index();
    if (!users.ok) return users;
    const bundled = this.#bundled.bundle.index;
    if (users.value.length === 0)
      return success(bundled.map((entry) => ({ ...entry, source: "bundled", overrides: false })));
    const own = new Set(users.value.map(({ name }) => name));
    const bundledNames = new Set(bundled.map(({ name }) => name));
    const listed: ListedSkill[] = [
      ...users.value.map((entry) => ({
        ...entry,
        source: "user" as const,
        overrides: bundledNames.has(entry.name),
      })),
      ...bundled
        .filter(({ name }) => !own.has(name))
        .map((entry) => ({ ...entry, source: "bundled" as const, overrides: false })),
    ];
    return success(listed.sort(compareEntries));
  }

  /** Whether the caller sees nothing but the bundled skills, so that prepared replies hold. */
  async isBundledOnly(): Promise<Result<boolean>> {
    const users = await this.#users.index();
    return users.ok ? success(users.value.length === 0) : users;
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
    const known = nearestFirst(
      name,
      listed.value.map((entry) => entry.name),
    );
    return failed({ code: "UNKNOWN_SKILL", skill: name, known });
  }

  /** A function by name. Fails with UNKNOWN_FUNCTION and the names there are, nearest first. */
  async function(name: string): Promise<Result<FoundFunction>> {
    const listed = await this.list();
    if (!listed.ok) return listed;
    const owner = listed.value.find((entry) => entry.functions.some((candidate) => candidate.name === name));
    if (owner !== undefined) {
      const found = await this.skill(owner.name);
      if (!found.ok) return found;
      const definition = found.value.record.skill.functions.find((candidate) => candidate.name === name);
      if (definition !== undefined) return success({ ...found.value, definition });
    }
    const names = listed.value.flatMap((entry) => entry.functions.map((candidate) => candidate.name));
    return failed({ code: "UNKNOWN_FUNCTION", function: name, known: nearestFirst(name, names) });
  }

  /** The records of all visible skills, in the order of the index. */
  async records(): Promise<Result<FoundSkill[]>> {
    const listed = await this.list();
    if (!listed.ok) return listed;
    const found = await Promise.all(listed.value.map((entry) => this.skill(entry.name)));
    const records: FoundSkill[] = [];
    for (const result of found) {
      if (result.ok) records.push(result.value);
      else if (result.failure.code !== "UNKNOWN_SKILL") return result;
    }
    return success(records);
  }
}

/** The order of an index: known categories as declared, other ones after them, then names by code point. */
export function compareEntries(left: IndexEntry, right: IndexEntry): number {
  const rank = ({ category }: IndexEntry): number => {
    const known = categoryNames.indexOf(category ?? "other");
    return known === -1 ? categoryNames.length : known;
  };
  return (
    rank(left) - rank(right) ||
    compareText(left.category ?? "", right.category ?? "") ||
    compareText(left.name, right.name)
  );
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
