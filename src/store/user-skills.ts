import { failed, type Result, success } from "../errors.ts";
import type { SearchableEntry, SkillRecord } from "../ir.ts";
import {
  KV_MAX_VALUE_BYTES,
  KV_PROPAGATION_MS,
  KV_WRITE_INTERVAL_MS,
  MAX_USER_SKILLS,
  WRITE_PATIENCE_MS,
} from "../limits.ts";
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
  sleep(milliseconds: number): Promise<void>;
  /** Takes note of a fault of the storage, or of something stored that is of no use any more. */
  report(operation: string, error: unknown): void;
  /** The line that a record has in an index. */
  entryOf(record: SkillRecord): SearchableEntry;
  /**
   * Makes a record anew from its source where another version of this program made it; null where it can't.
   */
  upgrade(source: string, name: string): Promise<SkillRecord | null>;
}

/** Longer than a read may take that was begun before KV showed the write. */
const OWN_WRITES_KEPT_MS = 2 * KV_PROPAGATION_MS;

/** An index as KV has it. */
interface StoredIndex {
  irVersion: number;
  entries: readonly SearchableEntry[];
}

const NO_INDEX: StoredIndex = { irVersion: IR_VERSION, entries: [] };

/** An index as it was read, and whether it had to be made anew. */
interface ReadIndex {
  entries: readonly SearchableEntry[];
  isRebuilt: boolean;
}

interface Cached<T> {
  value: T;
  readAt: number;
}

/** Texts are told by their length where that is enough: a UTF-16 unit is one to three bytes of UTF-8. */
function isTooLarge(text: string): boolean {
  if (text.length > KV_MAX_VALUE_BYTES) return true;
  return text.length * 3 > KV_MAX_VALUE_BYTES && new TextEncoder().encode(text).length > KV_MAX_VALUE_BYTES;
}

/** A small document may come to a large record, which has its tools in every provider's words. */
const TOO_LARGE = failed({
  code: "PAYLOAD_TOO_LARGE",
  what: "The skill, with the tools that are made of it for every provider,",
  limitBytes: KV_MAX_VALUE_BYTES,
  instead: "Declare fewer or simpler parameters, or divide the functions among several skills.",
});

/** What this isolate made of a name; the record of a skill that it deleted is null. */
interface OwnWrite {
  record: SkillRecord | null;
  writtenAt: number;
}

/** What an isolate remembers of one tenant. */
interface TenantState {
  index: Cached<readonly SearchableEntry[]> | null;
  /** By name; the record of a name that has none is null. */
  records: Map<string, Cached<SkillRecord | null>>;
  /** By name; they stand before all that is read, until KV surely shows them. */
  ownWrites: Map<string, OwnWrite>;
  /**
   * The end of the writes under way: they go one after the other, so that none undoes another's index line.
   */
  writing: Promise<unknown>;
  /** When a write last began or ended. */
  movedAt: number;
}

/**
 * The skills that tenants put in KV. A skill's own key is the truth, the index is derived from it. Reads are
 * served from what this isolate read within the freshness window. What it wrote itself is seen at once, and
 * stands for as long as KV may still show the state before; a later write of the same skill at another place
 * is seen after that.
 */
export class UserSkillStore {
  readonly #options: UserSkillOptions;
  readonly #tenants = new Map<string, TenantState>();

  constructor(options: UserSkillOptions) {
    this.#options = options;
  }

