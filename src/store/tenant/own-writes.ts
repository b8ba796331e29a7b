import { CHANGE_ANNOUNCED_MS, KV_PROPAGATION_MS } from "../../limits.ts";
import type { OwnSkill } from "./own-skill.ts";

/** How long an index may lack what was written: until its keys have been listed again. */
const INDEX_SETTLED_MS = KV_PROPAGATION_MS + CHANGE_ANNOUNCED_MS;

/** Longer than a read may take that was begun before KV showed the write. */
const KEPT_MS = 2 * INDEX_SETTLED_MS;

interface OwnWrite {
  skill: OwnSkill | null;
  writtenAt: number;
}

/** What this isolate made of a tenant's skills: it stands before all that is read, until KV surely shows it. */
export class OwnWrites {
  readonly #writes = new Map<string, OwnWrite>();

  /** @param skill null where it was deleted */
  keep(name: string, skill: OwnSkill | null, now: number): void {
    for (const [other, { writtenAt }] of this.#writes)
      if (now - writtenAt >= KEPT_MS) this.#writes.delete(other);
    this.#writes.set(name, { skill, writtenAt: now });
  }

  /** What a read of a skill that began at a moment may not show yet; undefined where it shows all. */
  of(name: string, begin: number): OwnSkill | null | undefined {
    const write = this.#writes.get(name);
    return write !== undefined && begin - write.writtenAt < KV_PROPAGATION_MS ? write.skill : undefined;
  }

  /** By name, what a read of the index that began at a moment may not show yet. */
  sinceIndex(begin: number): ReadonlyMap<string, OwnSkill | null> {
    const recent = [...this.#writes].filter(([, { writtenAt }]) => begin - writtenAt < INDEX_SETTLED_MS);
    return new Map(recent.map(([name, { skill }]) => [name, skill]));
  }
}
