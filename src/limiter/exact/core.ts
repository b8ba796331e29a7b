import { HOLD_MS, MAX_CLOSURE_MS } from "../../limits.ts";
import type { Window } from "../../vocabulary.ts";
import { advance, type Counter, emptyCounter, forgottenAt, giveBack, spend } from "../window.ts";
import { type Admission, type AskedLimit, decideOn, type Standing } from "./standing.ts";

/** Names a counter. */
export interface CounterName {
  bucket: string;
  window: Window;
}

/** A call that is counted until it is known whether it is made. */
export interface Hold {
  id: string;
  cost: number;
  counters: CounterName[];
  /** When it is given back, in milliseconds since the epoch. */
  until: number;
}

/** What the core keeps, and for how long: everything has a moment from which on nobody needs it. */
export interface ExactStorage {
  readCounter(name: CounterName): Counter | null;
  writeCounter(name: CounterName, counter: Counter, expires: number): void;
  /** Until when a bucket is closed; 0 where it is not. */
  readClosure(bucket: string): number;
  writeClosure(bucket: string, until: number): void;
  writeHold(hold: Hold): void;
  /** Removes a hold; null where there is none of that id. */
  takeHold(id: string): Hold | null;
  /** Removes all holds that nobody has settled in time. */
  takeHoldsUntil(now: number): Hold[];
  deleteExpired(now: number): void;
  /** The first moment at which something expires, or null where nothing is kept. */
  firstExpiry(): number | null;
}

/**
 * Counts and decides for all isolates. Every method runs from its first read to its last write without a pause, so
 * each of many calls at once sees what the others have spent. Moments are milliseconds since the epoch.
 */
export class ExactCore {
  readonly #storage: ExactStorage;

  constructor(storage: ExactStorage) {
    this.#storage = storage;
  }

  /** Decides about a call and, where it is admitted, counts it once in each of its counters. */
  admit({ limits, cost, hold }: Admission, now: number): Standing {
    const standing = this.look(limits, now);
    if (!decideOn(limits, standing, cost).admitted || cost === 0) return standing;
    const counters = distinctNames(limits);
    for (const name of counters) this.#change(name, now, (counter) => spend(counter, cost));
    if (hold !== null) this.#storage.writeHold({ id: hold, cost, counters, until: now + HOLD_MS });
    return standing;
  }

  /** How limits stand. */
  look(limits: readonly AskedLimit[], now: number): Standing {
    this.#dropHolds(now);
    return {
      now,
      counters: limits.map((limit) => this.#counter(limit, now)),
      closedUntil: limits.map(({ bucket }) => this.#storage.readClosure(bucket)),
    };
  }

  giveBack(limits: readonly AskedLimit[], cost: number, now: number): void {
    this.#giveBack(distinctNames(limits), cost, now);
  }

  /** A hold that is settled already, or given back since, stays so. */
  settle(id: string, isMade: boolean, now: number): void {
    const hold = this.#storage.takeHold(id);
    if (hold !== null && !isMade) this.#giveBack(hold.counters, hold.cost, now);
  }

  /** Closes a bucket, for an hour at most, and never opens it earlier than it was closed for. */
  close(bucket: string, asked: number, now: number): void {
    const until = Math.min(asked, now + MAX_CLOSURE_MS);
    if (until > this.#storage.readClosure(bucket)) this.#storage.writeClosure(bucket, until);
  }

  /** Forgets what nobody needs any more; when to do so next, or null where nothing is kept. */
  clear(now: number): number | null {
    this.#dropHolds(now);
    this.#storage.deleteExpired(now);
    return this.#storage.firstExpiry();
  }

  #dropHolds(now: number): void {
    for (const { counters, cost } of this.#storage.takeHoldsUntil(now)) this.#giveBack(counters, cost, now);
  }

  #giveBack(names: readonly CounterName[], cost: number, now: number): void {
    for (const name of names) this.#change(name, now, (counter) => giveBack(counter, cost));
  }

  #change(name: CounterName, now: number, change: (counter: Counter) => Counter): void {
    const counter = change(this.#counter(name, now));
    this.#storage.writeCounter(name, counter, forgottenAt(counter, name.window));
  }

  #counter(name: CounterName, now: number): Counter {
    const { window } = name;
    const kept = this.#storage.readCounter(name);
    if (kept === null) return emptyCounter(window, now);
    const counter = advance(kept, window, now);
    // A clock that was set back makes it one of the window that the clock shows now, and it ages from there.
    if (counter.start < kept.start) this.#storage.writeCounter(name, counter, forgottenAt(counter, window));
    return counter;
  }
}

/** Limits may share a counter; what is done to counters is done once to each. */
function distinctNames(limits: readonly AskedLimit[]): CounterName[] {
  const names = new Map(limits.map(({ bucket, window }) => [`${window}:${bucket}`, { bucket, window }]));
  return [...names.values()];
}
