import type { IndexEntry, SkillRecord } from "../ir.ts";

/** A file beside a skill's document. */
export interface SkillFileEntry {
  /** From the skill's folder, e.g. `references/api.md`. */
  path: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  digest: string;
  bytes: number;
}

/** A skill that a tenant put itself. */
export interface OwnSkill {
  record: SkillRecord;
  /** Counts the tenant's versions of it. */
  version: number;
  /** The digest of the bundled skill that it was made from; null where it was made from none. */
  base: string | null;
  files: readonly SkillFileEntry[];
}

/** Whether a tenant's own skill may stand in the place of a bundled one, which is null where there is none. */
export function mayOverride(bundled: Pick<IndexEntry, "overridable"> | null): boolean {
  return bundled === null || bundled.overridable !== "none";
}

/** Whether the bundled skill is another one by now than the one that an own skill was made from. */
export function isStale(base: string | null, bundled: { digest: string } | null): boolean {
  return base !== null && bundled !== null && base !== bundled.digest;
}

/** The line of an own skill: of a bundled one that is overridable in its prose alone, functions and permission stay. */
export function overlaidEntry(own: IndexEntry, bundled: IndexEntry | null): IndexEntry {
  return bundled?.overridable === "prose"
    ? { ...own, functions: bundled.functions, permission: bundled.permission }
    : own;
}

const overlays = new WeakMap<SkillRecord, { bundled: SkillRecord; record: SkillRecord }>();

/**
 * An own skill's record as it is served: of a bundled one that is overridable in its prose alone, all that the gateway
 * acts on stays as it is bundled, also where it has changed since the own one was put. The same object for the same
 * two.
 */
export function overlaidRecord(own: SkillRecord, bundled: SkillRecord | null): SkillRecord {
  if (bundled?.skill.overridable !== "prose") return own;
  const known = overlays.get(own);
  if (known?.bundled === bundled) return known.record;
  const { provider, permission, overridable, upstreams, functions, examples, constraints } = bundled.skill;
  const protocol = { provider, permission, overridable, upstreams, functions, examples, constraints };
  const record = { ...own, skill: { ...own.skill, ...protocol }, tools: bundled.tools };
  overlays.set(own, { bundled, record });
  return record;
}
