import { decide, stateOf, wholeCost } from "./decide.ts";
import { CountExchange, type ExchangeOptions } from "./exchange.ts";
import type { Decision, Limit, Limiter, LimitState } from "./limiter.ts";
import { isLookDue, isWorthLookingFirst, type LookView, type Urgency, urgencyOf } from "./policy.ts";
import {
  advanceShard,
  giveBackTo,
  knownCount,
  newShard,
  type Shard,
  spendOn,
  unpublishedCount,
} from "./shard.ts";
import { CounterTable } from "./table.ts";

/**
 * A limiter over Workers KV, one instance an isolate. Every isolate counts its own calls and publishes the
 * count under a key of its own, so no write undoes another; it decides on its own count and on what the
 * others had published when it last looked. Within one isolate it is therefore exact. Across isolates it is
 * as late as KV: tens of milliseconds in one place, a minute or more between places, in which each may admit
 * up to the limit. Limits that must hold everywhere need a limiter with one point of decision.
 *
 * No reply waits for a write, and one near a limit for at most `COUNTER_LOOK_DEADLINE_MS` for a look. Where
 * the store fails, the isolate goes on by what it knows and reports it: a fault of the store refuses no call.
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

  async admit(limits: readonly Limit[], cost: number): Promise<Decision> {
    const amount = wholeCost(cost);
    await this.#exchange.lookInTime(this.#blindSpots(limits, amount));
    return this.#settle(limits, amount);
  }

  release(limits: readonly Limit[], cost: number): void {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    for (const shard of distinctShards(held)) giveBackTo(shard, wholeCost(cost), now);
    for (const one of held) this.#planWrite(one, now);
  }

  async look(limits: readonly Limit[]): Promise<LimitState[]> {
    const now = this.#exchange.now();
    const stale = this.#hold(limits, now).filter(({ shard }) =>
      isWorthLookingFirst(lookView(shard, "high"), now),
    );
    await this.#exchange.lookInTime(distinctShards(stale));
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
   * The counters to look at before a call is decided: those of which so little is left that this one call
   * matters. None for a call that is refused as things stand.
   */
  #blindSpots(limits: readonly Limit[], amount: number): Shard[] {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    if (!decideHeld(held, amount, now).admitted) return [];
    const blind = held.filter(({ limit, shard }) => {
      const urgency = urgencyOfCalls(amount, { limit, shard }, now);
      return isWorthLookingFirst(lookView(shard, urgency), now);
    });
    return distinctShards(blind);
  }

  /**
   * Decides and spends. Nothing is awaited in between, so each of many calls at once sees what the others
   * spent.
   */
  #settle(limits: readonly Limit[], amount: number): Decision {
    const now = this.#exchange.now();
    const held = this.#hold(limits, now);
    const decision = decideHeld(held, amount, now);
    if (decision.admitted) for (const shard of distinctShards(held)) spendOn(shard, amount, now);
    for (const one of held) {
      this.#planWrite(one, now);
      this.#lookWhereDue(one, decision.admitted, now);
    }
    return decision;
  }

  #planWrite(held: Held, now: number): void {
    this.#exchange.planWrite(held.shard, urgencyOfCalls(unpublishedCount(held.shard), held, now));
  }

  /** A refused call spends nothing and so is no reason to look any sooner. */
  #lookWhereDue(held: Held, admitted: boolean, now: number): void {
    const urgency = admitted ? urgencyOfCalls(held.shard.spentSinceLook, held, now) : "low";
    if (isLookDue(lookView(held.shard, urgency), now)) this.#exchange.lookLater(held.shard);
  }
}

/** Limits may share a counter; what is done to counters is done once to each. */
function distinctShards(held: readonly Held[]): Shard[] {
  return [...new Set(held.map(({ shard }) => shard))];
}

function decideHeld(held: readonly Held[], amount: number, now: number): Decision {
  const usages = held.map(({ limit, shard }) => ({ limit, counter: knownCount(shard) }));
  return decide(usages, amount, now);
}

function stateOfHeld({ limit, shard }: Held, now: number): LimitState {
  return stateOf({ limit, counter: knownCount(shard) }, now);
}

function urgencyOfCalls(calls: number, held: Held, now: number): Urgency {
  return urgencyOf(calls, held.shard.otherIsolates + 1, stateOfHeld(held, now).left);
}

function lookView({ lookedAt, lookFaults }: Shard, urgency: Urgency): LookView {
  return { urgency, lookedAt, faults: lookFaults };
}
