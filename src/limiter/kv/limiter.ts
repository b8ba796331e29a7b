import { decide, stateOf, wholeCost } from "../decide.ts";
import type { Decision, Limit, Limiter, LimitState } from "../limiter.ts";
import { CounterTable } from "../table.ts";
import { CountExchange, type ExchangeOptions } from "./exchange.ts";
import { isLookDue } from "./policy.ts";
import { advanceShard, giveBackTo, knownCount, newShard, type Shard, spendOn } from "./shard.ts";
import { type Claimant, courseFor, mayAdmit, mostPressing, writableFrom } from "./standing.ts";

/** Time between two looks for somebody who asks how limits stand, and for calls that are refused. */
const LOOK_AFTER_MS = { asked: 2_000, refused: 60_000 };

/**
 * A limiter over Workers KV, one instance an isolate. Every isolate publishes its count under a key of its own, so no
 * write undoes another. Far from a limit it admits calls on what it knows and claims blocks of them in the background;
 * near it, and before its first call, it first writes a claim and then looks at those of the others, so that within
 * one place no room is granted twice. Between places it is as late as KV, a minute or more, in which each place may
 * admit up to the limit. Limits that must hold everywhere need a limiter with one point of decision.
 *
 * A reply waits for one write and one list at most, those of the counter that needs them most, and no longer than
 * `COUNTER_DEADLINE_MS`; other counters are exchanged in the background. Where the store fails, the isolate goes on by
 * what it knows and reports it: a fault of the store refuses no call.
 */
export function createKvLimiter(options: ExchangeOptions): Limiter {
  return new KvLimiter(new CountExchange(options));
}

/** A limit and the state of its counter in this isolate. */
interface Held {
  limit: Limit;
  shard: Shard;
}

class KvLimiter implements Limiter {
  readonly #exchange: CountExchange;
  readonly #table = new CounterTable<Shard>(newShard);

  constructor(exchange: CountExchange) {
    this.#exchange = exchange;
  }

  async admit(limits: readonly Limit[], cost: number, mayWait = true): Promise<Decision> {
    const amount = wholeCost(cost);
    const unsure = mayWait ? this.#unsure(limits, amount) : null;
    if (unsure !== null) await this.#exchange.claimInTime(unsure, amount);
    return this.#settle(limits, amount);
  }

  release(limits: readonly Limit[], cost: number): void {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    for (const { shard } of claimantsOf(held)) giveBackTo(shard, wholeCost(cost), now);
    for (const claimant of claimantsOf(held)) this.#exchange.planSettlement(claimant);
  }

  async look(limits: readonly Limit[]): Promise<LimitState[]> {
    const now = this.#exchange.now();
    const stale = claimantsOf(this.#hold(limits, now)).filter(
      ({ shard }) => shard.lookFaults === 0 && isLookDue(lookView(shard), LOOK_AFTER_MS.asked, now),
    );
    await this.#exchange.lookInTime(stale.map(({ shard }) => shard));
    const after = this.#exchange.now();
    return this.#hold(limits, after).map((held) => stateOfHeld(held, after));
  }

  /** The counters of the limits, moved to the present. */
  #hold(limits: readonly Limit[], now: number): Held[] {
    return limits.map((limit) => {
      const shard = this.#table.entry(limit, now);
      advanceShard(shard, now);
      return { limit, shard };
    });
  }

  /**
   * The counter in which to claim room before a call is decided. None for a call that is refused as things stand.
   */
  #unsure(limits: readonly Limit[], amount: number): Claimant | null {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    if (!decideHeld(held, amount, now).admitted) return null;
    const unsure = claimantsOf(held).filter(
      (claimant) => courseFor(claimant, amount, now) === "ask" && this.#exchange.canClaim(claimant.shard),
    );
    return mostPressing(unsure, amount, now);
  }

  /**
   * Decides and spends. Nothing is awaited in between, so each of many calls at once sees what the others
   * spent.
   */
  #settle(limits: readonly Limit[], amount: number): Decision {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    const decision = decideHeld(held, amount, now);
    const settled = decision.admitted ? (this.#contention(held, amount, now) ?? decision) : decision;
    for (const claimant of claimantsOf(held)) this.#goOn(claimant, settled.admitted ? amount : 0, now);
    return settled;
  }

  /** The refusal of a call for which there may be room, but none that is surely this isolate's. */
  #contention(held: readonly Held[], amount: number, now: number): Decision | null {
    const contended = held.find(({ limit, shard }) => !mayAdmit({ shard, max: limit.max }, amount, now));
    if (contended === undefined) return null;
    const { limit, shard } = contended;
    // So that the next attempt knows more, where this one waited for another counter.
    this.#exchange.claimLater({ shard, max: limit.max });
    const retryAfterMs = Math.max(1, writableFrom(shard, now) - now);
    return {
      admitted: false,
      because: "used up",
      refusedBy: limit,
      retryAfterMs,
      states: held.map((one) => stateOfHeld(one, now)),
    };
  }

  /** Counts what was admitted of a call, and sees to it that others get to know and this isolate gets to know more. */
  #goOn(claimant: Claimant, admitted: number, now: number): void {
    const { shard } = claimant;
    if (admitted > 0) {
      const course = courseFor(claimant, admitted, now);
      spendOn(shard, admitted, now);
      if (course === "renew" || course === "ask") this.#exchange.claimLater(claimant);
    } else if (isLookDue(lookView(shard), LOOK_AFTER_MS.refused, now)) this.#exchange.lookLater(shard);
    this.#exchange.planSettlement(claimant);
  }
}

/** The counters of limits, each once, with the strictest of the limits on it. */
function claimantsOf(held: readonly Held[]): Claimant[] {
  const strictest = new Map<Shard, number>();
  for (const { limit, shard } of held) {
    strictest.set(shard, Math.min(limit.max, strictest.get(shard) ?? Number.POSITIVE_INFINITY));
  }
  return [...strictest].map(([shard, max]) => ({ shard, max }));
}

function decideHeld(held: readonly Held[], amount: number, now: number): Decision {
  const usages = held.map(({ limit, shard }) => ({ limit, counter: knownCount(shard) }));
  return decide(usages, amount, now);
}

function stateOfHeld({ limit, shard }: Held, now: number): LimitState {
  return stateOf({ limit, counter: knownCount(shard) }, now);
}

function lookView({ lookedAt, lookFaults }: Shard): { lookedAt: number | null; faults: number } {
  return { lookedAt, faults: lookFaults };
}
