import type { Window } from "../vocabulary.ts";

/** One limit that applies to a call. */
export interface Limit {
  /** Who shares it, e.g. `upstream:tickdb-market-data`, `function:get_kline` or `key:…`. */
  bucket: string;
  /**
   * Buckets of one group are counted in one place where there is such a place, e.g. all that calls of one upstream
   * count against, so that a call asks one place only.
   */
  group: string;
  /** How to name it to people. */
  label: string;
  /** What may be spent within one window. */
  max: number;
  /** A minute slides; a day is that of a time zone and starts anew at its midnight. */
  window: Window;
}

/** How a limit stands. */
export interface LimitState<Held = Limit> {
  limit: Held;
  /** Whole calls used, rounded up where part of the previous minute still weighs. */
  used: number;
  /** The most that one call may cost and still be admitted now. */
  left: number;
  /** Milliseconds until more is left than now, given no other calls; 0 where all of it is. */
  moreMs: number;
  /** Milliseconds until all of it is free again, given no other calls. */
  resetMs: number;
}

/** What becomes of a call. */
export type Decision<Held = Limit> =
  /** The call is counted. `states` are those after it. */
  { admitted: true; states: LimitState<Held>[] } | Refusal<Held>;

/**
 * Nothing is counted. `refusedBy` is the limit to wait longest for, and `retryAfterMs` the time until the same call
 * would be admitted by all limits, given no other calls; null where it never will be, because its cost alone is above
 * the limit's `max`.
 */
export interface Refusal<Held = Limit> {
  admitted: false;
  /** Whether the limit is used up, or its bucket closed for everybody at an upstream's word. */
  because: "used up" | "closed";
  refusedBy: Held;
  retryAfterMs: number | null;
  states: LimitState<Held>[];
}

/**
 * Counts calls against limits. Limits with the same bucket and window share one counter, and a call counts in
 * it once. A cost is a whole number from 0; fractions are rounded up, and what is not finite is never
 * admitted. No method rejects: an implementation whose store fails decides on what it knows.
 */
export interface Limiter {
  /**
   * All limits are checked together: admitted by all or by none; a refused call costs nothing.
   * @param mayWait whether the reply may wait for what isolates share in KV; without that, what is known decides
   */
  admit(limits: readonly Limit[], cost: number, mayWait?: boolean): Promise<Decision>;
  /**
   * Gives back what an admitted call spent that was then never sent: the same limits and cost, once. To be
   * used at once; a call admitted before the turn of a window is given back from the window after it.
   */
  release(limits: readonly Limit[], cost: number): void;
  /** Current use, without spending. */
  look(limits: readonly Limit[]): Promise<LimitState[]>;
}
