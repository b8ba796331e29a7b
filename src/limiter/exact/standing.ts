/** What passes between an isolate and an object that counts for all of them, and what either makes of it. */
import type { Window } from "../../vocabulary.ts";
import { decide, stateOf, type Usage } from "../decide.ts";
import type { Decision, Limit, LimitState } from "../limiter.ts";
import type { Counter } from "../window.ts";

/** A limit as an object needs to know it. */
export interface AskedLimit {
  bucket: string;
  max: number;
  window: Window;
}

/** Asks for a call to be admitted by all of these limits, and counted if it is. */
export interface Admission {
  limits: readonly AskedLimit[];
  /** Whole and not negative, or NaN, which nothing admits. */
  cost: number;
  /**
   * Names the call where other objects are asked for it too: what it spends is given back unless it is settled within
   * `HOLD_MS`. Null where this object alone decides.
   */
  hold: string | null;
}

/**
 * How limits stood when an object was asked, by its clock. The decision is not part of it: it follows from this, and
 * whoever asked comes to it by the same function as the object did.
 */
export interface Standing {
  /** Milliseconds since the epoch. */
  now: number;
  /** In the order of the limits; an admitted call is not yet counted in them. */
  counters: Counter[];
  /** Until when each limit's bucket is closed; 0 where it is open. */
  closedUntil: number[];
}

/** Counters of whoever counts for several isolates: an object, or in tests its core alone. */
export interface ExactCounters {
  admit(admission: Admission): Promise<Standing>;
  look(limits: readonly AskedLimit[]): Promise<Standing>;
  /** Gives back what an admitted call spent. */
  giveBack(limits: readonly AskedLimit[], cost: number): Promise<void>;
  /** Says of a call that was held whether it is made. The same may be said more than once. */
  settle(hold: string, isMade: boolean): Promise<void>;
  /**
   * Refuses every call that counts in a bucket until a moment. A moment and not a time, so that what travels late
   * closes no longer, and whoever has waited is let in.
   */
  close(bucket: string, until: number): Promise<void>;
}

/** The decision that follows from a standing. A bucket that is closed comes before limits that are used up. */
export function decideOn<Asked extends AskedLimit>(
  limits: readonly Asked[],
  { counters, closedUntil, now }: Standing,
  cost: number,
): Decision<Asked> {
  const usages = usagesOf(limits, counters);
  const closed = closedUntil.map((until, index) => ({ until, limit: limits[index] }));
  const [last] = closed.sort((left, right) => right.until - left.until);
  if (last?.limit === undefined || last.until <= now) return decide(usages, cost, now);
  return {
    admitted: false,
    because: "closed",
    refusedBy: last.limit,
    retryAfterMs: last.until - now,
    states: usages.map((usage) => stateOf(usage, now)),
  };
}

/** How limits stand, without a call. */
export function statesOn(limits: readonly Limit[], { counters, now }: Standing): LimitState[] {
  return usagesOf(limits, counters).map((usage) => stateOf(usage, now));
}

function usagesOf<Asked extends AskedLimit>(
  limits: readonly Asked[],
  counters: readonly Counter[],
): Usage<Asked>[] {
  return limits.flatMap((limit, index) => {
    const counter = counters[index];
    return counter === undefined ? [] : [{ limit, counter }];
  });
}
