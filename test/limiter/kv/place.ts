import { createKvLimiter, type Limit, type Limiter, type StoreFault } from "../../../src/limiter/index.ts";
import { VirtualTime } from "../virtual_time.ts";
import { KvDouble } from "./kv_double.ts";

/** Midnight UTC, where a minute and a day begin at the same moment. */
export const MIDNIGHT = Date.UTC(2026, 1, 28);

/** Isolates that share a KV, a clock and a log of faults. */
export class Place {
  readonly time: VirtualTime;
  readonly kv: KvDouble;
  readonly faults: StoreFault[] = [];
  readonly #work: Promise<void>[] = [];
  #isolates = 0;

  constructor(time = new VirtualTime(MIDNIGHT)) {
    this.time = time;
    this.kv = new KvDouble(time);
  }

  /** A new isolate; the first is `isolate-1`. */
  isolate(sleep = this.time.sleep): Limiter {
    this.#isolates += 1;
    return createKvLimiter({
      store: this.kv,
      isolateId: `isolate-${this.#isolates}`,
      now: this.time.now,
      sleep,
      waitUntil: (work) => this.#work.push(work),
      report: (fault) => this.faults.push(fault),
    });
  }

  /** Makes calls of cost 1 one after the other; how many were admitted. */
  async admitted(limiter: Limiter, limit: Limit, calls: number): Promise<number> {
    let count = 0;
    for (let call = 0; call < calls; call += 1) {
      if ((await this.time.until(limiter.admit([limit], 1))).admitted) count += 1;
    }
    return count;
  }

  async used(limiter: Limiter, limit: Limit): Promise<number | undefined> {
    const [state] = await this.time.until(limiter.look([limit]));
    return state?.used;
  }

  /** Ends all background work, and what that sets going; rejects if any of it does. */
  async finish(): Promise<void> {
    for (let ended = -1; ended !== this.#work.length; ) {
      ended = this.#work.length;
      await this.time.until(Promise.all(this.#work));
    }
  }
}
