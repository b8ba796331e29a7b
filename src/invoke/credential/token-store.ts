import { type Failure, type Result, success } from "../../errors.ts";
import {
  MAX_KEPT_TOKENS,
  MAX_TOKEN_LIFETIME_MS,
  TOKEN_MARGIN_MS,
  TOKEN_REFUSAL_MS,
  TOKEN_TIMEOUT_MS,
} from "../../limits.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";
import { type FlightPlatform, Flights } from "../memory/flights.ts";

/** An access token, and how long it holds from now on. */
export interface IssuedToken {
  token: string;
  lifetimeMs: number;
}

/** The access tokens of an isolate: each is asked for once and used until shortly before its end. */
export class TokenStore {
  readonly #kept: ExpiringMap<Result<string>>;
  readonly #flights: Flights<Result<string>>;
  readonly #now: () => number;
  readonly #platform: FlightPlatform;

  constructor(now: () => number, platform: FlightPlatform) {
    this.#now = now;
    this.#platform = platform;
    this.#kept = new ExpiringMap(now, MAX_KEPT_TOKENS);
    this.#flights = new Flights(platform);
  }

  /**
   * The token of a key, asked for by `issue` where there is none; null where it has not come by the deadline. The
   * asking goes on even so, for whoever needs the token next. A refusal is remembered for a moment too.
   * @param refused a token that the upstream did not take; it is given no more
   * @param deadline how long to wait at most, in milliseconds since 1970
   */
  async token(
    key: string,
    refused: string | null,
    deadline: number,
    issue: () => Promise<Result<IssuedToken>>,
  ): Promise<Result<string> | null> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && !(kept.ok && kept.value === refused)) return kept;
    const timeLeftMs = deadline - this.#now();
    if (timeLeftMs <= 0) return null;
    // By a signal, which ends the wait of whoever asks first too.
    const timeout = new AbortController();
    const timer = new AbortController();
    void this.#platform.sleep(timeLeftMs, timer.signal).then(() => timeout.abort());
    const asker = {
      signal: timeout.signal,
      patienceMs: TOKEN_TIMEOUT_MS,
      timeLeftMs: Number.POSITIVE_INFINITY,
    };
    try {
      const landing = await this.#flights.join(key, asker, () => this.#issued(key, issue));
      return landing?.value ?? null;
    } finally {
      timer.abort();
    }
  }

  async #issued(key: string, issue: () => Promise<Result<IssuedToken>>): Promise<Result<string>> {
    const issued = await issue();
    if (!issued.ok) {
      if (isFinal(issued.failure)) this.#kept.set(key, issued, TOKEN_REFUSAL_MS);
      return issued;
    }
    const { token, lifetimeMs } = issued.value;
    const usableMs = Math.min(lifetimeMs, MAX_TOKEN_LIFETIME_MS);
    this.#kept.set(key, success(token), usableMs - Math.min(TOKEN_MARGIN_MS, usableMs / 10));
    return success(token);
  }
}

function isFinal({ code }: Failure): boolean {
  return code === "TOKEN_REFUSED";
}
