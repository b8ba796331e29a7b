import type { Counter } from "../window.ts";
import type { CounterName, ExactStorage, Hold } from "./core.ts";

/** A storage in memory: for models of many objects, and for whoever needs the core without a platform. */
export class MapExactStorage implements ExactStorage {
  readonly #counters = new Map<string, { counter: Counter; expires: number }>();
  readonly #closures = new Map<string, number>();
  readonly #holds = new Map<string, Hold>();

  readCounter(name: CounterName): Counter | null {
    return this.#counters.get(keyOf(name))?.counter ?? null;
  }

  writeCounter(name: CounterName, counter: Counter, expires: number): void {
    this.#counters.set(keyOf(name), { counter, expires });
  }

  readClosure(bucket: string): number {
    return this.#closures.get(bucket) ?? 0;
  }

  writeClosure(bucket: string, until: number): void {
    this.#closures.set(bucket, until);
  }

  writeHold(hold: Hold): void {
    this.#holds.set(hold.id, hold);
  }

  takeHold(id: string): Hold | null {
    const hold = this.#holds.get(id) ?? null;
    this.#holds.delete(id);
    return hold;
  }

  takeHoldsUntil(now: number): Hold[] {
    const late = [...this.#holds.values()].filter(({ until }) => until <= now);
    for (const { id } of late) this.#holds.delete(id);
    return late;
  }

  deleteExpired(now: number): void {
    for (const [key, { expires }] of this.#counters) if (expires <= now) this.#counters.delete(key);
    for (const [bucket, until] of this.#closures) if (until <= now) this.#closures.delete(bucket);
  }

  firstExpiry(): number | null {
    const moments = [
      ...[...this.#counters.values()].map(({ expires }) => expires),
      ...this.#closures.values(),
      ...[...this.#holds.values()].map(({ until }) => until),
    ];
    return moments.length === 0 ? null : Math.min(...moments);
  }
}

function keyOf({ bucket, window }: CounterName): string {
  return `${window}:${bucket}`;
}
