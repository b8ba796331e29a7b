import { type Asker, Flight, type Sleep } from "./flight.ts";

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
   * The value of a key, made by `make` unless somebody is making it; null where the asker has gone meanwhile, or has no more time. The making
   * goes on as long as anybody waits for it, whoever asked first. The platform may end it without a word all the same
   * (for the time or the memory that its request took): then those who have lost patience make it anew, together.
   * @param make is told by its signal that nobody waits any more
   */
  async join(
    key: string,
    asker: Asker,
    make: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Landing<Value> | null> {
    const others = this.#underWay.get(key);
    const flight = others ?? this.#begin(key, make);
    const waited = await flight.wait(asker, others === undefined ? null : this.#platform.sleep);
    if (waited.is === "landed") return { value: waited.value, isOwn: others === undefined };
    if (waited.is === "left") return null;
    this.#forget(key, flight);
    return this.join(key, asker, make);
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const flight: Flight<Value> = new Flight(make, () => this.#forget(key, flight));
    this.#underWay.set(key, flight);
    this.#platform.waitUntil(flight.landing);
    return flight;
  }

  #forget(key: string, flight: Flight<Value>): void {
    if (this.#underWay.get(key) === flight) this.#underWay.delete(key);
  }
}
