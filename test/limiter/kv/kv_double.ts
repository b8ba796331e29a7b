import type { CounterPage, CounterStore, ListedKey } from "../../../src/limiter/index.ts";
import type { VirtualTime } from "../virtual_time.ts";

interface Stored {
  name: string;
  metadata: unknown;
  visibleFrom: number;
  expiresAt: number;
}

export interface PutSeen {
  key: string;
  count: number;
  ttlSeconds: number;
  at: number;
}

/** A Workers KV that can be stale, slow and out of order, which the local simulator can't. */
export class KvDouble implements CounterStore {
  /** How long an operation takes. */
  putMs = 0;
  listMs = 0;
  /** How long after its end a write shows in lists. */
  staleMs = 0;
  /** What operations reject with, where they do. */
  putError: unknown = null;
  listError: unknown = null;
  /** Keys of one page of a list. */
  pageKeys = 1_000;
  readonly puts: PutSeen[] = [];
  readonly lists: { prefix: string; at: number }[] = [];
  readonly #time: VirtualTime;
  readonly #stored: Stored[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  async put(
    key: string,
    _value: string,
    options: { expirationTtl: number; metadata: { count: number } },
  ): Promise<void> {
    const { expirationTtl: ttlSeconds, metadata } = options;
    this.puts.push({ key, count: metadata.count, ttlSeconds, at: this.#time.now() });
    if (this.putMs > 0) await this.#time.sleep(this.putMs);
    if (this.putError !== null) throw this.putError;
    this.plant(key, metadata, ttlSeconds);
  }

  async list({ prefix, cursor }: { prefix: string; cursor?: string }): Promise<CounterPage> {
    this.lists.push({ prefix, at: this.#time.now() });
    const keys = this.#visible(prefix);
    if (this.listMs > 0) await this.#time.sleep(this.listMs);
    if (this.listError !== null) throw this.listError;
    const begin = Number(cursor ?? 0);
    const end = begin + this.pageKeys;
    const page = keys.slice(begin, end);
    if (end >= keys.length) return { keys: page, list_complete: true };
    return { keys: page, list_complete: false, cursor: String(end) };
  }

  /** Stores a key as somebody else would. */
  plant(name: string, metadata: unknown, ttlSeconds = 3_600): void {
    const now = this.#time.now();
    this.#stored.push({
      name,
      metadata,
      visibleFrom: now + this.staleMs,
      expiresAt: now + ttlSeconds * 1_000,
    });
  }

  /** The counts that lists show now, by key. */
  counts(): Map<string, unknown> {
    return new Map(this.#visible("").map(({ name, metadata }) => [name, metadata]));
  }

  #visible(prefix: string): ListedKey[] {
    const now = this.#time.now();
    const newest = new Map<string, Stored>();
    for (const entry of this.#stored) {
      if (entry.visibleFrom <= now && entry.name.startsWith(prefix)) newest.set(entry.name, entry);
    }
    return [...newest.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .map(({ name, metadata }) => (metadata === undefined ? { name } : { name, metadata }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}
