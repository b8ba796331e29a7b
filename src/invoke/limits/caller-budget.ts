import type { CallLimit } from "../call.ts";

/**
 * What a caller may spend in all, as one call meets it: the call counts against it once, at its own cost, together with
 * whatever of it is admitted first. Calls that a chain makes are calls of their own.
 */
export class CallerBudget {
  readonly #limits: readonly CallLimit[];
  #isCounted = false;

  constructor(limits: readonly CallLimit[]) {
    this.#limits = limits;
  }

  /** The same, as another call of the same caller meets it. */
  forAnotherCall(): CallerBudget {
    return new CallerBudget(this.#limits);
  }

  /** The limits, as long as the call is not counted against them. */
  get due(): readonly CallLimit[] {
    return this.#isCounted ? [] : this.#limits;
  }

  /** Takes note of whether the call is counted. */
  set isCounted(isCounted: boolean) {
    this.#isCounted = isCounted;
  }
}
