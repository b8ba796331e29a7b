import type { CallLimit } from "../call.ts";

/**
 * What a caller may spend in all, as one call meets it: the call counts against it once, together with whatever of it
 * is admitted first.
 */
export class CallerBudget {
  readonly #limits: readonly CallLimit[];
  #isCounted = false;

  constructor(limits: readonly CallLimit[]) {
    this.#limits = limits;
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
