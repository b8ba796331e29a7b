/** The decision about one call: pure, and the same for every limiter. */
import type { Window } from "../vocabulary.ts";
import type { Decision, Limit, LimitState } from "./limiter.ts";
import { type Counter, resetAfter, spend, usedAt, waitFor } from "./window.ts";

/** What of a limit a decision rests on. */
interface Bound {
  max: number;
  window: Window;
}

/** A limit and the counter it is held against. */
export interface Usage<Held extends Bound = Limit> {
  limit: Held;
  counter: Counter;
}

/**
 * A cost as the counters take it: whole and not negative, or NaN, which compares with no limit and so never
 * fits.
 */
export function wholeCost(cost: number): number {
  return Number.isFinite(cost) ? Math.max(0, Math.ceil(cost)) : Number.NaN;
}

/** How a limit stands at `now`. */
export function stateOf<Held extends Bound>({ limit, counter }: Usage<Held>, now: number): LimitState<Held> {
  const used = usedAt(counter, limit.window, now);
  const left = Math.max(0, Math.floor(limit.max) - used);
  return {
    limit,
    used,
    left,
    moreMs: waitFor(counter, limit.window, now, limit.max, left + 1) ?? 0,
    resetMs: resetAfter(counter, limit.window, now),
  };
}

/** Whether a call of `cost` is admitted by all of its limits at `now`, and if not, by when it would be. */
export function decide<Held extends Bound>(
  usages: readonly Usage<Held>[],
  cost: number,
  now: number,
): Decision<Held> {
  const refusal = longestWait(usages, cost, now);
  if (refusal === null) {
    const spent = usages.map(({ limit, counter }) => ({ limit, counter: spend(counter, cost) }));
    return { admitted: true, states: spent.map((usage) => stateOf(usage, now)) };
  }
  return {
    admitted: false,
    because: "used up",
    ...refusal,
    states: usages.map((usage) => stateOf(usage, now)),
  };
}

interface Wait<Held> {
  refusedBy: Held;
  retryAfterMs: number | null;
}

/**
 * The limit that admits the call last, or null where all admit it now. Without other calls a limit that
 * admits goes on admitting, so the last one to admit is the moment at which all do.
 */
function longestWait<Held extends Bound>(
  usages: readonly Usage<Held>[],
  cost: number,
  now: number,
): Wait<Held> | null {
  let longest: Wait<Held> | null = null;
  for (const { limit, counter } of usages) {
    const retryAfterMs = waitFor(counter, limit.window, now, limit.max, cost);
    if (retryAfterMs === null) return { refusedBy: limit, retryAfterMs };
    if (retryAfterMs > (longest?.retryAfterMs ?? 0)) longest = { refusedBy: limit, retryAfterMs };
  }
  return longest;
}
