/** The decision about one call: pure, and the same for every limiter. */
import type { Decision, Limit, LimitState } from "./limiter.ts";
import { type Counter, resetAfter, spend, usedAt, waitFor } from "./window.ts";

/** A limit and the counter it is held against. */
export interface Usage {
  limit: Limit;
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
export function stateOf({ limit, counter }: Usage, now: number): LimitState {
  const used = usedAt(counter, limit.window, now);
  return {
    limit,
    used,
    left: Math.max(0, Math.floor(limit.max) - used),
    resetMs: resetAfter(counter, limit.window, now),
  };
}

/** Whether a call of `cost` is admitted by all of its limits at `now`, and if not, by when it would be. */
export function decide(usages: readonly Usage[], cost: number, now: number): Decision {
  const refusal = longestWait(usages, cost, now);
  if (refusal === null) {
    const spent = usages.map(({ limit, counter }) => ({ limit, counter: spend(counter, cost) }));
    return { admitted: true, states: spent.map((usage) => stateOf(usage, now)) };
  }
  return { admitted: false, ...refusal, states: usages.map((usage) => stateOf(usage, now)) };
}

interface Refusal {
  refusedBy: Limit;
  retryAfterMs: number | null;
}

/**
 * The limit that admits the call last, or null where all admit it now. Without other calls a limit that
 * admits goes on admitting, so the last one to admit is the moment at which all do.
 */
function longestWait(usages: readonly Usage[], cost: number, now: number): Refusal | null {
  let longest: Refusal | null = null;
  for (const { limit, counter } of usages) {
    const retryAfterMs = waitFor(counter, limit.window, now, limit.max, cost);
    if (retryAfterMs === null) return { refusedBy: limit, retryAfterMs };
    if (retryAfterMs > (longest?.retryAfterMs ?? 0)) longest = { refusedBy: limit, retryAfterMs };
  }
  return longest;
}
