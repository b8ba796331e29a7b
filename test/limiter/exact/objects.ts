import { DatabaseSync } from "node:sqlite";
import type { ExactStorage } from "../../../src/limiter/exact/core.ts";
import { createExactLimiter, type ExactLimiter } from "../../../src/limiter/exact/limiter.ts";
import { LocalCounters } from "../../../src/limiter/exact/local.ts";
import type { ObjectFault } from "../../../src/limiter/exact/places.ts";
import { type Sql, SqlExactStorage } from "../../../src/limiter/exact/sql.ts";
import type { Admission, AskedLimit, ExactCounters, Standing } from "../../../src/limiter/exact/standing.ts";
import type { VirtualTime } from "../virtual_time.ts";

/** The platform's way of speaking SQL, over the SQLite of Node. */
export function sqlite(): Sql {
  const database = new DatabaseSync(":memory:");
  return {
    exec: <Row extends Record<string, string | number>>(query: string, ...bindings: (string | number)[]) => {
      const rows = database.prepare(query).all(...bindings) as Row[];
      return { toArray: () => rows.map((row) => ({ ...row })) };
    },
  };
}

/** What may go wrong between an isolate and an object, one question at a time. */
export type Weather = "fair" | "unreachable" | "slow" | "overloaded" | "lost reply";

const SLOW_MS = 5_000;

/** An object at a distance. */
class DistantObject implements ExactCounters {
  weather: Weather = "fair";
  asked = 0;
  readonly #time: VirtualTime;
  readonly #distanceMs: number;
  readonly #counters: ExactCounters;

  constructor(time: VirtualTime, storage: ExactStorage, distanceMs: number) {
    this.#time = time;
    this.#distanceMs = distanceMs;
    this.#counters = new LocalCounters(storage, time.now);
  }

  admit(admission: Admission): Promise<Standing> {
    return this.#carry(() => this.#counters.admit(admission));
  }

  look(limits: readonly AskedLimit[]): Promise<Standing> {
    return this.#carry(() => this.#counters.look(limits));
  }

  giveBack(limits: readonly AskedLimit[], cost: number): Promise<void> {
    return this.#carry(() => this.#counters.giveBack(limits, cost));
  }

  settle(hold: string, isMade: boolean): Promise<void> {
    return this.#carry(() => this.#counters.settle(hold, isMade));
  }

  close(bucket: string, until: number): Promise<void> {
    return this.#carry(() => this.#counters.close(bucket, until));
  }

  async #carry<T>(message: () => Promise<T>): Promise<T> {
    this.asked += 1;
    if (this.#distanceMs > 0) await this.#time.sleep(this.#distanceMs);
    const { weather } = this;
    if (weather === "unreachable") throw new Error("Network connection lost.");
    if (weather === "overloaded")
      throw Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
    const reply = await message();
    const backMs = weather === "slow" ? SLOW_MS : this.#distanceMs;
    if (backMs > 0) await this.#time.sleep(backMs);
    if (weather === "lost reply") throw new Error("Durable Object reset because its code was updated.");
    return reply;
  }
}

/** Objects by their groups, and isolates that ask them. */
export class Objects {
  readonly time: VirtualTime;
  readonly faults: ObjectFault[] = [];
  readonly #objects = new Map<string, DistantObject>();
  readonly #work: Promise<void>[] = [];
  readonly #newStorage: () => ExactStorage;
  readonly #distanceMs: number;
  #ids = 0;

  /** @param distanceMs how long a message takes one way */
  constructor(
    time: VirtualTime,
    distanceMs: number,
    newStorage: () => ExactStorage = () => new SqlExactStorage(sqlite()),
  ) {
    this.time = time;
    this.#distanceMs = distanceMs;
    this.#newStorage = newStorage;
  }

  object(group: string): DistantObject {
    const known = this.#objects.get(group);
    if (known !== undefined) return known;
    const object = new DistantObject(this.time, this.#newStorage(), this.#distanceMs);
    this.#objects.set(group, object);
    return object;
  }

  isolate(): ExactLimiter {
    return createExactLimiter({
      place: (group) => this.object(group),
      newId: () => `call-${++this.#ids}`,
      now: this.time.now,
      sleep: this.time.sleep,
      waitUntil: (work) => this.#work.push(work),
      report: (fault) => this.faults.push(fault),
    });
  }

  /** Ends all background work; rejects if any of it does. */
  async finish(): Promise<void> {
    await this.time.until(Promise.all(this.#work));
  }
}
