import { MAX_SETTLE_TRIES } from "../../limits.ts";
import { wholeCost } from "../decide.ts";
import type { Decision, Limit, Limiter, LimitState } from "../limiter.ts";
import { type Answer, ExactPlaces, type ExactPlacesOptions } from "./places.ts";

/** What an exact limiter needs. */
export interface ExactLimiterOptions extends ExactPlacesOptions {
  /** A name for a call that nothing else has. */
  newId: () => string;
}

/**
 * A limiter that counts each group of buckets in one object for all isolates, wherever they are: exactly the limit is
 * admitted, at one round trip a call. Where the limits of a call are in several objects, all are asked at once; each
 * counts the call provisionally, until it is told whether all have admitted it, and gives it back if it never is.
 *
 * A fault of an object (not there, overloaded, replaced by a deployment, slow) refuses no call: the isolate decides by
 * what it last heard and has counted since, reports the fault, and leaves the object alone for a while.
 */
export function createExactLimiter(options: ExactLimiterOptions): ExactLimiter {
  return new ObjectLimiter(options);
}

/** A limiter with one place that counts a bucket for all isolates, and can close it for all of them. */
export interface ExactLimiter extends Limiter {
  /** Has calls that count in a bucket refused for so many milliseconds, by whichever isolate they are made. */
  close(bucket: Pick<Limit, "bucket" | "group">, milliseconds: number): void;
}

/** The limits of a call that one object counts, and their places among all limits of the call. */
interface Part {
  group: string;
  limits: Limit[];
  indices: number[];
}

/** What an object, or the isolate in its place, has said of its part. */
interface AnsweredPart extends Part {
  answer: Answer;
}

class ObjectLimiter implements ExactLimiter {
  readonly #places: ExactPlaces;
  readonly #newId: () => string;
  readonly #now: () => number;

  constructor(options: ExactLimiterOptions) {
    this.#places = new ExactPlaces(options);
    this.#newId = options.newId;
    this.#now = options.now;
  }

  async admit(limits: readonly Limit[], cost: number): Promise<Decision> {
    const amount = wholeCost(cost);
    const parts = partsOf(limits);
    const hold = parts.length > 1 ? this.#newId() : null;
    const answered = await Promise.all(
      parts.map(async (part): Promise<AnsweredPart> => {
        return { ...part, answer: await this.#places.admit(part.group, part.limits, amount, hold) };
      }),
    );
    const decision = joined(answered);
    if (hold !== null) this.#settle(answered, amount, hold, decision.admitted);
    return decision;
  }

  release(limits: readonly Limit[], cost: number): void {
    const amount = wholeCost(cost);
    for (const { group, limits: own } of partsOf(limits)) this.#places.giveBack(group, own, amount);
  }

  async look(limits: readonly Limit[]): Promise<LimitState[]> {
    const looked = partsOf(limits).map(async (part) => {
      return { ...part, states: await this.#places.look(part.group, part.limits) };
    });
    return inOrder(await Promise.all(looked));
  }

  close({ bucket, group }: Pick<Limit, "bucket" | "group">, milliseconds: number): void {
    const until = this.#now() + milliseconds;
    this.#places.tell(group, MAX_SETTLE_TRIES, (place) => place.close(bucket, until));
  }

  /**
   * Tells each object whether the call is made: also one that has not answered, since it may have counted the call.
   */
  #settle(answered: readonly AnsweredPart[], amount: number, hold: string, isMade: boolean): void {
    for (const { group, limits, answer } of answered) {
      if (answer.from === "object" && !answer.decision.admitted) continue;
      if (!isMade && answer.decision.admitted) this.#places.forget(limits, amount);
      this.#places.tell(group, MAX_SETTLE_TRIES, (place) => place.settle(hold, isMade));
    }
  }
}

/** The limits by their groups. */
function partsOf(limits: readonly Limit[]): Part[] {
  const parts = new Map<string, Part>();
  for (const [index, limit] of limits.entries()) {
    const part = parts.get(limit.group) ?? { group: limit.group, limits: [], indices: [] };
    part.limits.push(limit);
    part.indices.push(index);
    parts.set(limit.group, part);
  }
  return [...parts.values()];
}

/** One decision of several: admitted by all, or refused by the one to wait longest for. */
function joined(answered: readonly AnsweredPart[]): Decision {
  const refusals = answered.flatMap(({ answer }) => (answer.decision.admitted ? [] : [answer.decision]));
  const [last] = refusals.sort((left, right) => waitOf(right.retryAfterMs) - waitOf(left.retryAfterMs));
  if (last !== undefined) {
    const before = answered.map((part) => ({ ...part, states: part.answer.before }));
    return { ...last, states: inOrder(before) };
  }
  const after = answered.map((part) => ({ ...part, states: part.answer.decision.states }));
  return { admitted: true, states: inOrder(after) };
}

/** The longest wait is the one that never ends. */
function waitOf(retryAfterMs: number | null): number {
  return retryAfterMs ?? Number.MAX_VALUE;
}

function inOrder(parts: readonly (Part & { states: LimitState[] })[]): LimitState[] {
  const placed = parts.flatMap(({ indices, states }) =>
    states.map((state, position) => ({ state, index: indices[position] ?? 0 })),
  );
  return placed.sort((left, right) => left.index - right.index).map(({ state }) => state);
}
