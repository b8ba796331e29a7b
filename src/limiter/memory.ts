import { decide, stateOf, wholeCost } from "./decide.ts";
import type { Decision, Limit, Limiter, LimitState } from "./limiter.ts";
import { CounterTable, type Entry } from "./table.ts";
import { advance, emptyCounter, giveBack, spend } from "./window.ts";

/**
 * A limiter that counts in this process alone: exact for a single process, no limit at all across several.
 * `now` gives milliseconds since the epoch.
 */
export function createMemoryLimiter(now: () => number): Limiter {
  return new MemoryLimiter(now);
}

/** A limit and its counter. */
interface Held {
  limit: Limit;
  entry: Entry;
}

class MemoryLimiter implements Limiter {
  readonly #now: () => number;
  readonly #table = new CounterTable<Entry>(({ window }, now) => ({
    window,
    own: emptyCounter(window, now),
  }));

  constructor(now: () => number) {
    this.#now = () => Math.floor(now());
  }

  /** Nothing is awaited between the decision and the spending, so no other call comes between them. */
  async admit(limits: readonly Limit[], cost: number): Promise<Decision> {
    const now = this.#now();
    const amount = wholeCost(cost);
    const held = this.#hold(limits, now);
    const decision = decide(held.map(usageOf), amount, now);
    if (decision.admitted) for (const entry of distinctEntries(held)) entry.own = spend(entry.own, amount);
    return decision;
  }

  release(limits: readonly Limit[], cost: number): void {
    for (const entry of distinctEntries(this.#hold(limits, this.#now()))) {
      entry.own = giveBack(entry.own, wholeCost(cost));
    }
  }

  async look(limits: readonly Limit[]): Promise<LimitState[]> {
    const now = this.#now();
    return this.#hold(limits, now).map((held) => stateOf(usageOf(held), now));
  }

  /** The counters of the limits, moved to the present. */
  #hold(limits: readonly Limit[], now: number): Held[] {
    return limits.map((limit) => {
      const entry = this.#table.entry(limit, now);
      entry.own = advance(entry.own, limit.window, now);
      return { limit, entry };
    });
  }
}

function usageOf({ limit, entry }: Held) {
  return { limit, counter: entry.own };
}

/** Limits may share a counter; what is done to counters is done once to each. */
function distinctEntries(held: readonly Held[]): Entry[] {
  return [...new Set(held.map(({ entry }) => entry))];
}
