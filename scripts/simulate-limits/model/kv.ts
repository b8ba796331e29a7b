import type { CounterPage, CounterStore, ListedKey } from "../../../src/limiter/index.ts";
import { KV_WRITE_INTERVAL_MS } from "../../../src/limits.ts";
import type { Random } from "../../sandbox/market/random.ts";
import type { Agenda } from "./agenda.ts";
import type { Weather } from "./scenario.ts";

/** What was asked of the store. */
export interface Operations {
  gets: number;
  puts: number;
  lists: number;
  /** Puts that were refused, because the same key had been written to less than a second before. */
  throttled: number;
}

interface Version {
  count: number;
  /** Where it was written, and when it shows there. */
  place: number;
  since: number;
}

interface Item {
  name: string;
  /** Newest last. */
  versions: Version[];
  wroteAt: number;
  expiresAt: number;
}

/** What a model of KV is made of. */
export interface ModelKvOptions {
  agenda: Agenda;
  random: Random;
  weather: Weather;
}

/**
 * Workers KV as its documentation describes it: a write shows at once where it was made and after a delay
 * elsewhere, a key takes one write a second, and an operation takes its time and may fail.
 */
export class ModelKv {
  readonly operations: Operations = { gets: 0, puts: 0, lists: 0, throttled: 0 };
  readonly #agenda: Agenda;
  readonly #random: Random;
  readonly #weather: Weather;
  readonly #items = new Map<string, Item>();

  constructor({ agenda, random, weather }: ModelKvOptions) {
    this.#agenda = agenda;
    this.#random = random;
    this.#weather = weather;
  }

  /** The store as a place sees it. */
  at(place: number): CounterStore & { get(key: string): Promise<number> } {
    return {
      get: (key) => this.#get(key, place),
      list: ({ prefix }) => this.#list(prefix, place),
      put: (key, _value, { expirationTtl, metadata }) =>
        this.#put({ key, place, count: metadata.count, ttlMs: expirationTtl * 1_000 }),
    };
  }

  async #get(key: string, place: number): Promise<number> {
    this.operations.gets += 1;
    const latency = this.#latency();
    await this.#agenda.sleep(latency / 2);
    const item = this.#items.get(key);
    const count = item === undefined ? undefined : this.#countAt(item, place);
    await this.#agenda.sleep(latency / 2);
    this.#failSometimes();
    return count ?? 0;
  }

  async #list(prefix: string, place: number): Promise<CounterPage> {
    this.operations.lists += 1;
    const latency = this.#latency();
    await this.#agenda.sleep(latency / 2);
    const keys = this.#visible(prefix, place);
    await this.#agenda.sleep(latency / 2);
    this.#failSometimes();
    return { keys, list_complete: true };
  }

  async #put({ key, place, count, ttlMs }: Put): Promise<void> {
    this.operations.puts += 1;
    const now = this.#agenda.now();
    const item = this.#items.get(key) ?? { name: key, versions: [], wroteAt: -Infinity, expiresAt: 0 };
    const throttled = now - item.wroteAt < KV_WRITE_INTERVAL_MS;
    if (!throttled) item.wroteAt = now;
    this.#items.set(key, item);
    await this.#agenda.sleep(this.#latency());
    if (throttled) {
      this.operations.throttled += 1;
      throw new Error("429 Too Many Requests");
    }
    this.#failSometimes();
    const since = this.#agenda.now();
    item.expiresAt = since + ttlMs;
    item.versions.push({ count, place, since });
    this.#forgetOldVersions(item, since);
  }

  #visible(prefix: string, place: number): ListedKey[] {
    const keys: ListedKey[] = [];
    for (const item of this.#items.values()) {
      if (item.expiresAt !== 0 && item.expiresAt <= this.#agenda.now()) this.#items.delete(item.name);
      else if (item.name.startsWith(prefix)) {
        const count = this.#countAt(item, place);
        if (count !== undefined) keys.push({ name: item.name, metadata: { count } });
      }
    }
    return keys;
  }

  #countAt({ versions }: Item, place: number): number | undefined {
    const now = this.#agenda.now();
    return versions.findLast((version) => this.#showsFrom(version, place) <= now)?.count;
  }

  #showsFrom({ place: origin, since }: Version, place: number): number {
    return origin === place ? since : since + this.#weather.delayMs;
  }

  /** Keeps the newest version that shows everywhere and what came after it. */
  #forgetOldVersions({ versions }: Item, now: number): void {
    const settled = versions.findLastIndex(({ since }) => since + this.#weather.delayMs <= now);
    if (settled > 0) versions.splice(0, settled);
  }

  /** Half of what is usual, up to one and a half times that. */
  #latency(): number {
    return this.#weather.latencyMs * (0.5 + this.#random());
  }

  #failSometimes(): void {
    const { failures } = this.#weather;
    if (failures > 0 && this.#random() < failures) throw new Error("500 Internal Server Error");
  }
}

interface Put {
  key: string;
  place: number;
  count: number;
  ttlMs: number;
}
