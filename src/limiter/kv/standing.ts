/** How one counter of one isolate stands towards a limit: what the policy's rules are asked with. */
import { KV_WRITE_INTERVAL_MS, MAX_BACKGROUND_WAIT_MS } from "../../limits.ts";
import { usedAt, windowMs, windowsThatCount } from "../window.ts";
import { expectedGrowth, isAcquainted, isFresh } from "./others.ts";
import { paceAt } from "./pace.ts";
import {
  type Course,
  claimSize,
  courseOf,
  isAlive,
  isFair,
  mayWriteFrom,
  type Stake,
  SUPPOSED_ISOLATES,
  shareAtStake,
} from "./policy.ts";
import { beyondGrant, difference, knownCount, overstated, owed, type Shard } from "./shard.ts";

/** A counter, at the present, and what calls on it are held to. */
export interface Claimant {
  shard: Shard;
  max: number;
}

/** A claimed block that is not used for so long is given back. */
const IDLE_MS = 10_000;

/** What to do about a call of `cost`. */
export function courseFor(claimant: Claimant, cost: number, now: number): Course {
  const { shard } = claimant;
  // A store that fails is asked in the background until it is back, and no call is refused meanwhile.
  if (isFailing(shard)) return "renew";
  return isBlind(shard, now) ? "ask" : courseOf(stakeOf(claimant, cost, now));
}

/** Whether a call is surely this isolate's to admit, or at least within its part of what is left. */
export function mayAdmit(claimant: Claimant, cost: number, now: number): boolean {
  return (
    courseFor(claimant, cost, now) !== "ask" ||
    isFair({ ...stakeOf(claimant, cost, now), isolates: claimant.shard.others.isolates + 1 })
  );
}

/**
 * The counter whose exchange a call is to wait for, of several. A day's of which nothing is known comes first, because
 * it may have been used up by isolates that have ended since; then the one of which most is at stake.
 */
export function mostPressing(claimants: readonly Claimant[], cost: number, now: number): Claimant | null {
  const pressure = (claimant: Claimant): number =>
    windowsThatCount(claimant.shard.window) === 1 && isBlind(claimant.shard, now)
      ? Number.POSITIVE_INFINITY
      : shareAtStake(stakeOf(claimant, cost, now));
  const [most] = claimants.toSorted((one, other) => (pressure(one) < pressure(other) ? 1 : -1));
  return most ?? null;
}

function isFailing({ lookFaults, writeFaults }: Shard): boolean {
  return lookFaults > 0 || writeFaults > 0;
}

/** What was spent two minutes ago has no say in a minute's limit any more, but all of it in a day's. */
function isBlind({ others, window }: Shard, now: number): boolean {
  return others.seenAt === null || (windowsThatCount(window) === 1 && !isFresh(others, now));
}

function stakeOf({ shard, max }: Claimant, cost: number, now: number): Stake {
  return {
    beyond: beyondGrant(shard, cost),
    left: expectedLeft({ shard, max }, now),
    cost,
    isolates: supposedIsolates(shard, now),
  };
}

/** How much more than what was admitted the next claim is for, with calls of `asked` waiting for it. */
export function nextClaim({ shard, max }: Claimant, asked: number, now: number): number {
  const left = expectedLeft({ shard, max }, now);
  const known = Math.max(0, Math.floor(max) - usedAt(knownCount(shard), shard.window, now));
  const isolates = shard.others.isolates + 1;
  const pace = paceAt(shard.pace, now);
  return Math.min(known, claimSize({ asked, left, isolates, pace, usefulMs: usefulMs(shard, now) }));
}

/** A claim is of use until the window ends; of a day's, no more is taken than for a while. */
function usefulMs({ own, window }: Shard, now: number): number {
  return windowsThatCount(window) === 1 ? MAX_BACKGROUND_WAIT_MS : own.start + windowMs(window) - now;
}

/** What is to be done about a store that holds something else than what was admitted. */
export interface Settlement {
  at: number;
  /** Whether room is to be claimed for what was admitted without asking; or else only the count written. */
  claims: boolean;
}

/** When to settle with the store, and how; null where it may go on holding what it holds. */
export function settlementOf(claimant: Claimant, now: number): Settlement | null {
  const { shard } = claimant;
  const { unsettledSince, writeFaults, window, pace, own, published } = shard;
  if (unsettledSince === null || difference(shard) === 0) return null;
  const allowed = writableFrom(shard, now);
  // What is owed to a window that has ended can only be written.
  const claims = own.current > published.current && own.previous <= published.previous;
  if (writeFaults > 0) return { at: allowed, claims };
  const isUrgent =
    matters(owed(shard), claimant, now) ||
    (overstated(shard) > 0 && matters(difference(shard), claimant, now));
  if (isUrgent) return { at: allowed, claims };
  // A day is long: what an isolate keeps to itself is lost with it.
  const isLong = windowsThatCount(window) === 1;
  if (!isLong && !matters(difference(shard), claimant, now)) return null;
  const quiet = isLong ? unsettledSince + MAX_BACKGROUND_WAIT_MS : pace.at + IDLE_MS;
  return { at: Math.max(allowed, Math.min(quiet, now + MAX_BACKGROUND_WAIT_MS)), claims: false };
}

/** Whether what the store holds too much or too little of each isolate comes to half of what is left. */
function matters(amount: number, claimant: Claimant, now: number): boolean {
  return amount * supposedIsolates(claimant.shard, now) * 2 > expectedLeft(claimant, now);
}

/** From when on the keys of a counter may be written to, as things stand. */
export function writableFrom({ writing, claiming, wroteAt, writeFaults }: Shard, now: number): number {
  const isBusy = [writing, claiming].some((work) => work !== null && isAlive(work.since, now));
  return isBusy ? now + KV_WRITE_INTERVAL_MS : mayWriteFrom(wroteAt, writeFaults, now);
}

/** What is left by what is known of all and expected of the others since. */
function expectedLeft({ shard, max }: Claimant, now: number): number {
  const { window, others } = shard;
  return Math.floor(max) - usedAt(knownCount(shard), window, now) - expectedGrowth(others, now);
}

/** The isolates that a call's risk is taken for: those that are known and one that may just be starting. */
function supposedIsolates({ others }: Shard, now: number): number {
  const known = others.isolates + 1;
  return isAcquainted(others, now) ? known + 1 : Math.max(known, SUPPOSED_ISOLATES);
}
