import { WRITE_PATIENCE_MS } from "../limits.ts";

export interface TurnOptions {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

interface Line {
  /** The end of the last change that was asked for. */
  end: Promise<unknown>;
  /** When a change last began or ended. */
  movedAt: number;
}

/** Lets the changes of one thing go one after the other within an isolate, so that each sees what came of those before. */
export class Turns {
  readonly #options: TurnOptions;
  /** By the name of what is changed. */
  readonly #lines = new Map<string, Line>();

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Makes a change after the ones before it, whatever became of those. */
  async take<Value>(name: string, change: () => Promise<Value>): Promise<Value> {
    const { now } = this.#options;
    const own = Promise.withResolvers<null>();
    const line = this.#lines.get(name);
    const before = line?.end ?? null;
    const joined = line ?? { end: own.promise, movedAt: now() };
    joined.end = own.promise;
    this.#lines.set(name, joined);
    try {
      if (before !== null) await this.#wait(joined, before);
      return await change();
    } finally {
      joined.movedAt = now();
      own.resolve(null);
      if (joined.end === own.promise) this.#lines.delete(name);
    }
  }

  /**
   * Waits for the change before, but not for one that will never end: where its request is gone, the platform has
   * dropped what it waited for. That is supposed where no change has begun or ended for a while.
   */
  async #wait(line: Line, before: Promise<unknown>): Promise<void> {
    const { now, sleep } = this.#options;
    let isEnded = false;
    const end = before.then(() => {
      isEnded = true;
    });
    do await Promise.race([end, sleep(WRITE_PATIENCE_MS)]);
    while (!isEnded && now() - line.movedAt < WRITE_PATIENCE_MS);
    line.movedAt = now();
  }
}
