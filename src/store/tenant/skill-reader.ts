import { KV_BULK_CHARACTERS, KV_BULK_KEYS, MAX_PARALLEL_REQUESTS } from "../../limits.ts";
import { IR_VERSION } from "../../vocabulary.ts";
import { skillKey } from "../keys.ts";
import type { SkillStorage } from "../storage.ts";
import { type OwnSkill, readOwnSkill } from "./own-skill.ts";
import { type UpgradeOptions, Upgrades } from "./upgrades.ts";

/** A skill to be read. */
export interface Wanted {
  name: string;
  /** How large it is supposed to be; 0 where nobody knows. */
  characters: number;
}

/** Reads a tenant's skills from KV, many at one time. */
export class SkillReader {
  readonly #storage: SkillStorage;
  readonly #tenant: string;
  readonly #upgrades: Upgrades;

  constructor(options: UpgradeOptions) {
    this.#storage = options.storage;
    this.#tenant = options.tenant;
    this.#upgrades = new Upgrades(options);
  }

  /**
   * Skills by name; what is not there, or compiles no more, is null.
   * @param known what was read of a name before. Where the source is the same still, the record is that very
   * object: what others have made of it (validators, expressions, encodings) they keep by its identity.
   */
  async read(
    wanted: readonly Wanted[],
    known: (name: string) => OwnSkill | null,
  ): Promise<Map<string, OwnSkill | null>> {
    const found = new Map<string, OwnSkill | null>();
    const batches = batchesOf(wanted);
    for (let start = 0; start < batches.length; start += MAX_PARALLEL_REQUESTS) {
      const round = batches.slice(start, start + MAX_PARALLEL_REQUESTS);
      const results = await Promise.all(round.map((names) => this.#readBatch(names, known)));
      for (const [name, skill] of results.flat()) found.set(name, skill);
    }
    return found;
  }

  async #readBatch(
    names: readonly string[],
    known: (name: string) => OwnSkill | null,
  ): Promise<(readonly [string, OwnSkill | null])[]> {
    const keys = new Map(names.map((name) => [name, skillKey(this.#tenant, name)]));
    const texts = await this.#storage.getAll([...keys.values()]);
    const found = new Map<string, OwnSkill>();
    for (const [name, key] of keys) {
      const text = texts.get(key) ?? null;
      if (text !== null) found.set(name, withKnown(readOwnSkill(text), known(name)));
    }
    const outdated = [...found].filter(([, { record }]) => record.irVersion !== IR_VERSION);
    const upgraded = await this.#upgrades.records(new Map(outdated));
    return names.map((name) => {
      const skill = found.get(name) ?? null;
      const record = upgraded.get(name);
      if (skill === null || record === null) return [name, null] as const;
      return [name, record === undefined ? skill : { ...skill, record }] as const;
    });
  }
}

/** A skill with the record that was read or made of the same source before. */
function withKnown(read: OwnSkill, known: OwnSkill | null): OwnSkill {
  return known?.digest === read.digest ? { ...read, record: known.record } : read;
}

/** The names in as many lists as it takes operations to read them. */
function batchesOf(wanted: readonly Wanted[]): string[][] {
  const batches: string[][] = [];
  let free = 0;
  for (const { name, characters } of wanted) {
    const last = batches.at(-1);
    if (last === undefined || last.length === KV_BULK_KEYS || characters > free) {
      batches.push([name]);
      free = KV_BULK_CHARACTERS - characters;
    } else {
      last.push(name);
      free -= characters;
    }
  }
  return batches;
}
