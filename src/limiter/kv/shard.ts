/** The state of one counter in one isolate, and how that changes. No input or output. */
import type { Window } from "../../vocabulary.ts";
import type { Limit } from "../limiter.ts";
import type { Entry } from "../table.ts";
import {
  advance,
  type Counter,
  emptyCounter,
  giveBack,
  spend,
  sum,
  usedAt,
  windowMs,
  windowsThatCount,
} from "../window.ts";
import { type Others, strangers } from "./others.ts";
import { emptyPace, type Pace, paced } from "./pace.ts";

/** The state of one counter in one isolate. Moments are milliseconds since the epoch; null is never. */
export interface Shard extends Entry {
  readonly bucket: string;
  readonly window: Window;
  /** What this isolate has admitted. */
  own: Counter;
  /** Up to what `own.current` may grow without asking anybody: the others count it as spent. */
  granted: number;
  /** What the store holds of this isolate: what it admitted, and the block of calls that it claimed in advance. */
  published: Counter;
  /** Since when that is something else than what was admitted; null where it is not. */
  unsettledSince: number | null;
  others: Others;
  /** How fast this isolate has been admitting calls. */
  pace: Pace;
  /** When the last look began, and how many have begun. */
  lookedAt: number | null;
  looks: number;
  /** When the last write to a key of this counter ended. */
  wroteAt: number | null;
  /** Looks and writes that failed in a row. */
  lookFaults: number;
  writeFaults: number;
  /** The write, claim and plan under way. A newer object replaces one that never ended. */
  writing: { since: number } | null;
  claiming: Claiming | null;
  plan: { at: number } | null;
}

/** A claim under way: a write and the look after it. */
export interface Claiming {
  since: number;
  /** While it is open, calls that wait for it are counted in. */
  open: boolean;
  asked: number;
  ended: Promise<void>;
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
    granted: 0,
    published: empty,
    unsettledSince: null,
    others: strangers(window, now),
    pace: emptyPace(now),
    lookedAt: null,
    looks: 0,
    wroteAt: null,
    lookFaults: 0,
    writeFaults: 0,
    writing: null,
    claiming: null,
    plan: null,
  };
}

/** Moves a shard's counters to the window around `now`. A block claimed in another window is good for nothing. */
export function advanceShard(shard: Shard, now: number): void {
  const { own, published, others, window } = shard;
  shard.own = advance(own, window, now);
  if (shard.own !== own) {
    shard.granted = shard.own.current;
    shard.published = advance(published, window, now);
  }
  const counter = advance(others.counter, window, now);
  if (counter !== others.counter) shard.others = { ...others, counter };
}

/** What all isolates have counted, as far as this one knows. The shard stands at the present. */
export function knownCount({ own, others }: Shard): Counter {
  return sum(own, others.counter);
}

/** What a call of `amount` would make this isolate admit beyond what the others count as its own. */
export function beyondGrant({ own, granted, published }: Shard, amount: number): number {
  const current = Math.max(0, own.current + amount - granted);
  return current + Math.max(0, own.previous - Math.max(0, published.previous));
}

/** Counts an admitted call. The shard stands at the present. */
export function spendOn(shard: Shard, amount: number, now: number): void {
  shard.own = spend(shard.own, amount);
  shard.pace = paced(shard.pace, amount, now);
  noteUnsettled(shard, now);
}

/** Takes back a call that was never sent. The shard stands at the present. */
export function giveBackTo(shard: Shard, amount: number, now: number): void {
  shard.own = giveBack(shard.own, amount);
  noteUnsettled(shard, now);
}

/** Notes that a look begins; its number. */
export function beginLook(shard: Shard, now: number): number {
  shard.looks += 1;
  shard.lookedAt = now;
  return shard.looks;
}

/**
 * Takes over as much of what was claimed as there is room for by what the others have claimed. Of two isolates that
 * claimed the same room, at least one sees the other's claim, for both wrote before they looked.
 */
export function takeGrant(shard: Shard, max: number, now: number): void {
  const { own, others, published, window } = shard;
  const claimed = sum({ ...own, current: published.current }, others.counter);
  const excess = Math.max(0, usedAt(claimed, window, now) - Math.floor(max));
  shard.granted = Math.max(own.current, published.current - excess);
  noteUnsettled(shard, now);
}

/** How far what the store holds is from what was admitted, either way. */
export function difference({ own, published }: Shard): number {
  return Math.abs(own.current - published.current) + Math.abs(own.previous - published.previous);
}

/** What this isolate admitted and the store does not hold. */
export function owed({ own, published }: Shard): number {
  return Math.max(0, own.current - published.current) + Math.max(0, own.previous - published.previous);
}

/** What the others count that this isolate neither admitted nor may admit without asking. */
export function overstated({ own, granted, published }: Shard): number {
  return Math.max(0, published.current - Math.max(granted, own.current));
}

/**
 * Takes this window's count and a block of `extra` calls beyond it, to be written, and notes it as published. What is
 * granted stays claimed, for it may be spent meanwhile.
 */
export function takeClaim(shard: Shard, extra: number): OwnCount {
  const count = Math.max(shard.granted, shard.own.current + extra);
  shard.published = { ...shard.published, current: count };
  return { start: shard.own.start, count };
}

/** Takes what was admitted, one entry a window that counts, to be written, and notes it as published. */
export function takeUnsettled(shard: Shard): OwnCount[] {
  const { own, published, window } = shard;
  const counts: OwnCount[] = [];
  if (own.current !== published.current) counts.push({ start: own.start, count: own.current });
  if (windowsThatCount(window) === 2 && own.previous !== published.previous) {
    counts.push({ start: own.start - windowMs(window), count: own.previous });
  }
  shard.published = own;
  shard.granted = own.current;
  shard.unsettledSince = null;
  return counts;
}

/** Notes that a count which was taken did not reach the store, so that it is written again. */
export function markUnpublished(shard: Shard, { start }: OwnCount, now: number): void {
  const { own, published, window } = shard;
  if (start === published.start) {
    shard.published = { ...published, current: UNKNOWN };
    shard.granted = own.current;
  } else if (start === published.start - windowMs(window)) {
    shard.published = { ...published, previous: UNKNOWN };
  }
  shard.unsettledSince ??= now;
}

function noteUnsettled(shard: Shard, now: number): void {
  shard.unsettledSince = difference(shard) === 0 ? null : (shard.unsettledSince ?? now);
}
