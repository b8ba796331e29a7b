import { FLIGHT_BEAT_MS } from "../../limits.ts";

/** How waiting ended: with the value, by the asker's going away, or because nobody makes the value any more. */
export type Wait<Value> = { is: "landed"; value: Value; by: Flight<Value> } | { is: "left" } | { is: "lost" };

/** Waits, or ends early when the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal | null) => Promise<void>;

/**
 * One making of a value, for all who wait for it; it is ended when the last of them has gone.
 *
 * Cloudflare runs every request in a context of its own and refuses what one does with another's I/O, the firing of an
 * AbortSignal included. So requests meet here by promises alone: what waits for another's promise goes on in its own
 * context, and what waits for a promise that another settles does so too (`handle_cross_request_promise_resolution`, the
 * default since 2024-10-14). Where the maker's context has ended, nothing is settled any more, and its timers are
 * silent: so the maker beats time for as long as it is at work, and those who wait know by that whether it lives.
 */
export class Flight<Value> {
  /** Settles when the making has ended, as it did. */
  readonly landing: Promise<Wait<Value>>;
  readonly #desertion = Promise.withResolvers<void>();
  readonly #watchers: (() => void)[] = [];
  readonly #whenOver: () => void;
  #beats = 0;
  #waiting = 0;
  #isOver = false;

  /**
   * Begins the making, in the context of whoever calls this.
   * @param whenOver told once, when the value is there, nobody waits for it any more or it is lost
   */
  constructor(make: (signal: AbortSignal) => Promise<Value>, sleep: Sleep, whenOver: () => void) {
    this.#whenOver = whenOver;
    const deserted = new AbortController();
    void this.#desertion.promise.then(() => deserted.abort());
    const ended = new AbortController();
    this.landing = make(deserted.signal)
      .finally(() => {
        ended.abort();
        this.#end();
      })
      .then((value) => ({ is: "landed", value, by: this }));
    void this.#beat(sleep, ended.signal);
  }

  /** Waits for the value, or until one of these has ended the waiting. */
  async wait(ends: readonly Promise<Wait<Value>>[]): Promise<Wait<Value>> {
    this.#waiting += 1;
    try {
      return await Promise.race([this.landing, ...ends]);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.#desert();
    }
  }

  /**
   * Gives the flight up as lost, for all who watch it, when its maker was silent for so many milliseconds.
   * @param ended fires when whoever watches does so no more
   * @returns what settles when anybody has given it up. It is a promise of the watcher's own: what waits for one that
   *   the maker began would be continued in the maker's context, which has ended
   */
  watch(patienceMs: number, sleep: Sleep, ended: AbortSignal | null): Promise<Wait<Value>> {
    const loss = Promise.withResolvers<Wait<Value>>();
    this.#watchers.push(() => loss.resolve({ is: "lost" }));
    void this.#listen(patienceMs, sleep, ended);
    return loss.promise;
  }

  async #listen(patienceMs: number, sleep: Sleep, ended: AbortSignal | null): Promise<void> {
    let heard: number;
    do {
      heard = this.#beats;
      await sleep(patienceMs, ended);
      if (ended?.aborted === true) return;
    } while (this.#beats !== heard);
    this.#end();
    for (const tell of this.#watchers) tell();
  }

  async #beat(sleep: Sleep, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await sleep(FLIGHT_BEAT_MS, ended);
      this.#beats += 1;
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