  /** The index lines of a tenant's skills. Where KV does not answer, what was read last stands in. */
  async index(tenant: string): Promise<Result<readonly SearchableEntry[]>> {
    const state = this.#state(tenant);
    if (state.index === null || !this.#isFresh(state.index)) {
      const read = await this.#attempt("read the index", () => this.#readIndex(tenant, state));
      if (!read.ok) return state.index === null ? read : success(state.index.value);
      state.index = { value: read.value.entries, readAt: this.#options.now() };
      if (read.value.isRebuilt) await this.#replaceIndex(tenant);
    }
    return success(state.index.value);
  }

  /** A tenant's skill by name, also one that no index has yet; null where there is none. */
  async record(tenant: string, name: string): Promise<Result<SkillRecord | null>> {
    const state = this.#state(tenant);
    const begin = this.#options.now();
    const own = this.#ownWrites(state, begin).get(name);
    if (own !== undefined) return success(own.record);
    const known = state.records.get(name) ?? null;
    if (known !== null && this.#isFresh(known)) return success(known.value);
    const read = await this.#attempt("read the skill", () =>
      this.#readRecord(tenant, name, known?.value ?? null),
    );
    // A write that ended meanwhile knows better.
    const written = this.#ownWrites(state, begin).get(name);
    if (written !== undefined) return success(written.record);
    if (!read.ok) return known === null ? read : success(known.value);
    this.#remember(state, name, read.value);
    return read;
  }

  /**
   * Stores a skill, in place of the one of that name. The value says whether it is a new one. Fails with
   * FORBIDDEN where the tenant has as many as it may, with PAYLOAD_TOO_LARGE where KV takes no record of its size.
   */
  async put(tenant: string, record: SkillRecord): Promise<Result<{ created: boolean }>> {
    const { name } = record.skill;
    const text = JSON.stringify(record);
    if (isTooLarge(text)) return TOO_LARGE;
    return this.#write(tenant, async (state) => {
      const { entries } = await this.#readIndex(tenant, state);
      const others = entries.filter((entry) => entry.name !== name);
      if (others.length >= MAX_USER_SKILLS) {
        const message = `There are ${MAX_USER_SKILLS} skills already, and more are not allowed.`;
        return failed({ code: "FORBIDDEN", message });
      }
      const before = await this.#storedText(tenant, state, name);
      await this.#store(tenant, name, text);
      await this.#writeIndex(tenant, state, [...others, this.#options.entryOf(record)], { name, before });
      this.#rememberOwn(state, name, record);
      return success({ created: before === null });
    });
  }

  /** Removes a skill. The value says whether there was one. */
  delete(tenant: string, name: string): Promise<Result<{ deleted: boolean }>> {
    return this.#write(tenant, async (state) => {
      const { entries } = await this.#readIndex(tenant, state);
      const left = entries.filter((entry) => entry.name !== name);
      const before = await this.#storedText(tenant, state, name);
      if (before === null && left.length === entries.length) return success({ deleted: false });
      await this.#store(tenant, name, null);
      await this.#writeIndex(tenant, state, left, { name, before });
      this.#rememberOwn(state, name, null);
      return success({ deleted: before !== null });
    });
  }

  #state(tenant: string): TenantState {
    let state = this.#tenants.get(tenant);
    if (state === undefined) {
      const writing = Promise.resolve();
      state = { index: null, records: new Map(), ownWrites: new Map(), writing, movedAt: 0 };
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

  #rememberOwn(state: TenantState, name: string, record: SkillRecord | null): void {
    const now = this.#options.now();
    for (const [other, { writtenAt }] of state.ownWrites)
      if (now - writtenAt >= OWN_WRITES_KEPT_MS) state.ownWrites.delete(other);
    state.ownWrites.set(name, { record, writtenAt: now });
    this.#remember(state, name, record);
  }

  /** By name, what this isolate wrote so lately that a read begun at a moment may not show it. */
  #ownWrites({ ownWrites }: TenantState, begin: number): Map<string, OwnWrite> {
    return new Map([...ownWrites].filter(([, { writtenAt }]) => begin - writtenAt < KV_PROPAGATION_MS));
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
  #write<T>(tenant: string, action: (state: TenantState) => Promise<Result<T>>): Promise<Result<T>> {
    const state = this.#state(tenant);
    const result = this.#turn(state, state.writing).then(async () => {
      const written = await this.#attempt("write the skill", () => action(state));
      state.movedAt = this.#options.now();
      return written.ok ? written.value : written;
    });
    state.writing = result;
    return result;
  }

  /**
   * Waits for the write before, but not for one that will never end: where its request is gone, the platform
   * has dropped what it waited for. That is supposed where no write has begun or ended for a while.
   */
  async #turn(state: TenantState, before: Promise<unknown>): Promise<void> {
    const { now, sleep } = this.#options;
    let isEnded = false;
    const end = before.then(() => {
      isEnded = true;
    });
    do await Promise.race([end, sleep(WRITE_PATIENCE_MS)]);
    while (!isEnded && now() - state.movedAt < WRITE_PATIENCE_MS);
    state.movedAt = now();
  }

  /**
   * The index as it is stored now, with this isolate's own writes, which KV may not show yet. One that
   * another version of this program stored is made anew from the skills.
   */
  async #readIndex(tenant: string, state: TenantState): Promise<ReadIndex> {
    const begin = this.#options.now();
    const text = await this.#options.storage.get(indexKey(tenant));
    const stored: StoredIndex = text === null ? NO_INDEX : JSON.parse(text);
    const isRebuilt = stored.irVersion !== IR_VERSION;
    const entries = isRebuilt ? await this.#withOthers(tenant, state, [], null) : stored.entries;
    const own = this.#ownWrites(state, begin);
    const written = [...own.values()].flatMap(({ record }) =>
      record === null ? [] : [this.#options.entryOf(record)],
    );
    return { entries: [...entries.filter(({ name }) => !own.has(name)), ...written], isRebuilt };
  }

  /**
   * Stores the index in place of one of another version, in the turn of the writes, unless one of those has
   * done it. It is derived, so nothing is lost where that fails.
   */
  async #replaceIndex(tenant: string): Promise<void> {
    await this.#write(tenant, async (state) => {
      const { entries, isRebuilt } = await this.#readIndex(tenant, state);
      if (isRebuilt) await this.#putIndex(tenant, entries);
      return success(null);
    });
  }

  /** A skill's text as it is stored now, or null. */
  async #storedText(tenant: string, state: TenantState, name: string): Promise<string | null> {
    const own = this.#ownWrites(state, this.#options.now()).get(name);
    if (own === undefined) return this.#options.storage.get(skillKey(tenant, name));
    return own.record === null ? null : JSON.stringify(own.record);
  }

  #store(tenant: string, name: string, text: string | null): Promise<void> {
    const { storage } = this.#options;
    const key = skillKey(tenant, name);
    return text === null ? storage.delete(key) : storage.put(key, text);
  }

  /**
   * @param known what was read of this name before. Where the source is the same still, the result is that
   * very object: what others have made of it (validators, expressions, encodings) they keep by its identity.
   */
  async #readRecord(tenant: string, name: string, known: SkillRecord | null): Promise<SkillRecord | null> {
    const text = await this.#options.storage.get(skillKey(tenant, name));
    if (text === null) return null;
    const record: SkillRecord = JSON.parse(text);
    if (known?.digest === record.digest) return known;
    if (record.irVersion === IR_VERSION) return record;
    const upgraded = await this.#options.upgrade(record.source, name);
    if (upgraded === null)
      this.#options.report("upgrade the skill", new Error(`${name} compiles no more and is not shown`));
    return upgraded;
  }

  /** Writes the index after a skill was written; where that fails, the skill is put back as it was before. */
  async #writeIndex(
    tenant: string,
    state: TenantState,
    entries: readonly SearchableEntry[],
    change: { name: string; before: string | null },
  ): Promise<void> {
    try {
      const value = await this.#withOthers(tenant, state, entries, change.name);
      await this.#putIndex(tenant, value);
      state.index = { value, readAt: this.#options.now() };
    } catch (error) {
      await this.#attempt("put the skill back", () => this.#store(tenant, change.name, change.before));
      state.records.delete(change.name);
      throw error;
    }
  }

  /**
   * The index with the skills that another place put and this one does not have yet. A skill whose key a list
   * still shows after its deletion here is not taken back.
   */
  async #withOthers(
    tenant: string,
    state: TenantState,
    entries: readonly SearchableEntry[],
    changed: string | null,
  ): Promise<readonly SearchableEntry[]> {
    const { storage, entryOf } = this.#options;
    const prefix = skillPrefix(tenant);
    const own = this.#ownWrites(state, this.#options.now());
    const { keys } = await storage.list({ prefix, limit: MAX_USER_SKILLS });
    const known = new Set([
      ...entries.map(({ name }) => name),
      ...own.keys(),
      ...(changed === null ? [] : [changed]),
    ]);
    const missing = keys.map((key) => key.name.slice(prefix.length)).filter((name) => !known.has(name));
    const found = await Promise.all(missing.map((name) => this.#readRecord(tenant, name, null)));
    return [...entries, ...found.flatMap((record) => (record === null ? [] : [entryOf(record)]))];
  }

  /**
   * KV refuses a second write of a key within a second, as when another skill was put just now: then once
   * more.
   */
  async #putIndex(tenant: string, entries: readonly SearchableEntry[]): Promise<void> {
    const { storage, sleep } = this.#options;
    const index: StoredIndex = { irVersion: IR_VERSION, entries };
    const text = JSON.stringify(index);
    const put = () => storage.put(indexKey(tenant), text);
    const first = await this.#attempt("write the index", put);
    if (first.ok) return;
    await sleep(KV_WRITE_INTERVAL_MS);
    await put();
  }
}
