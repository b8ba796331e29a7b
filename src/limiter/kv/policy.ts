/**
 * When an isolate may admit a call by itself, when it first claims room in KV and looks who else did, how much it
 * claims at once, and when it gives back what it does not need: pure functions of what it knows. The measure is what
 * is at stake: the calls that isolates don't yet know of each other, against what is left of the limit.
 */
import { BACKGROUND_PATIENCE_MS, KV_WRITE_INTERVAL_MS, MAX_BACKGROUND_WAIT_MS } from "../../limits.ts";

/** What an isolate knows about a call that is to be decided. */
export interface Stake {
  /** What the call would make it admit beyond what others count as its own, the call included. */
  beyond: number;
  /** What is left of the limit by what is known and expected of all, the call not counted. */
  left: number;
  cost: number;
  /** Isolates that share the limit, this one included. */
  isolates: number;
}

/**
 * Whether a call is covered by a block that was claimed before; whether so little is at stake that nobody need know
 * of it; whether more should be claimed while it is admitted; or whether to ask before it is decided.
 */
export type Course = "covered" | "calm" | "renew" | "ask";

/** Unknown calls that are less than this share of what is left are not worth an operation. */
const CALM_SHARE = 0.4;

/** Unknown calls up to this share of what is left are admitted while more is claimed in the background. */
const RENEW_SHARE = 0.5;

/**
 * Isolates supposed to share a bucket that an isolate does not know well: twice what a busy Worker runs in one place, for
 * with half as many those of a burst that all start together exceed their limit before they know of each other.
 */
export const SUPPOSED_ISOLATES = 40;

/** What to do about a call: every isolate is supposed to hold back as much from the others as this one. */
export function courseOf(stake: Stake): Course {
  if (stake.beyond === 0) return "covered";
  const share = shareAtStake(stake);
  if (share <= CALM_SHARE) return "calm";
  return share <= RENEW_SHARE ? "renew" : "ask";
}

/**
 * Whether a call that could not be asked about stays within this isolate's part of what is left. Parts are rounded up,
 * for where less than one call is left to each, one of them may still have it.
 */
export function isFair(stake: Stake): boolean {
  return stake.beyond <= Math.ceil(seenLeft(stake) / stake.isolates);
}

/** What all isolates may hold back from each other, as a share of what others see as left. */
export function shareAtStake(stake: Stake): number {
  const left = seenLeft(stake);
  return left <= 0 ? Number.POSITIVE_INFINITY : (stake.beyond * stake.isolates) / left;
}

function seenLeft({ beyond, left, cost }: Stake): number {
  return left - cost + beyond;
}

/** What the size of a claim depends on. */
export interface Demand {
  /** What waits to be decided. */
  asked: number;
  /** What is left of the limit by what is known and expected of all. */
  left: number;
  isolates: number;
  /** Calls a millisecond that this isolate admits. */
  pace: number;
  /** How long what is claimed is of use, in milliseconds. */
  usefulMs: number;
}

/**
 * How many calls to claim: those that wait, and those to be expected as long as the claim is of use; but no more than
 * this isolate's part of what is left, one part being kept for an isolate that is not known yet.
 */
export function claimSize({ asked, left, isolates, pace, usefulMs }: Demand): number {
  const expected = Math.ceil(pace * usefulMs);
  const part = Math.floor(Math.max(0, left - asked) / (isolates + 1));
  return asked + Math.min(expected, part);
}

/** The longest pause after failures in a row; each one doubles it up to here. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * The first moment at which a key may be written to again after a write that ended at `wroteAt`. Clocks are read in
 * whole milliseconds, so one more makes sure of a whole second. A clock that was set back makes it now and a second.
 */
export function mayWriteFrom(wroteAt: number | null, faults: number, now: number): number {
  return wroteAt === null ? now : Math.min(wroteAt, now) + pause(KV_WRITE_INTERVAL_MS + 1, faults);
}

/**
 * Whether a write due at `at` is worth waiting for in the background. One further away is left to a later
 * call, for the platform ends background work soon after the reply.
 */
export function isWorthWaiting(at: number, now: number): boolean {
  return at - now <= MAX_BACKGROUND_WAIT_MS;
}

/**
 * Whether background work begun or planned for `moment` may still be carried out: long past it, or with the
 * clock set back to long before it, the work is taken to have ended with its request.
 */
export function isAlive(moment: number, now: number): boolean {
  return now - moment < BACKGROUND_PATIENCE_MS && isWorthWaiting(moment, now);
}

/** Whether a plan is there that writes no later than `at`. */
export function isPlanned(plan: { at: number } | null, at: number, now: number): boolean {
  return plan !== null && plan.at <= at && isAlive(plan.at, now);
}

/** Whether to look again `afterMs` after the last look. A clock that was set back makes every look due. */
export function isLookDue(
  { lookedAt, faults }: { lookedAt: number | null; faults: number },
  afterMs: number,
  now: number,
): boolean {
  if (lookedAt === null || lookedAt > now) return true;
  return now - lookedAt >= pause(afterMs, faults);
}

function pause(milliseconds: number, faults: number): number {
  return Math.min(milliseconds * 2 ** faults, Math.max(milliseconds, LONGEST_PAUSE_MS));
}
