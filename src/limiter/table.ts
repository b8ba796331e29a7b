import type { Window } from "../vocabulary.ts";
import type { Limit } from "./limiter.ts";
import { type Counter, isPast, windowMs } from "./window.ts";

/** What a table holds for a bucket and a window: at least what this process itself has counted. */
export interface Entry {
  window: Window;
  own: Counter;
}

/**
 * Entries by bucket and window; those whose windows are past are forgotten, so memory follows current use.
 */
export class CounterTable<Held extends Entry> {
  readonly #entries = new Map<string, Held>();
  readonly #create: (limit: Limit, now: number) => Held;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(create: (limit: Limit, now: number) => Held) {
    this.#create = create;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The entry of a limit, made where there is none. Limits with the same bucket and window get the same one.
   */
  entry(limit: Limit, now: number): Held {
    const key = `${limit.window}:${limit.bucket}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    this.#sweepSometimes(now);
    const made = this.#create(limit, now);
    this.#entries.set(key, made);
    return made;
  }

  /**
   * Goes over all entries when one is added, but once a minute at most, so that a call seldom pays for it.
   */
  #sweepSometimes(now: number): void {
    const elapsed = now - this.#sweptAt;
    if (elapsed >= 0 && elapsed < windowMs("minute")) return;
    this.#sweptAt = now;
    for (const [key, { own, window }] of this.#entries) {
      if (isPast(own, window, now)) this.#entries.delete(key);
    }
  }
}
