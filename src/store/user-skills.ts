import { failed, type Result, success } from "../errors.ts";
import type { IndexEntry, SkillRecord } from "../ir.ts";
import { MAX_USER_SKILLS } from "../limits.ts";
import { IR_VERSION } from "../vocabulary.ts";
import { indexKey, skillKey, skillPrefix } from "./keys.ts";

/** What is needed of KV; a `KVNamespace` is one. */
export interface SkillStorage {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; limit: number }): Promise<{ keys: readonly { name: string }[] }>;
}

export interface UserSkillOptions {
  storage: SkillStorage;
  /** How long what was read stands for what is stored, in milliseconds. */
  freshnessMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes note of a fault of the storage. */
  report(operation: string, error: unknown): void;
  /** The line that a record has in an index. */
  entryOf(record: SkillRecord): IndexEntry;
  /** Makes a record anew from its source where another version of this program made it; null where it can't. */
  upgrade(source: string, name: string): Promise<SkillRecord | null>;
}

interface Cached<T> {
  value: T;
  readAt: number;
}

/** What an isolate remembers of one tenant. */
interface TenantState {
  index: Cached<readonly IndexEntry[]> | null;
  /** By name; the record of a name that has none is null. */
  records: Map<string, Cached<SkillRecord | null>>;
  /** The end of the writes under way: they go one after the other, so that none undoes another's index line. */
  writing: Promise<unknown>;
}

/**
 * The skills that tenants put in KV. A skill's own key is the truth, the index is derived from it. Reads are served
 * from what this isolate read or wrote within the freshness window; a write is seen here at once.
 */
export class UserSkillStore {
  readonly #options: UserSkillOptions;
  readonly #tenants = new Map<string, TenantState>();

  constructor(options: UserSkillOptions) {
    this.#options = options;
  }

  /** The index lines of a tenant's skills. Where KV does not answer, what was read last stands in. */
  async index(tenant: string): Promise<Result<readonly IndexEntry[]>> {
    const state = this.#state(tenant);
    if (state.index !== null && this.#isFresh(state.index)) return success(state.index.value);
    const read = await this.#attempt("read the index", () => this.#readIndex(tenant));
    if (!read.ok) return state.index === null ? read : success(state.index.value);
    state.index = { value: read.value, readAt: this.#options.now() };
    return success(state.index.value);
  }

  /** A tenant's skill by name, also one that no index has yet; null where there is none. */
  async record(tenant: string, name: string): Promise<Result<SkillRecord | null>> {
    const state = this.#state(tenant);
    const known = state.records.get(name) ?? null;
    if (known !== null && this.#isFresh(known)) return success(known.value);
    const read = await this.#attempt("read the skill", () => this.#readRecord(tenant, name));
    if (!read.ok) return known === null ? read : success(known.value);
    this.#remember(state, name, read.value);
    return read;
  }

  /** Stores a skill, in place of the one of that name. The value says whether it is a new one. */
  put(tenant: string, record: SkillRecord): Promise<Result<{ created: boolean }>> {
    const { name } = record.skill;
    return this.#write(tenant, async (state) => {
      const existing = await this.#readIndex(tenant);
      const others = existing.filter((entry) => entry.name !== name);
      if (others.length >= MAX_USER_SKILLS)
        throw new RangeError(`a tenant has at most ${MAX_USER_SKILLS} skills`);
      await this.#options.storage.put(skillKey(tenant, name), JSON.stringify(record));
      this.#remember(state, name, record);
      await this.#writeIndex(tenant, state, [...others, this.#options.entryOf(record)], null);
      return { created: others.length === existing.length };
    });
  }

  /** Removes a skill. The value says whether there was one. */
  delete(tenant: string, name: string): Promise<Result<{ deleted: boolean }>> {
    return this.#write(tenant, async (state) => {
      const deleted = (await this.#readRecord(tenant, name)) !== null;
      await this.#options.storage.delete(skillKey(tenant, name));
      this.#remember(state, name, null);
      const left = (await this.#readIndex(tenant)).filter((entry) => entry.name !== name);
      await this.#writeIndex(tenant, state, left, name);
      return { deleted };
    });
  }

  #state(tenant: string): TenantState {
    let state = this.#tenants.get(tenant);
    if (state === undefined) {
      state = { index: null, records: new Map(), writing: Promise.resolve() };
      this.#tenants.set(tenant, state);
    }
    return state;
  }

  #isFresh({ readAt }: Cached<unknown>): boolean {
    return this.#options.now() - readAt < this.#options.freshnessMs;
  }

  #remember(state: TenantState, name: string, value: SkillRecord | null): void {
    if (state.records.size >= MAX_USER_SKILLS) state.records.clear();
    state.records.set(name, { value, readAt: this.#options.now() });
  }

  /** Turns a fault of the storage into a failure, and takes note of it. */
  async #attempt<T>(operation: string, action: () => Promise<T>): Promise<Result<T>> {
    try {
      return success(await action());
    } catch (error) {
      this.#options.report(operation, error);
      return failed({ code: "STORE_UNAVAILABLE", operation });
    }
  }

  /** Runs a write after the ones before it, whatever became of those. */
  #write<T>(tenant: string, action: (state: TenantState) => Promise<T>): Promise<Result<T>> {
    const state = this.#state(tenant);
    const result = state.writing.then(() => this.#attempt("write the skill", () => action(state)));
    state.writing = result;
    return result;
  }

  async #readIndex(tenant: string): Promise<readonly IndexEntry[]> {
    const text = await this.#options.storage.get(indexKey(tenant));
    return text === null ? [] : JSON.parse(text);
  }

  async #readRecord(tenant: string, name: string): Promise<SkillRecord | null> {
    const text = await this.#options.storage.get(skillKey(tenant, name));
    if (text === null) return null;
    const record: SkillRecord = JSON.parse(text);
    return record.irVersion === IR_VERSION ? record : this.#options.upgrade(record.source, name);
  }

  /**
   * Writes the index, with the skills that another place put and this index does not have yet. A skill whose key
   * a list still shows after its deletion here is not taken back.
   */
  async #writeIndex(
    tenant: string,
    state: TenantState,
    entries: readonly IndexEntry[],
    deleted: string | null,
  ): Promise<void> {
    const { storage, entryOf } = this.#options;
    const prefix = skillPrefix(tenant);
    const { keys } = await storage.list({ prefix, limit: MAX_USER_SKILLS });
    const known = new Set([...entries.map(({ name }) => name), deleted]);
    const missing = keys.map((key) => key.name.slice(prefix.length)).filter((name) => !known.has(name));
    const found = await Promise.all(missing.map((name) => this.#readRecord(tenant, name)));
    const value = [...entries, ...found.flatMap((record) => (record === null ? [] : [entryOf(record)]))];
    await storage.put(indexKey(tenant), JSON.stringify(value));
    state.index = { value, readAt: this.#options.now() };
  }
}
