import { KV_BULK_KEYS } from "../../src/limits.ts";
import type { SkillStorage } from "../../src/store/index.ts";
import type { VirtualTime } from "../limiter/virtual_time.ts";

export type Operation = "get" | "put" | "delete" | "list";

type Value = string | Uint8Array;

interface Written {
  key: string;
  value: Value | null;
  note: unknown;
  visibleFrom: number;
  /** The place that wrote it, which sees it at once. */
  place: string;
}

/** Keys in a page of a list, as Workers KV has it. */
const PAGE = 1_000;

/** Stands for every place, none of which sees a write before the others. */
const EVERYWHERE = "";

/** A Workers KV that can be stale, slow, deaf and out of order, which the local simulator can't. */
export class StorageDouble implements SkillStorage {
  /** How long after its end a write shows in reads and lists. */
  staleMs = 0;
  /** How long an operation takes. */
  takes: (operation: Operation, key: string) => number = () => 0;
  /** Whether an operation is refused; a write is then not made. */
  refuses: (operation: Operation, key: string) => boolean = () => false;
  /** What was asked since the last look, as `operation key`, with all keys of one read. */
  readonly asked: string[] = [];
  readonly #time: VirtualTime;
  readonly #written: Written[];
  readonly #place: string;

  constructor(time: VirtualTime, written: Written[] = [], place = EVERYWHERE) {
    this.#time = time;
    this.#written = written;
    this.#place = place;
  }

  /** The same storage as another place sees it: what is written there shows there at once. */
  at(place: string): StorageDouble {
    const other = new StorageDouble(this.#time, this.#written, place);
    other.staleMs = this.staleMs;
    other.takes = (operation, key) => this.takes(operation, key);
    other.refuses = (operation, key) => this.refuses(operation, key);
    return other;
  }

  async getAll(keys: readonly string[]): Promise<Map<string, string | null>> {
    if (keys.length > KV_BULK_KEYS) throw new Error(`KV get_bulk failed: ${keys.length} keys`);
    const values = new Map(keys.map((key) => [key, textOf(this.#shown(key)?.value ?? null)] as const));
    await this.#serve("get", keys.join(" "));
    return values;
  }

  async getBytes(key: string): Promise<Uint8Array | null> {
    const value = this.#shown(key)?.value ?? null;
    await this.#serve("get", key);
    return typeof value === "string" ? new TextEncoder().encode(value) : value;
  }

  async put(key: string, value: Value, note: unknown): Promise<void> {
    await this.#serve("put", key);
    this.plant(key, value, note);
  }

  async hold(key: string, text: string, _seconds: number): Promise<void> {
    await this.put(key, text, undefined);
  }

  async delete(key: string): Promise<void> {
    await this.#serve("delete", key);
    this.plant(key, null);
  }

  async list(prefix: string, cursor: string | null) {
    const all = [...new Set(this.#written.map(({ key }) => key))]
      .filter((key) => key.startsWith(prefix) && key > (cursor ?? ""))
      .map((name) => ({ name, shown: this.#shown(name) }))
      .filter(({ shown }) => shown !== null && shown.value !== null)
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    await this.#serve("list", prefix);
    const keys = all.slice(0, PAGE).map(({ name, shown }) => ({ name, note: shown?.note }));
    return { keys, cursor: all.length > PAGE ? (keys.at(-1)?.name ?? null) : null };
  }

  /** Writes as another place would. */
  plant(key: string, value: Value | null, note: unknown = undefined): void {
    const visibleFrom = this.#time.now() + this.staleMs;
    this.#written.push({ key, value, note, visibleFrom, place: this.#place });
  }

  /** What is stored, whether it shows already or not. */
  stored(key: string): string | null {
    return textOf(this.#written.findLast((entry) => entry.key === key)?.value ?? null);
  }

  /** The keys that are stored, whether they show already or not. */
  keys(prefix: string): string[] {
    const keys = [...new Set(this.#written.map(({ key }) => key))].filter((key) => key.startsWith(prefix));
    return keys.filter((key) => this.stored(key) !== null).sort();
  }

  /** Takes what was asked since the last time. */
  take(): string[] {
    return this.asked.splice(0);
  }

  #shown(key: string): Written | null {
    const now = this.#time.now();
    const shows = ({ visibleFrom, place }: Written) =>
      visibleFrom <= now || (place !== EVERYWHERE && place === this.#place);
    return this.#written.findLast((entry) => entry.key === key && shows(entry)) ?? null;
  }

  async #serve(operation: Operation, key: string): Promise<void> {
    this.asked.push(`${operation} ${key}`);
    const milliseconds = this.takes(operation, key);
    if (milliseconds > 0) await this.#time.sleep(milliseconds);
    if (this.refuses(operation, key)) throw new Error(`KV ${operation} failed: 429 Too Many Requests`);
  }
}

function textOf(value: Value | null): string | null {
  return value === null || typeof value === "string" ? value : new TextDecoder().decode(value);
}
