interface Appointment {
  at: number;
  /** Of appointments at one moment, the one made first comes first. */
  order: number;
  wake: () => void;
}

/** Time that passes only from one appointment to the next. Milliseconds since the epoch, fractions included. */
export class Agenda {
  #now: number;
  #order = 0;
  readonly #heap: Appointment[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => this.at(this.#now + milliseconds, wake));

  /** Has something done at a moment, or now where that is past. */
  at(moment: number, wake: () => void): void {
    this.#order += 1;
    this.#push({ at: Math.max(moment, this.#now), order: this.#order, wake });
  }

  /** Keeps all appointments up to `end`, letting whatever each sets going run until it waits again. */
  async passUntil(end: number): Promise<void> {
    for (let next = this.#take(end); next !== undefined; next = this.#take(end)) {
      this.#now = next.at;
      next.wake();
      await everythingReady();
    }
    this.#now = end;
  }

  #push(appointment: Appointment): void {
    const heap = this.#heap;
    let index = heap.push(appointment) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, appointment)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = appointment;
  }

  #take(end: number): Appointment | undefined {
    const [first] = this.#heap;
    if (first === undefined || first.at > end) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  /** Puts an appointment in the place of the first one, and then where it belongs. */
  #sink(appointment: Appointment): void {
    const heap = this.#heap;
    let index = 0;
    for (let below = 1; below < heap.length; below = 2 * index + 1) {
      const [left, right] = [heap[below], heap[below + 1]];
      const goesRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = goesRight ? right : left;
      if (child === undefined || isBefore(appointment, child)) break;
      heap[index] = child;
      index = goesRight ? below + 1 : below;
    }
    heap[index] = appointment;
  }
}

function isBefore(one: Appointment, other: Appointment): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** Ends once every promise that is settled has told everyone who waits for it. */
function everythingReady(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done);
  });
}
