interface Timer {
  at: number;
  wake: () => void;
}

/** A clock that moves only when told to, with timers that go off on the way. */
export class VirtualTime {
  #now: number;
  readonly #timers: Timer[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      this.#timers.push({ at: this.#now + milliseconds, wake });
    });

  /** Sets the clock without anything going off, as when it is corrected; backward with a negative number. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Lets time pass; every timer goes off in its turn, and what waits for it runs before the next. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await drain();
    for (let next = this.#takeNext(end); next !== undefined; next = this.#takeNext(end)) {
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await drain();
    }
    this.#now = end;
  }

  /** Lets as much time pass as the work needs to end. */
  async until<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    await drain();
    while (!ended) {
      const next = this.#takeNext(Number.POSITIVE_INFINITY);
      if (next === undefined) throw new Error("the work waits for something that never comes");
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await drain();
    }
    return work;
  }

  #takeNext(end: number): Timer | undefined {
    this.#timers.sort((one, other) => one.at - other.at);
    const [first] = this.#timers;
    return first !== undefined && first.at <= end ? this.#timers.shift() : undefined;
  }
}

/** Runs everything that is ready to run. */
function drain(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done);
  });
}
