/** Who waits for a value, and for how long, in milliseconds. */
export interface Asker {
  /** Fires when the asker goes away. */
  signal: AbortSignal | null;
  /** How long it takes somebody else's making for one that goes on. */
  patienceMs: number;
  /** How long it can wait at all. */
  timeLeftMs: number;
}

/** How waiting ended: with the value, by the asker's going away or having no more time, or by the end of its patience. */
export type Wait<Value> = { is: "landed"; value: Value } | { is: "left" } | { is: "impatient" };

/** Waits, or ends early when the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal | null) => Promise<void>;

/**
 * One making of a value, for all who wait for it; it is ended when the last of them has gone.
 *
 * Cloudflare runs every request in a context of its own and refuses what one does with another's I/O, the firing of an
 * AbortSignal included. So requests meet here by promises alone: what waits for another's promise goes on in its own
 * context, and what waits for a promise that another settles does so too (`handle_cross_request_promise_resolution`, the
 * default since 2024-10-14). Where the maker's context has ended, nothing is settled any more.
 */
export class Flight<Value> {
  /** Settles when the making has ended, as it did. */
  readonly landing: Promise<Wait<Value>>;
  readonly #desertion = Promise.withResolvers<void>();
  readonly #whenOver: () => void;
  #waiting = 0;
  #isOver = false;

  /**
   * Begins the making, in the context of whoever calls this.
   * @param whenOver told once, when the value is there or nobody waits for it any more
   */
  constructor(make: (signal: AbortSignal) => Promise<Value>, whenOver: () => void) {
    this.#whenOver = whenOver;
    const controller = new AbortController();
    void this.#desertion.promise.then(() => controller.abort());
    this.landing = make(controller.signal)
      .finally(() => this.#end())
      .then((value) => ({ is: "landed", value }));
  }

  /**
   * Waits for the value.
   * @param sleep measures patience and time; null waits to the end
   */
  async wait({ signal, patienceMs, timeLeftMs }: Asker, sleep: Sleep | null): Promise<Wait<Value>> {
    const asker = Promise.withResolvers<Wait<Value>>();
    const leave = (): void => asker.resolve({ is: "left" });
    const timer = new AbortController();
    this.#waiting += 1;
    signal?.addEventListener("abort", leave);
    if (signal?.aborted === true) leave();
    void sleep?.(Math.min(patienceMs, timeLeftMs), timer.signal).then(() =>
      asker.resolve({ is: timeLeftMs <= patienceMs ? "left" : "impatient" }),
    );
    try {
      return await Promise.race([this.landing, asker.promise]);
    } finally {
      timer.abort();
      signal?.removeEventListener("abort", leave);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.#desert();
    }
  }

  #desert(): void {
    this.#end();
    this.#desertion.resolve();
  }

  #end(): void {
    if (!this.#isOver) this.#whenOver();
    this.#isOver = true;
  }
}
