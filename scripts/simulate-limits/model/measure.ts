import type { Limit } from "../../../src/limiter/index.ts";
import { advance, type Counter, emptyCounter, spend, usedAt } from "../../../src/limiter/window.ts";
import type { Operations } from "./kv.ts";

/** What became of all calls of a run. */
export interface Outcome {
  calls: number;
  admitted: number;
  /** By how much the limit was exceeded at the worst moment, as a share of it. */
  over: number;
  /** Calls that were refused though there was room for them, as a share of all. */
  refused: number;
  /** Of what an exact limiter would have admitted, the share that was not. */
  unused: number;
  /** What replies waited for a decision, in milliseconds. */
  waitMs: { median: number; most: number };
  operations: Operations;
  objectCalls: number;
}

/** Holds every decision against what an observer who knows of all calls at once would have said. */
export class Measure {
  readonly #limit: Limit;
  readonly #now: () => number;
  /** What was admitted, and what an exact limiter would have admitted. */
  #actual: Counter;
  #ideal: Counter;
  #admitted = 0;
  #possible = 0;
  #refused = 0;
  #over = 0;
  #objectCalls = 0;
  readonly #waits: number[] = [];

  constructor(limit: Limit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
    this.#actual = this.#ideal = emptyCounter(limit.window, Math.floor(now()));
  }

  readonly decided = (isAdmitted: boolean): void => {
    const { window, max } = this.#limit;
    const now = Math.floor(this.#now());
    this.#actual = advance(this.#actual, window, now);
    this.#ideal = advance(this.#ideal, window, now);
    if (usedAt(this.#ideal, window, now) < max) {
      this.#ideal = spend(this.#ideal, 1);
      this.#possible += 1;
    }
    if (isAdmitted) {
      this.#admitted += 1;
      this.#actual = spend(this.#actual, 1);
      this.#over = Math.max(this.#over, usedAt(this.#actual, window, now) / max - 1);
    } else if (usedAt(this.#actual, window, now) < max) this.#refused += 1;
  };

  readonly objectCalled = (): void => {
    this.#objectCalls += 1;
  };

  waited(milliseconds: number): void {
    this.#waits.push(milliseconds);
  }

  outcome(operations: Operations): Outcome {
    const calls = Math.max(1, this.#waits.length);
    const waits = this.#waits.toSorted((one, other) => one - other);
    return {
      calls,
      admitted: this.#admitted,
      over: this.#over,
      refused: this.#refused / calls,
      unused: Math.max(0, 1 - this.#admitted / Math.max(1, this.#possible)),
      waitMs: { median: waits[Math.floor(waits.length / 2)] ?? 0, most: waits.at(-1) ?? 0 },
      operations: { ...operations },
      objectCalls: this.#objectCalls,
    };
  }
}
