import { Flight, type Sleep, type Wait } from "./flight.ts";

/** Who asks for a value, and for how long, in milliseconds. */
export interface Asker {
  /** Fires when the asker goes away. */
  signal: AbortSignal | null;
  /** How long it hears nothing of somebody else's making and takes it for one that goes on. */
  patienceMs: number;
  /** How long it can wait at all; infinite where it has time. */
  timeLeftMs: number;
}

/** What came of asking: whether the value was made for this asker, or for one who had asked before. */
export interface Landing<Value> {
  value: Value;
  isOwn: boolean;
}

/** What flights need of the platform. */
export interface FlightPlatform {
  sleep: Sleep;
  /** Lets work go on when the request that it belongs to has ended. */
  waitUntil(work: Promise<unknown>): void;
}

/** Lets those who ask for the same thing while it is being made wait for the one making of it. */
export class Flights<Value> {
  readonly #platform: FlightPlatform;
  readonly #underWay = new Map<string, Flight<Value>>();

  constructor(platform: FlightPlatform) {
    this.#platform = platform;
  }

  /**
   * The value of a key, made by `make` unless somebody is making it; null where the asker has gone meanwhile, or has no
   * more time. The making goes on as long as anybody waits for it, whoever asked first. The platform may end it without
   * a word all the same (for the time or the memory that its request took): then those who waited make it anew, together.
   * @param make is told by its signal that nobody waits any more
   */
  async join(
    key: string,
    asker: Asker,
    make: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Landing<Value> | null> {
    const { signal } = asker;
    const leaving = Promise.withResolvers<Wait<Value>>();
    const leave = (): void => leaving.resolve({ is: "left" });
    const ended = new AbortController();
    signal?.addEventListener("abort", leave);
    if (signal?.aborted === true) leave();
    try {
      const others = this.#underWay.get(key);
      if (others === undefined) return await this.#fly(key, make, [leaving.promise]);
      if (Number.isFinite(asker.timeLeftMs))
        void this.#platform.sleep(asker.timeLeftMs, ended.signal).then(leave);
      return await this.#follow(key, others, make, leaving.promise, { ...asker, signal: ended.signal });
    } finally {
      ended.abort();
      signal?.removeEventListener("abort", leave);
    }
  }

  /**
   * Waits for somebody else's flight; where that is lost, for the next one, which is the asker's own where nobody was
   * quicker. One that was given up and lands all the same is as good.
   */
  async #follow(
    key: string,
    first: Flight<Value>,
    make: (signal: AbortSignal) => Promise<Value>,
    leaving: Promise<Wait<Value>>,
    { signal, patienceMs }: Asker,
  ): Promise<Landing<Value> | null> {
    const ends = [leaving];
    for (let flight: Flight<Value> | undefined = first; flight !== undefined; ) {
      const loss = flight.watch(patienceMs, this.#platform.sleep, signal);
      const waited: Wait<Value> = await flight.wait([...ends, loss]);
      if (waited.is === "landed") return { value: waited.value, isOwn: false };
      if (waited.is === "left") return null;
      ends.push(flight.landing);
      flight = this.#underWay.get(key);
    }
    return this.#fly(key, make, ends);
  }

  /** Makes the value, for all who ask meanwhile. */
  async #fly(
    key: string,
    make: (signal: AbortSignal) => Promise<Value>,
    ends: readonly Promise<Wait<Value>>[],
  ): Promise<Landing<Value> | null> {
    const flight: Flight<Value> = new Flight(make, this.#platform.sleep, () => {
      if (this.#underWay.get(key) === flight) this.#underWay.delete(key);
    });
    this.#underWay.set(key, flight);
    this.#platform.waitUntil(flight.landing);
    const waited = await flight.wait(ends);
    return waited.is === "landed" ? { value: waited.value, isOwn: waited.by === flight } : null;
  }
}
