/**
 * When an isolate writes its count to KV and when it looks at those of the others: pure functions of what it
 * knows. The measure of both is what is at stake: the calls that isolates don't yet know of each other,
 * against what is left of the limit. Few calls of many left are not worth an operation.
 */
import { BACKGROUND_PATIENCE_MS, KV_WRITE_INTERVAL_MS, MAX_BACKGROUND_WAIT_MS } from "../limits.ts";

/** How much it matters that isolates learn of each other's calls. */
export type Urgency = "low" | "medium" | "high";

/**
 * Isolates supposed to serve a bucket as long as no more are known. One that is quiet writes nothing and so
 * is not known; ten is what a moderately busy Worker runs in one place.
 */
const SUPPOSED_ISOLATES = 10;

/** From these shares of what is left on, unknown calls matter much, or somewhat. */
const HIGH_SHARE = 0.5;
const MEDIUM_SHARE = 0.05;

/**
 * Time for calls to gather before they are written together. Urgent ones wait for nothing but the store's own
 * limit of one write a second; a minute keeps a day's loss small when an isolate ends before it has written.
 */
const WRITE_AFTER_MS: Record<Urgency, number> = { high: 0, medium: 5_000, low: 60_000 };

/**
 * Time between two looks. Writes show after tens of milliseconds in the same place and after up to a minute
 * elsewhere, so looking more often than every other second would mostly read the same again.
 */
const LOOK_AFTER_MS: Record<Urgency, number> = { high: 2_000, medium: 5_000, low: 60_000 };

/** The longest pause after failures in a row; each one doubles it up to here. */
const LONGEST_PAUSE_MS = 60_000;

/** What a write is decided on. Moments are milliseconds since the epoch; null is never. */
interface WriteView {
  urgency: Urgency;
  /** Since when there is something to write. */
  dirtySince: number;
  /** When this key was last written to. */
  wroteAt: number | null;
  /** Writes that failed in a row. */
  faults: number;
}

/** What a look at the others' counts is decided on. */
export interface LookView {
  urgency: Urgency;
  lookedAt: number | null;
  faults: number;
}

/**
 * How much `unseen` calls of one isolate matter when `left` remain: every isolate is supposed to hold back as
 * many as this one.
 */
export function urgencyOf(unseen: number, isolates: number, left: number): Urgency {
  const atStake = unseen * Math.max(isolates, SUPPOSED_ISOLATES);
  if (atStake > 0 && atStake >= left * HIGH_SHARE) return "high";
  return atStake > 0 && atStake >= left * MEDIUM_SHARE ? "medium" : "low";
}

/**
 * The moment from which on a count may and should be written. Moments after `now` come from a clock that was
 * set back since, and are taken as now.
 */
export function writeAt({ urgency, dirtySince, wroteAt, faults }: WriteView, now: number): number {
  const gathered = Math.min(dirtySince, now) + WRITE_AFTER_MS[urgency];
  if (wroteAt === null) return gathered;
  return Math.max(gathered, Math.min(wroteAt, now) + pause(KV_WRITE_INTERVAL_MS, faults));
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

/** Whether to look at the others' counts now. A clock that was set back makes every look due. */
export function isLookDue({ urgency, lookedAt, faults }: LookView, now: number): boolean {
  if (lookedAt === null || lookedAt > now) return true;
  return now - lookedAt >= pause(LOOK_AFTER_MS[urgency], faults);
}

/**
 * Whether a call that would be admitted waits for the look that is due: only where it may well be the one too
 * many, and not with a store that has just failed.
 */
export function isWorthLookingFirst(view: LookView, now: number): boolean {
  return view.urgency === "high" && view.faults === 0 && isLookDue(view, now);
}

function pause(milliseconds: number, faults: number): number {
  return Math.min(milliseconds * 2 ** faults, Math.max(milliseconds, LONGEST_PAUSE_MS));
}
