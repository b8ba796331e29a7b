import {
  CALL_DEADLINE_MS,
  MAX_CALL_REQUESTS,
  MAX_CALL_RESPONSE_BYTES,
  MAX_CHAIN_CALLS,
  MAX_PARALLEL_REQUESTS,
} from "../limits.ts";
import type { FunctionLookup } from "./call.ts";
import { CallerBudget } from "./limits/caller-budget.ts";
import { LimitReport } from "./limits/report.ts";

/** What calls share that are made together: the end of their time, and what they may lead to in all. */
export interface Share {
  /** When everything must be over, in milliseconds since 1970. */
  deadline: number;
  budget: Budget;
  /** What they may lead to behind their reply, all of that together. */
  behind: Budget;
}

/** A share that begins now, in milliseconds since 1970. */
export function startShare(now: number): Share {
  return { deadline: now + CALL_DEADLINE_MS, budget: new Budget(), behind: new Budget() };
}

/** What a call shares with all the calls that it leads to. */
export interface Run extends Share {
  /** The request id. */
  id: string;
  tenant: string;
  /** Names what the caller sees. */
  view: string;
  find: FunctionLookup;
  caller: CallerBudget;
  limits: LimitReport;
  patience: Patience;
  /** Requests that were sent for the call and all that it leads to. */
  traffic: { sent: number };
  /** Fires when the caller goes away, or when another step of the chain has failed. */
  signal: AbortSignal | null;
  /** The chains that led here, outermost first, by the names of their functions. */
  path: readonly string[];
}

/**
 * The run of what a call leads to and does not wait for: on time of its own and on what all that is behind the reply
 * shares, which is told to nobody, and at no further cost to the caller.
 */
export function backgroundRun(run: Run, now: number): Run {
  return {
    ...run,
    deadline: now + CALL_DEADLINE_MS,
    budget: run.behind,
    caller: new CallerBudget([]),
    limits: new LimitReport(),
    patience: new Patience(),
    traffic: { sent: 0 },
    signal: null,
  };
}

/** A caller waits for the limits' store once, however many requests a call leads to. */
export class Patience {
  #isLeft = true;

  /** Whether to wait now; from then on no more. */
  take(): boolean {
    const isLeft = this.#isLeft;
    this.#isLeft = false;
    return isLeft;
  }
}

/** What one call may still lead to, counted over all that it leads to. */
export class Budget {
  readonly requestSlots = new Slots(MAX_PARALLEL_REQUESTS);
  #requests = MAX_CALL_REQUESTS;
  #calls = MAX_CHAIN_CALLS;
  #bytes = MAX_CALL_RESPONSE_BYTES;

  /** Takes one request; what forbids it where it may not be made, null where it may. */
  takeRequest(): string | null {
    if (this.#requests <= 0) return `a call leads to at most ${MAX_CALL_REQUESTS} requests`;
    if (this.#bytes <= 0) return `a call takes at most ${MAX_CALL_RESPONSE_BYTES} bytes of replies`;
    this.#requests -= 1;
    return null;
  }

  /** Counts a request that is made for whoever needs what it brings, and so is not refused for this call's sake. */
  countRequest(): void {
    this.#requests -= 1;
  }

  /** Counts a reply that is kept. */
  takeBytes(count: number): void {
    this.#bytes -= count;
  }

  /** Takes so many calls of a chain's steps together, or none where that is more than are left. */
  takeCalls(count: number): boolean {
    if (count > this.#calls) return false;
    this.#calls -= count;
    return true;
  }
}

/** Lets so many do something at once, the others in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #take(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
  }

  /** A slot is handed on rather than freed, so that nobody comes in between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
