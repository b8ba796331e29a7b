import type { SkillRecord } from "../../ir.ts";
import { KEPT_UPGRADE_SECONDS, KV_BULK_KEYS, MAX_KEPT_UPGRADES } from "../../limits.ts";
import { attempt, type Report } from "../attempt.ts";
import { compiledKey } from "../keys.ts";
import type { SkillStorage } from "../storage.ts";
import type { OwnSkill } from "./own-skill.ts";

export interface UpgradeOptions {
  storage: SkillStorage;
  tenant: string;
  /** Makes a record anew from its source where another version of this program made it; null where it can't. */
  upgrade(source: string, name: string): Promise<SkillRecord | null>;
  /** Takes note of something stored that is of no use any more. */
  report: Report;
}

/**
 * Records of skills that another version of this program stored: made anew from their sources, and kept beside them,
 * under the hash of what they are made from. In the skill's own place they could undo a write that KV does not show yet.
 */
export class Upgrades {
  readonly #options: UpgradeOptions;

  constructor(options: UpgradeOptions) {
    this.#options = options;
  }

  /** The records by name; what compiles no more is null. At most KV_BULK_KEYS skills. */
  async records(skills: ReadonlyMap<string, OwnSkill>): Promise<Map<string, SkillRecord | null>> {
    if (skills.size === 0) return new Map();
    const { storage, tenant } = this.#options;
    const keys = new Map([...skills].map(([name, { digest }]) => [name, compiledKey(tenant, name, digest)]));
    const kept = await storage.getAll([...keys.values()].slice(0, KV_BULK_KEYS));
    const records = new Map<string, SkillRecord | null>();
    let made = 0;
    for (const [name, { source }] of skills) {
      const key = keys.get(name) ?? "";
      const text = kept.get(key) ?? null;
      const record: SkillRecord | null = text === null ? await this.#make(source, name) : JSON.parse(text);
      records.set(name, record);
      if (text === null && record !== null && ++made <= MAX_KEPT_UPGRADES) await this.#keep(key, record);
    }
    return records;
  }

  async #make(source: string, name: string): Promise<SkillRecord | null> {
    const record = await this.#options.upgrade(source, name);
    if (record === null) {
      const fault = new Error(`${name} compiles no more and is not shown`);
      this.#options.report("upgrade the skill", fault);
    }
    return record;
  }

  /** Kept at once, so that a request that ends over so many has not worked in vain; where it fails, it is made again. */
  async #keep(key: string, record: SkillRecord): Promise<void> {
    const { storage, report } = this.#options;
    const text = JSON.stringify(record);
    await attempt(report, "keep the record", () => storage.hold(key, text, KEPT_UPGRADE_SECONDS));
  }
}
