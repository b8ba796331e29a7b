import { MAX_UNKNOWN_KEY_READS } from "../../limits.ts";

const MINUTE_MS = 60_000;

/** How many keys an isolate still looks for that it does not know. */
export class ReadAllowance {
  readonly #now: () => number;
  #minute = 0;
  #taken = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes one reading; null, or where none is left the milliseconds until there are some again. */
  take(): number | null {
    const now = this.#now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#taken = 0;
    }
    if (this.#taken >= MAX_UNKNOWN_KEY_READS) return (minute + 1) * MINUTE_MS - now;
    this.#taken += 1;
    return null;
  }

  /** Takes back that one was taken: it was for a key that there is. */
  giveBack(): void {
    this.#taken = Math.max(0, this.#taken - 1);
  }
}
