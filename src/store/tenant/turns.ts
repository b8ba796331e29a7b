import { WRITE_PATIENCE_MS } from "../../limits.ts";

/** What waiting needs of the world. */
interface Time {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** Work that goes one after the other, whatever becomes of the work before. */
export class Turns {
  readonly #time: Time;
  /** The end of the work that came last. */
  #last: Promise<unknown> = Promise.resolve();
  /** When work last began or ended. */
  #movedAt = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turnAfter(this.#last).then(async () => {
      const value = await work();
      this.#movedAt = this.#time.now();
      return value;
    });
    // A fault is for whoever asked for the work; the next in turn need not hear of it.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Waits for the work before, but not for some that will never end: where its request is gone, the platform
   * has dropped what it waited for. That is supposed where none has begun or ended for a while.
   */
  async #turnAfter(before: Promise<unknown>): Promise<void> {
    const { now, sleep } = this.#time;
    let isEnded = false;
    const end = before.then(() => {
      isEnded = true;
    });
    do await Promise.race([end, sleep(WRITE_PATIENCE_MS)]);
    while (!isEnded && now() - this.#movedAt < WRITE_PATIENCE_MS);
    this.#movedAt = now();
  }
}
