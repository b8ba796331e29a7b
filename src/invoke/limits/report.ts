import type { CallLimit, CallLimitState } from "../call.ts";

/** How the limits stand that one call was held against, with all that it led to. */
export class LimitReport {
  readonly #states = new Map<string, CallLimitState>();

  /** Takes note of how limits stand now. */
  note(states: readonly CallLimitState[]): void {
    for (const state of states) this.#states.set(nameOf(state.limit), state);
  }

  /** Takes note that what was counted has been given back. */
  noteGivenBack(limits: readonly CallLimit[], cost: number): void {
    for (const limit of limits) {
      const state = this.#states.get(nameOf(limit));
      if (state === undefined) continue;
      const used = Math.max(0, state.used - cost);
      this.#states.set(nameOf(limit), { ...state, used, left: Math.max(0, Math.floor(limit.max) - used) });
    }
  }

  /** In the order in which the call met them. */
  get states(): CallLimitState[] {
    return [...this.#states.values()];
  }
}

function nameOf({ bucket, max, window }: CallLimit): string {
  return `${window} ${max} ${bucket}`;
}
