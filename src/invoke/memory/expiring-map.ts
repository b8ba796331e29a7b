interface Entry<Value> {
  value: Value;
  size: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Values kept for a time each, at most so many and of at most such a size in all; the longest unused go first. */
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
    if (entry.expiresAt <= this.#now()) return undefined;
    this.#insert(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, ttlMs: number, size = 1): void {
    this.delete(key);
    this.#insert(key, { value, size, expiresAt: this.#now() + ttlMs });
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
