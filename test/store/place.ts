import { makeRecord, searchableEntryOf } from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { dialects } from "../../src/dialect/index.ts";
import { type Result, success } from "../../src/errors.ts";
import type { SkillRecord } from "../../src/ir.ts";
import { type OwnSkill, type SkillChange, type SkillStorage, UserSkillStore } from "../../src/store/index.ts";
import { VirtualTime } from "../limiter/virtual_time.ts";
import { StorageDouble } from "./storage_double.ts";

export const FRESHNESS_MS = 5_000;

/** Isolates that share a storage, a clock and a log of faults. */
export class Place {
  readonly time = new VirtualTime(Date.UTC(2026, 1, 28));
  readonly storage = new StorageDouble(this.time);
  /** The operations that were reported. */
  readonly reports: string[] = [];
  /** The names whose records were made anew. */
  readonly upgrades: string[] = [];
  /** Whether sources of another version still compile. */
  compiles = true;
  readonly #later: Promise<void>[] = [];

  /** A new isolate, which has read nothing yet. */
  isolate(storage: SkillStorage = this.storage): UserSkillStore {
    return new UserSkillStore({
      storage,
      freshnessMs: FRESHNESS_MS,
      now: this.time.now,
      sleep: this.time.sleep,
      waitUntil: (work) => this.#later.push(work),
      report: (operation) => this.reports.push(operation),
      entryOf: searchableEntryOf,
      upgrade: async (source, name) => {
        this.upgrades.push(name);
        return this.compiles ? recordFrom(source, name) : null;
      },
    });
  }

  /** The names in the index, in order. */
  async names(store: UserSkillStore, tenant = "t"): Promise<string[]> {
    const index = await this.time.until(store.index(tenant));
    if (!index.ok) throw new Error(index.failure.code);
    return index.value.map(({ name }) => name).sort();
  }

  /** The version of a skill, null where there is none. */
  async version(store: UserSkillStore, name: string, tenant = "t"): Promise<string | null> {
    return (await this.skill(store, name, tenant))?.record.skill.version ?? null;
  }

  /** A skill, null where there is none. */
  async skill(store: UserSkillStore, name: string, tenant = "t"): Promise<OwnSkill | null> {
    const skill = await this.time.until(store.skill(tenant, name));
    if (!skill.ok) throw new Error(skill.failure.code);
    return skill.value;
  }

  /** Waits for what was left for after replies. */
  async rest(): Promise<void> {
    await this.time.until(Promise.all(this.#later.splice(0)));
  }
}

/** Puts a skill, whatever is there, and says whether it is new. */
export async function putSkill(
  store: UserSkillStore,
  record: SkillRecord,
  { tenant = "t", ...given }: Partial<Omit<SkillChange, "record">> & { tenant?: string } = {},
): Promise<Result<{ created: boolean }>> {
  const change = { files: [], base: null, contents: new Map(), ...given, record };
  const written = await store.change(tenant, record.skill.name, "author", async () =>
    success({ decision: change, said: null }),
  );
  return written.ok ? success({ created: written.value.before === null }) : written;
}

/** Deletes a skill, and says whether there was one. */
export async function deleteSkill(
  store: UserSkillStore,
  name: string,
  tenant = "t",
): Promise<Result<{ deleted: boolean }>> {
  const written = await store.change(tenant, name, "author", async () =>
    success({ decision: "delete", said: null }),
  );
  return written.ok ? success({ deleted: written.value.before !== null }) : written;
}

/** By source. Hashing takes real time, which virtual time does not wait for, so each is made once. */
const made = new Map<string, Promise<SkillRecord>>();

/** A record of a small skill; the same one for the same name and version. */
export function recordOf(name: string, version = "1.0.0"): Promise<SkillRecord> {
  return recordFrom(
    `---\nname: ${name}\nversion: ${version}\ndescription: A small skill that stands for any other in tests.\n---\n`,
    name,
  );
}

function recordFrom(source: string, name: string): Promise<SkillRecord> {
  const record = made.get(source) ?? compiled(source, name);
  made.set(source, record);
  return record;
}

async function compiled(source: string, name: string): Promise<SkillRecord> {
  const options = { file: "SKILL.md", folder: name, mayNameBaseUrlVariable: () => false };
  const { skill, diagnostics } = compileSkill(source, options);
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return makeRecord(source, skill, (dialect, definition) => dialects[dialect].encodeTool(definition));
}
