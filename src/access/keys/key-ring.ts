import { sha256Hex } from "../../digest.ts";
import { type Failure, failed, type Result, success } from "../../errors.ts";
import { KV_PROPAGATION_MS, MAX_KEYS_PER_TENANT, MAX_UNKNOWN_KEY_READS } from "../../limits.ts";
import type { Caller } from "../caller.ts";
import { parseRecord, type Records, RememberedRecords } from "../records.ts";
import { Turns } from "../turns.ts";
import { callerOf, type Grant, type KeyRecord } from "./key-record.ts";
import { KEY_ID, newKeyId, newKeyText, type PresentedKey } from "./key-text.ts";
import { ReadAllowance } from "./read-allowance.ts";

export interface KeyRingOptions {
  records: Records;
  /** How long what was read stands for what is stored, in milliseconds. */
  freshnessMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Takes note of a record that cannot be read. */
  report(operation: string, error: unknown): void;
  randomBytes(count: number): Uint8Array;
  /** Compares bytes of the same length in a time that tells nothing of them. */
  timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

/** A key that was just made: the only time that it is shown. */
export interface IssuedKey {
  record: KeyRecord;
  text: string;
}

/** How a key is to be rotated. */
export interface Rotation {
  /** For how long the key may still be used that is replaced, in milliseconds; null where nobody said. */
  overlapMs: number | null;
  /** Why the key may not be rotated as it is then; null where it may. */
  refusalOf(record: KeyRecord): Failure | null;
}

/** A key's record with the caller that it makes, so that a caller stays the same object while the record does. */
interface KnownKey {
  record: KeyRecord;
  caller: Caller;
}

/** The keys of all tenants: issued, looked up, revoked. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #known: RememberedRecords<KnownKey>;
  readonly #unknownReads: ReadAllowance;
  readonly #turns: Turns;

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#known = new RememberedRecords(options.freshnessMs, options.now);
    this.#unknownReads = new ReadAllowance(options.now);
    this.#turns = new Turns(options);
  }

  /**
   * The holder of a key; null where it is not valid. A key that was read within the freshness window costs no reading,
   * nor does one that was not there then. Fails with STORE_UNAVAILABLE where that cannot be found out, and with
   * RATE_LIMIT_EXCEEDED where this isolate has lately looked for many keys in vain.
   */
  async identify(key: PresentedKey): Promise<Result<Caller | null>> {
    const found = await this.#find(key.tenant, key.id);
    if (!found.ok || found.value === null) return found.ok ? success(null) : found;
    const { record, caller } = found.value;
    return success((await this.#isValid(key, record)) ? caller : null);
  }

  /** Issues a key. Fails with FORBIDDEN where the tenant has as many as it may. */
  async issue(tenant: string, grant: Grant, by: Caller): Promise<Result<IssuedKey>> {
    const names = await this.#options.records.names(tenant);
    if (!names.ok) return names;
    if (names.value.length >= MAX_KEYS_PER_TENANT) {
      const message = `The tenant ${tenant} has ${MAX_KEYS_PER_TENANT} keys already, and more are not allowed.`;
      return failed({ code: "FORBIDDEN", message });
    }
    const { now, randomBytes } = this.#options;
    const { id, text } = newKeyText(tenant, newKeyId(randomBytes), randomBytes);
    const hash = await sha256Hex(text);
    const record = {
      ...grant,
      tenant,
      id,
      createdAt: now(),
      createdBy: by.key?.id ?? null,
      hash,
      former: null,
    };
    return this.#store(record, text);
  }

  /** The keys of a tenant, those that were issued first before the others. */
  async list(tenant: string): Promise<Result<KeyRecord[]>> {
    const names = await this.#options.records.names(tenant);
    if (!names.ok) return names;
    const found: KeyRecord[] = [];
    for (const read of await Promise.all(names.value.map((id) => this.#stored(tenant, id)))) {
      if (!read.ok) return read;
      if (read.value !== null) found.push(read.value.record);
    }
    return success(found.sort((left, right) => left.createdAt - right.createdAt));
  }

  /** A tenant's key by its id, as it is stored now. Fails with UNKNOWN_KEY. */
  async show(tenant: string, id: string): Promise<Result<KeyRecord>> {
    const stored = KEY_ID.test(id) ? await this.#stored(tenant, id) : success(null);
    if (!stored.ok) return stored;
    if (stored.value !== null) return success(stored.value.record);
    const listed = await this.list(tenant);
    if (!listed.ok) return listed;
    const known = listed.value.map((record) => record.id).filter((other) => other !== id);
    return failed({ code: "UNKNOWN_KEY", key: id, known });
  }

  /** Ends a key: at once in this isolate, within the freshness window or KV's own delay elsewhere. */
  revoke(tenant: string, id: string): Promise<Result<KeyRecord>> {
    return this.#turns.take(nameOf(tenant, id), async () => {
      const shown = await this.show(tenant, id);
      if (!shown.ok) return shown;
      const deleted = await this.#options.records.delete(tenant, id);
      if (!deleted.ok) return deleted;
      this.#known.remember(nameOf(tenant, id), null, KV_PROPAGATION_MS);
      return shown;
    });
  }

  /**
   * Puts another key in the place of one; that one may still be used for a while, so that its holder can change over.
   * Fails with UNKNOWN_KEY where there is none, also where it was revoked while this waited for its turn, and with
   * FORBIDDEN while the key before it may be used, unless no overlap is asked for in so many words.
   */
  rotate(tenant: string, id: string, { overlapMs, refusalOf }: Rotation): Promise<Result<IssuedKey>> {
    return this.#turns.take(nameOf(tenant, id), async () => {
      const shown = await this.show(tenant, id);
      if (!shown.ok) return shown;
      const record = shown.value;
      const { now, randomBytes } = this.#options;
      const refusal = refusalOf(record) ?? (overlapMs === 0 ? null : overlapRefusal(record, now()));
      if (refusal !== null) return failed(refusal);
      const { text } = newKeyText(tenant, id, randomBytes);
      const former = (overlapMs ?? 0) === 0 ? null : { hash: record.hash, until: now() + (overlapMs ?? 0) };
      return this.#store({ ...record, hash: await sha256Hex(text), former }, text);
    });
  }

