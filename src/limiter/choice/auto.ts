import type { Decision, Limit, Limiter, LimitState } from "../limiter.ts";

/** What a limiter is made of that counts some limits exactly and the others in KV. */
export interface AutoLimiterOptions {
  kv: Limiter;
  exact: Limiter;
  /** Which of the two counts a limit; the same for the same limit, always. */
  takesExact: (limit: Limit) => boolean;
}

/**
 * A limiter that has each limit counted where it is counted best. A call is still admitted by all of its limits or by
 * none: what KV's side has spent is given back, in this very isolate, where the other side refuses.
 */
export function createAutoLimiter(options: AutoLimiterOptions): Limiter {
  return new AutoLimiter(options);
}

class AutoLimiter implements Limiter {
  readonly #options: AutoLimiterOptions;

  constructor(options: AutoLimiterOptions) {
    this.#options = options;
  }

  async admit(limits: readonly Limit[], cost: number, mayWait = true): Promise<Decision> {
    const { kv, exact } = this.#options;
    const { small, large } = this.#split(limits);
    if (large.length === 0) return exact.admit(small, cost);
    const first = await kv.admit(large, cost, mayWait);
    if (small.length === 0) return first;
    if (!first.admitted) return withOthers(limits, first, await exact.look(small), cost);
    const second = await exact.admit(small, cost);
    if (second.admitted) return { admitted: true, states: inOrder(limits, [first.states, second.states]) };
    kv.release(large, cost);
    return withOthers(limits, second, await kv.look(large), cost);
  }

  release(limits: readonly Limit[], cost: number): void {
    const { small, large } = this.#split(limits);
    if (large.length > 0) this.#options.kv.release(large, cost);
    if (small.length > 0) this.#options.exact.release(small, cost);
  }

  async look(limits: readonly Limit[]): Promise<LimitState[]> {
    const { small, large } = this.#split(limits);
    const { kv, exact } = this.#options;
    return inOrder(limits, await Promise.all([kv.look(large), exact.look(small)]));
  }

  #split(limits: readonly Limit[]): { small: Limit[]; large: Limit[] } {
    const { takesExact } = this.#options;
    return {
      small: limits.filter((limit) => takesExact(limit)),
      large: limits.filter((limit) => !takesExact(limit)),
    };
  }
}

/** A refusal by one side, with how the limits of the other stand: what is used up there is to be waited for as well. */
function withOthers(
  limits: readonly Limit[],
  refusal: Decision & { admitted: false },
  others: readonly LimitState[],
  cost: number,
): Decision {
  const states = inOrder(limits, [refusal.states, others]);
  const [last] = others.filter(({ left }) => left < cost).sort((one, other) => other.moreMs - one.moreMs);
  const { retryAfterMs } = refusal;
  if (last === undefined || retryAfterMs === null || last.moreMs <= retryAfterMs)
    return { ...refusal, states };
  return {
    admitted: false,
    because: "used up",
    refusedBy: last.limit,
    retryAfterMs: last.moreMs,
    states,
  };
}

function inOrder(limits: readonly Limit[], states: readonly (readonly LimitState[])[]): LimitState[] {
  const byLimit = new Map(states.flat().map((state) => [state.limit, state]));
  return limits.flatMap((limit) => byLimit.get(limit) ?? []);
}
