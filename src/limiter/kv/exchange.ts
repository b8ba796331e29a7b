/**
 * How an isolate's counts get to KV and the others' counts from it: all of the limiter's input and output.
 */
import { COUNTER_DEADLINE_MS } from "../../limits.ts";
import { attempt, type CounterStore, listAll, type StoreFault } from "./counter-store.ts";
import { bucketInKeys, listPrefix, shardKey, tallyOthers, ttlSeconds } from "./keys.ts";
import { learned } from "./others.ts";
import { isAlive, isPlanned, isWorthWaiting } from "./policy.ts";
import {
  advanceShard,
  beginLook,
  type Claiming,
  markUnpublished,
  type OwnCount,
  type Shard,
  takeClaim,
  takeGrant,
  takeUnsettled,
} from "./shard.ts";
import { type Claimant, nextClaim, type Settlement, settlementOf, writableFrom } from "./standing.ts";

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
 * Publishes counts and claims, and looks at those of others. No method rejects: a fault is noted in the shard and
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
    this.#options.waitUntil(this.#look(shard).then(() => undefined));
  }

  /** Looks at the others' counts and waits for that, but no longer than a reply may wait. */
  async lookInTime(shards: readonly Shard[]): Promise<void> {
    const looks = shards.map((shard) => ({ shard, ended: this.#look(shard).then(() => undefined) }));
    for (const { ended } of looks) this.#options.waitUntil(ended);
    await this.#inTime(looks);
  }

  /** Whether a claim can be made now, or is being made. */
  canClaim(shard: Shard): boolean {
    const now = this.now();
    if (shard.claiming !== null && isAlive(shard.claiming.since, now)) return true;
    return writableFrom(shard, now) <= now;
  }

  /** Claims room for a call of `amount` and waits for that, but no longer than a reply may wait. */
  async claimInTime(claimant: Claimant, amount: number): Promise<void> {
    const { shard } = claimant;
    const ended = this.#claim(claimant);
    if (shard.claiming?.open === true) shard.claiming.asked += amount;
    await this.#inTime([{ shard, ended }]);
  }

  /** Claims room for the calls to come, in the background. */
  claimLater(claimant: Claimant): void {
    if (this.canClaim(claimant.shard)) void this.#claim(claimant);
  }

  /** Plans to write what the store should hold instead of what it holds, unless a plan is there that will do. */
  planSettlement(claimant: Claimant): void {
    const { shard } = claimant;
    const now = this.now();
    const settlement = settlementOf(claimant, now);
    if (settlement === null) return;
    const { at } = settlement;
    if (!isWorthWaiting(at, now) || isPlanned(shard.plan, at, now)) return;
    shard.plan = { at };
    this.#options.waitUntil(this.#carryOut(claimant, shard.plan, at - now));
  }

  /** The claim under way, or a new one. */
  #claim(claimant: Claimant): Promise<void> {
    const { shard } = claimant;
    const now = this.now();
    if (shard.claiming !== null && isAlive(shard.claiming.since, now)) return shard.claiming.ended;
    const { promise, resolve } = Promise.withResolvers<void>();
    const claiming = { since: now, open: true, asked: 0, ended: promise };
    shard.claiming = claiming;
    const work = this.#claimAndLook(claimant, claiming).then(() => {
      if (shard.claiming === claiming) shard.claiming = null;
      resolve();
    });
    this.#options.waitUntil(work);
    return promise;
  }

  /** Writes first and looks afterwards, so that of two isolates at least one sees the other's claim. */
  async #claimAndLook({ shard, max }: Claimant, claiming: Claiming): Promise<void> {
    // Calls made at the same moment are still to come; one claim is made for all of them.
    await Promise.resolve();
    claiming.open = false;
    const now = this.now();
    advanceShard(shard, now);
    const claim = takeClaim(shard, nextClaim({ shard, max }, claiming.asked, now));
    const written = await this.#write(shard, [claim]);
    const found = await this.#look(shard);
    if (!(written && found)) return;
    if (shard.own.start === claim.start) takeGrant(shard, max, this.now());
  }

  /**
   * Waits until a plan's moment has come and the write before it has ended, for of two writes under way at
   * once either may win. A plan that was replaced by an earlier one does nothing.
   */
  async #carryOut(claimant: Claimant, plan: { at: number }, waitMs: number): Promise<void> {
    const { shard } = claimant;
    if (waitMs > 0) await this.#options.sleep(waitMs);
    if (shard.plan !== plan) return;
    shard.plan = null;
    const now = this.now();
    advanceShard(shard, now);
    const settlement = settlementOf(claimant, now);
    if (settlement === null) return;
    if (settlement.at <= now) await this.#settle(claimant, settlement);
    this.planSettlement(claimant);
  }

  async #settle(claimant: Claimant, { claims }: Settlement): Promise<void> {
    if (claims) await this.#claim(claimant);
    else await this.#write(claimant.shard, takeUnsettled(claimant.shard));
  }

  /** Whether all of it was written. */
  async #write(shard: Shard, counts: readonly OwnCount[]): Promise<boolean> {
    const writing = { since: this.now() };
    shard.writing = writing;
    const written = await Promise.all(counts.map((count) => this.#put(shard, count)));
    if (shard.writing === writing) shard.writing = null;
    shard.wroteAt = this.now();
    return !written.includes(false);
  }

  async #put(shard: Shard, own: OwnCount): Promise<boolean> {
    const { store, isolateId } = this.#options;
    const key = shardKey(shard.window, await bucketInKeys(shard.bucket), own.start, isolateId);
    const options = { expirationTtl: ttlSeconds(shard.window), metadata: { count: own.count } };
    const written = await attempt(() => store.put(key, "", options));
    if (written.ok) {
      shard.writeFaults = 0;
      return true;
    }
    shard.writeFaults += 1;
    markUnpublished(shard, own, this.now());
    this.#report(shard, "put", written.reason, shard.writeFaults);
    return false;
  }

  /** Whether something was learned. */
  async #look(shard: Shard): Promise<boolean> {
    const { window, own } = shard;
    const begunAt = this.now();
    const order = beginLook(shard, begunAt);
    const bucket = await bucketInKeys(shard.bucket);
    const listed = await attempt(() => listAll(this.#options.store, listPrefix(window, bucket, own.start)));
    if (!listed.ok) {
      this.#lookFailed(shard, listed.reason);
      return false;
    }
    const { keys, complete } = listed.value;
    const counter = { window, bucket, start: own.start, isolateId: this.#options.isolateId };
    const { unreadable, ...tally } = tallyOthers(keys, counter);
    shard.lookFaults = 0;
    shard.others = learned(shard.others, { ...tally, start: own.start, order, begunAt }, window);
    advanceShard(shard, this.now());
    if (!complete) this.#report(shard, "list", `more than ${keys.length} counts`, 0);
    if (unreadable > 0) this.#report(shard, "list", `counts that could not be read: ${unreadable}`, 0);
    return true;
  }

  /** Waits for work on shards until the deadline; what has not ended by then counts as a look that failed. */
  async #inTime(works: readonly { shard: Shard; ended: Promise<void> }[]): Promise<void> {
    if (works.length === 0) return;
    const late = new Set(works.map(({ shard }) => shard));
    const all = works.map(({ shard, ended }) => ended.then(() => late.delete(shard)));
    await Promise.race([Promise.all(all), this.#options.sleep(COUNTER_DEADLINE_MS)]);
    for (const shard of late) this.#lookFailed(shard, `no answer within ${COUNTER_DEADLINE_MS} ms`);
  }

  #lookFailed(shard: Shard, reason: string): void {
    shard.lookFaults += 1;
    this.#report(shard, "list", reason, shard.lookFaults);
  }

  #report({ bucket, window }: Shard, operation: "list" | "put", reason: string, inARow: number): void {
    this.#options.report({ operation, bucket, window, reason, inARow });
  }
}
