/** What one isolate knows of one counter, and how that changes. No input or output. */
import type { WindowName } from "../vocabulary.ts";
import type { Limit } from "./limiter.ts";
import type { Entry } from "./table.ts";
import {
  advance,
  type Counter,
  emptyCounter,
  giveBack,
  spend,
  sum,
  windowMs,
  windowsThatCount,
} from "./window.ts";

/** The state of one counter in one isolate. Moments are milliseconds since the epoch; null is never. */
export interface Shard extends Entry {
  readonly bucket: string;
  readonly window: WindowName;
  /** What this isolate has counted. */
  own: Counter;
  /** What of that has been handed to the store. */
  published: Counter;
  /** What the other isolates had counted at the last look, and how many they were. */
  others: Counter;
  otherIsolates: number;
  /** Spent here since the last look. */
  spentSinceLook: number;
  lookedAt: number | null;
  /** Looks begun, and the latest of them that told something. */
  looks: number;
  learnedFrom: number;
  lookFaults: number;
  /** Since when there is something to write; null where there is nothing. */
  dirtySince: number | null;
  wroteAt: number | null;
  writeFaults: number;
  /**
   * The write that is under way, and the one that is planned. A newer object replaces one that never ended.
   */
  writing: { since: number } | null;
  plan: { at: number } | null;
}

/** Stands for what the store holds after a failed write. No count equals it, so the next write mends it. */
const UNKNOWN = -1;

/** One window's own count, to be written. */
export interface OwnCount {
  start: number;
  count: number;
}

/** A shard that has counted nothing and knows of nobody. */
export function newShard({ bucket, window }: Limit, now: number): Shard {
  const empty = emptyCounter(window, now);
  return {
    bucket,
    window,
    own: empty,
    published: empty,
    others: empty,
    otherIsolates: 0,
    spentSinceLook: 0,
    lookedAt: null,
    looks: 0,
    learnedFrom: 0,
    lookFaults: 0,
    dirtySince: null,
    wroteAt: null,
    writeFaults: 0,
    writing: null,
    plan: null,
  };
}

/** Moves a shard's counters to the window around `now`. */
export function advanceShard(shard: Shard, now: number): void {
  shard.own = advance(shard.own, shard.window, now);
  shard.published = advance(shard.published, shard.window, now);
  shard.others = advance(shard.others, shard.window, now);
}

/** What all isolates have counted, as far as this one knows. The shard stands at the present. */
export function knownCount(shard: Shard): Counter {
  return sum(shard.own, shard.others);
}

/** Counts an admitted call. The shard stands at the present. */
export function spendOn(shard: Shard, amount: number, now: number): void {
  shard.own = spend(shard.own, amount);
  shard.spentSinceLook += amount;
  shard.dirtySince ??= now;
}

/** Takes back a call that was never sent. The shard stands at the present. */
export function giveBackTo(shard: Shard, amount: number, now: number): void {
  shard.own = giveBack(shard.own, amount);
  shard.dirtySince ??= now;
}

/** Notes that a look begins; its number, and what had been spent since the one before. */
export function beginLook(shard: Shard, now: number): { order: number; unseen: number } {
  const unseen = shard.spentSinceLook;
  shard.looks += 1;
  shard.lookedAt = now;
  shard.spentSinceLook = 0;
  return { order: shard.looks, unseen };
}

/**
 * What a look has found: the others' counts around the window from `start`, by the look of number `order`.
 */
export interface Finding {
  start: number;
  current: number;
  previous: number;
  isolates: number;
  order: number;
}

/** Takes over what a look has found, unless one that began later has told more already. */
export function learn(shard: Shard, { order, isolates, start, current, previous }: Finding): void {
  shard.lookFaults = 0;
  if (order < shard.learnedFrom) return;
  shard.learnedFrom = order;
  shard.otherIsolates = isolates;
  shard.others = { start, current, previous };
}

/** How many calls the other isolates can't know of yet, those given back included. */
export function unpublishedCount({ own, published }: Shard): number {
  return Math.abs(own.current - published.current) + Math.abs(own.previous - published.previous);
}

/** Takes what is to be written, one entry a window that counts, and notes it as published. */
export function takeUnpublished(shard: Shard): OwnCount[] {
  const { own, published, window } = shard;
  const counts: OwnCount[] = [];
  if (own.current !== published.current) counts.push({ start: own.start, count: own.current });
  if (windowsThatCount(window) === 2 && own.previous !== published.previous) {
    counts.push({ start: own.start - windowMs(window), count: own.previous });
  }
  shard.published = own;
  shard.dirtySince = null;
  return counts;
}

/** Notes that a count which was taken did not reach the store, so that it is written again. */
export function markUnpublished(shard: Shard, { start }: OwnCount, now: number): void {
  const { published, window } = shard;
  if (start === published.start) shard.published = { ...published, current: UNKNOWN };
  else if (start === published.start - windowMs(window))
    shard.published = { ...published, previous: UNKNOWN };
  shard.dirtySince ??= now;
}
