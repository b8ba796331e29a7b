import { ExactCore, type ExactStorage } from "./core.ts";
import type { Admission, AskedLimit, ExactCounters, Standing } from "./standing.ts";

/** What an object does, without being one: for models of many isolates, and for whoever has no platform. */
export class LocalCounters implements ExactCounters {
  readonly #core: ExactCore;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch, by the clock of whoever counts */
  constructor(storage: ExactStorage, now: () => number) {
    this.#core = new ExactCore(storage);
    this.#now = () => Math.floor(now());
  }

  async admit(admission: Admission): Promise<Standing> {
    return this.#core.admit(admission, this.#now());
  }

  async look(limits: readonly AskedLimit[]): Promise<Standing> {
    return this.#core.look(limits, this.#now());
  }

  async giveBack(limits: readonly AskedLimit[], cost: number): Promise<void> {
    this.#core.giveBack(limits, cost, this.#now());
  }

  async settle(hold: string, isMade: boolean): Promise<void> {
    this.#core.settle(hold, isMade, this.#now());
  }

  async close(bucket: string, until: number): Promise<void> {
    this.#core.close(bucket, until, this.#now());
  }
}