  async #store(record: KeyRecord, text: string): Promise<Result<IssuedKey>> {
    const { tenant, id, expiresAt } = record;
    const stored = await this.#options.records.put(tenant, id, JSON.stringify(record), expiresAt);
    if (!stored.ok) return stored;
    this.#known.remember(nameOf(tenant, id), knownKey(record));
    return success({ record, text });
  }

  async #find(tenant: string, id: string): Promise<Result<KnownKey | null>> {
    const name = nameOf(tenant, id);
    const fresh = this.#known.fresh(name);
    if (fresh !== undefined) return success(fresh);
    if (this.#known.hasSeen(name)) return this.#known.refresh(name, () => this.#read(tenant, id));
    const waitMs = this.#unknownReads.take();
    if (waitMs !== null) {
      const bucket = "keys that are not known here";
      const max = MAX_UNKNOWN_KEY_READS;
      return failed({ code: "RATE_LIMIT_EXCEEDED", bucket, max, window: "minute", retryAfterMs: waitMs });
    }
    const found = await this.#known.refresh(name, () => this.#read(tenant, id));
    if (found.ok && found.value !== null) this.#unknownReads.giveBack();
    return found;
  }

  /** A key as it is stored now, but for one that was revoked here, which the store may still show. */
  async #stored(tenant: string, id: string): Promise<Result<KnownKey | null>> {
    return this.#known.fresh(nameOf(tenant, id)) === null ? success(null) : this.#read(tenant, id);
  }

  async #read(tenant: string, id: string): Promise<Result<KnownKey | null>> {
    const text = await this.#options.records.get(tenant, id);
    if (!text.ok || text.value === null) return text.ok ? success(null) : text;
    const record = parseRecord<KeyRecord>(text.value);
    if (record !== null) return success(knownKey(record));
    this.#options.report("read the key", new Error(`what is stored of ${nameOf(tenant, id)} is damaged`));
    return success(null);
  }

  #isOver({ expiresAt }: KeyRecord): boolean {
    return expiresAt !== null && expiresAt <= this.#options.now();
  }

  /** Both hashes are compared in any case, so that the time tells nothing of either. */
  async #isValid({ text }: PresentedKey, record: KeyRecord): Promise<boolean> {
    const given = utf8(await sha256Hex(text));
    const { timingSafeEqual, now } = this.#options;
    const isCurrent = timingSafeEqual(given, utf8(record.hash));
    const isFormer = timingSafeEqual(given, utf8(record.former?.hash ?? record.hash));
    const mayBeFormer = record.former !== null && now() < record.former.until;
    return (isCurrent || (isFormer && mayBeFormer)) && !this.#isOver(record);
  }
}

/** Its holder was told that the former key may be used: only who means to ends that early. */
function overlapRefusal({ former }: KeyRecord, now: number): Failure | null {
  if (former === null || former.until <= now) return null;
  const until = new Date(former.until).toISOString();
  const message = `The key before this one may be used until ${until}. Until then only overlap_s=0 rotates it, which ends both at once.`;
  return { code: "FORBIDDEN", message };
}

function knownKey(record: KeyRecord): KnownKey {
  return { record, caller: callerOf(record) };
}

/** A tenant's name has no slash. */
function nameOf(tenant: string, id: string): string {
  return `${tenant}/${id}`;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
