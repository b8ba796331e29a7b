import { DurableObject } from "cloudflare:workers";
import { CLEARING_INTERVAL_MS } from "../../limits.ts";
import { ExactCore } from "./core.ts";
import { SqlExactStorage } from "./sql.ts";
import type { Admission, AskedLimit, ExactCounters, Standing } from "./standing.ts";

/**
 * The object that counts one group of buckets for all isolates, wherever they are. Its counts are in SQLite before a
 * reply leaves it, so they survive its eviction and every restart; an alarm clears what is past, and where nothing is
 * left the object ceases to exist.
 */
export class ExactLimits extends DurableObject implements ExactCounters {
  #core: ExactCore;
  /** Whether it is known that an alarm is set. */
  #hasAlarm = false;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#core = newCore(context);
  }

  async admit(admission: Admission): Promise<Standing> {
    const now = Date.now();
    const standing = this.#core.admit(admission, now);
    await this.#clearLater(now);
    return standing;
  }

  async look(limits: readonly AskedLimit[]): Promise<Standing> {
    return this.#core.look(limits, Date.now());
  }

  async giveBack(limits: readonly AskedLimit[], cost: number): Promise<void> {
    this.#core.giveBack(limits, cost, Date.now());
  }

  async settle(hold: string, isMade: boolean): Promise<void> {
    this.#core.settle(hold, isMade, Date.now());
  }

  async close(bucket: string, until: number): Promise<void> {
    const now = Date.now();
    this.#core.close(bucket, until, now);
    await this.#clearLater(now);
  }

  /** Clears what is past; the platform tries again where this fails. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    const next = this.#core.clear(now);
    if (next === null) await this.ctx.blockConcurrencyWhile(() => this.#deleteAll());
    else await this.ctx.storage.setAlarm(Math.max(next, now + CLEARING_INTERVAL_MS));
  }

  /** An object without storage ceases to exist; one that is asked again meanwhile begins anew. */
  async #deleteAll(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#core = newCore(this.ctx);
    this.#hasAlarm = false;
  }

  /** An alarm is set while anything is kept. To set it costs a write, so it is not moved with every call. */
  async #clearLater(now: number): Promise<void> {
    if (this.#hasAlarm) return;
    const { storage } = this.ctx;
    if ((await storage.getAlarm()) === null) await storage.setAlarm(now + CLEARING_INTERVAL_MS);
    this.#hasAlarm = true;
  }
}

function newCore({ storage }: DurableObjectState): ExactCore {
  return new ExactCore(new SqlExactStorage(storage.sql));
}
