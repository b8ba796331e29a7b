/**
 * How an isolate's counts get to KV and the others' counts from it: all of the limiter's input and output.
 */
import { COUNTER_LOOK_DEADLINE_MS, KV_WRITE_INTERVAL_MS, MAX_COUNTER_PAGES } from "../limits.ts";
import type { WindowName } from "../vocabulary.ts";
import { bucketInKeys, type ListedKey, listPrefix, shardKey, tallyOthers, ttlSeconds } from "./keys.ts";
import { isAlive, isPlanned, isWorthWaiting, type Urgency, writeAt } from "./policy.ts";
import { beginLook, learn, markUnpublished, type OwnCount, type Shard, takeUnpublished } from "./shard.ts";

/** What the limiter needs of KV; a `KVNamespace` is one. */
export interface CounterStore {
  list(options: { prefix: string; cursor?: string }): Promise<CounterPage>;
  put(
    key: string,
    value: string,
    options: { expirationTtl: number; metadata: { count: number } },
  ): Promise<void>;
}

/** One page of a list. */
export interface CounterPage {
  keys: readonly ListedKey[];
  list_complete: boolean;
  /** Where the next page begins; there is none where the list is complete. */
  cursor?: string;
}

/** Something that went wrong with the store. The calls concerned were decided all the same. */
export interface StoreFault {
  operation: "list" | "put";
  bucket: string;
  window: WindowName;
  reason: string;
  /**
   * Operations of this kind that failed in a row for this counter; 0 where it was carried out, but not in
   * full.
   */
  inARow: number;
}

/** What an isolate exchanges its counts with, and by what clock. */
export interface ExchangeOptions {
  store: CounterStore;
  /**
   * Names this isolate in its keys: unique, at most 64 characters of ASCII, no colon; a UUID, for instance.
   */
  isolateId: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends after so many milliseconds. */
  sleep: (milliseconds: number) => Promise<void>;
  /**
   * Keeps background work alive after the reply to the request in which it is called. The work never rejects.
   */
  waitUntil: (work: Promise<void>) => void;
  /** Takes note of a fault, in the log for instance. */
  report: (fault: StoreFault) => void;
}

/**
 * Publishes counts and looks at those of others. No method rejects: a fault is noted in the shard and
 * reported.
 */
export class CountExchange {
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** The present, in whole milliseconds. */
  now(): number {
    return Math.floor(this.#options.now());
  }

  /** Looks at the others' counts in the background. */
  lookLater(shard: Shard): void {
    this.#options.waitUntil(this.#look(shard));
  }

  /** Looks at the others' counts and waits for that, but no longer than a reply may wait. */
  async lookInTime(shards: readonly Shard[]): Promise<void> {
    if (shards.length === 0) return;
    const looks = Promise.all(shards.map((shard) => this.#look(shard)));
    this.#options.waitUntil(looks.then(() => undefined));
    const inTime = looks.then(() => true);
    const tooLate = this.#options.sleep(COUNTER_LOOK_DEADLINE_MS).then(() => false);
    if (await Promise.race([inTime, tooLate])) return;
    for (const shard of shards) {
      this.#lookFailed(shard, `no answer within ${COUNTER_LOOK_DEADLINE_MS} ms`);
    }
  }

  /** Plans to write what a shard has to publish, unless a plan is there that will do. */
  planWrite(shard: Shard, urgency: Urgency): void {
    const { dirtySince, wroteAt, writeFaults, plan } = shard;
    if (dirtySince === null) return;
    const now = this.now();
    const at = writeAt({ urgency, dirtySince, wroteAt, faults: writeFaults }, now);
    if (!isWorthWaiting(at, now) || isPlanned(plan, at, now)) return;
    shard.plan = { at };
    this.#options.waitUntil(this.#carryOut(shard, shard.plan, at - now));
  }

  /**
   * Waits until a plan's moment has come and the write before it has ended, for of two writes under way at
   * once either may win. A plan that was replaced by an earlier one does nothing.
   */
  async #carryOut(shard: Shard, plan: { at: number }, waitMs: number): Promise<void> {
    if (waitMs > 0) await this.#options.sleep(waitMs);
    while (shard.plan === plan && shard.writing !== null && isAlive(shard.writing.since, this.now())) {
      await this.#options.sleep(KV_WRITE_INTERVAL_MS);
    }
    if (shard.plan !== plan) return;
    shard.plan = null;
    await this.#publish(shard);
  }

  async #publish(shard: Shard): Promise<void> {
    const counts = takeUnpublished(shard);
    if (counts.length === 0) return;
    const writing = { since: this.now() };
    shard.writing = writing;
    shard.wroteAt = writing.since;
    await Promise.all(counts.map((count) => this.#put(shard, count)));
    if (shard.writing === writing) shard.writing = null;
  }

  async #put(shard: Shard, own: OwnCount): Promise<void> {
    const { store, isolateId } = this.#options;
    const { bucket, window } = shard;
    const key = shardKey(window, await bucketInKeys(bucket), own.start, isolateId);
    const options = { expirationTtl: ttlSeconds(window), metadata: { count: own.count } };
    const written = await attempt(() => store.put(key, "", options));
    if (written.ok) {
      shard.writeFaults = 0;
      return;
    }
    shard.writeFaults += 1;
    markUnpublished(shard, own, this.now());
    this.#report(shard, "put", written.reason, shard.writeFaults);
  }

  async #look(shard: Shard): Promise<void> {
    const { window, own } = shard;
    const { order, unseen } = beginLook(shard, this.now());
    const bucket = await bucketInKeys(shard.bucket);
    const listed = await attempt(() => this.#list(listPrefix(window, bucket, own.start)));
    if (!listed.ok) {
      shard.spentSinceLook += unseen;
      this.#lookFailed(shard, listed.reason);
      return;
    }
    const { keys, complete } = listed.value;
    const counter = { window, bucket, start: own.start, isolateId: this.#options.isolateId };
    const tally = tallyOthers(keys, counter);
    learn(shard, { ...tally, start: own.start, order });
    if (!complete) this.#report(shard, "list", `more than ${keys.length} counts`, 0);
    if (tally.unreadable > 0)
      this.#report(shard, "list", `counts that could not be read: ${tally.unreadable}`, 0);
  }

  async #list(prefix: string): Promise<{ keys: ListedKey[]; complete: boolean }> {
    const keys: ListedKey[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_COUNTER_PAGES; pages += 1) {
      const page = await this.#options.store.list(cursor === undefined ? { prefix } : { prefix, cursor });
      keys.push(...page.keys);
      cursor = page.list_complete ? undefined : page.cursor;
      if (cursor === undefined) return { keys, complete: true };
    }
    return { keys, complete: false };
  }

  #lookFailed(shard: Shard, reason: string): void {
    shard.lookFaults += 1;
    this.#report(shard, "list", reason, shard.lookFaults);
  }

  #report({ bucket, window }: Shard, operation: "list" | "put", reason: string, inARow: number): void {
    this.#options.report({ operation, bucket, window, reason, inARow });
  }
}

/** Runs an operation of the store and turns its rejection into a value. */
async function attempt<T>(
  operation: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; reason: string }> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "no reason given" };
  }
}
