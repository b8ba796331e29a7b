import { CLOCK_TOLERANCE_MS } from "../../limits.ts";

interface Entry<Value> {
  value: Value;
  size: number;
  /** Milliseconds since 1970. */
  setAt: number;
  expiresAt: number;
}

/**
 * Values kept for a time each, at most so many and of at most such a size in all; the longest unused go first. What was
 * set at a time that is yet to come, by a clock that has been set back since, is not kept: nobody knows its age.
 */
export class ExpiringMap<Value> {
  readonly #now: () => number;
  readonly #maxEntries: number;
  readonly #maxSize: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Value>>();
  #size = 0;

  /** @param maxSize in the unit of the sizes that `set` is told */
  constructor(now: () => number, maxEntries: number, maxSize = Number.POSITIVE_INFINITY) {
    this.#now = now;
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** Values that are kept, those included whose time is over and that nobody has asked for since. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.delete(key);
    const now = this.#now();
    if (entry.expiresAt <= now || entry.setAt > now + CLOCK_TOLERANCE_MS) return undefined;
    this.#insert(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, ttlMs: number, size = 1): void {
    this.delete(key);
    const setAt = this.#now();
    this.#insert(key, { value, size, setAt, expiresAt: setAt + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #insert(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }
}
