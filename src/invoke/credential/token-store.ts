import { type Failure, failed, type Result, success } from "../../errors.ts";
import {
  MAX_KEPT_TOKENS,
  MAX_TOKEN_LIFETIME_MS,
  TOKEN_MARGIN_MS,
  TOKEN_REFUSAL_MS,
  TOKEN_TIMEOUT_MS,
} from "../../limits.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";
import { type FlightPlatform, Flights } from "../memory/flights.ts";
import { callerGone } from "../upstream/send.ts";

/** An access token, and how long it holds from now on. */
export interface IssuedToken {
  token: string;
  lifetimeMs: number;
}

/** The access tokens of an isolate: each is asked for once and used until shortly before its end. */
export class TokenStore {
  readonly #kept: ExpiringMap<Result<string>>;
  readonly #flights: Flights<Result<string>>;

  constructor(now: () => number, platform: FlightPlatform) {
    this.#kept = new ExpiringMap(now, MAX_KEPT_TOKENS);
    this.#flights = new Flights(platform);
  }

  /**
   * The token of a key, asked for by `issue` where there is none. A refusal is remembered for a moment too.
   * @param refused a token that the upstream did not take; it is given no more
   */
  async token(
    key: string,
    refused: string | null,
    issue: () => Promise<Result<IssuedToken>>,
  ): Promise<Result<string>> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && !(kept.ok && kept.value === refused)) return kept;
    const asker = { signal: null, patienceMs: TOKEN_TIMEOUT_MS, timeLeftMs: Number.POSITIVE_INFINITY };
    const landing = await this.#flights.join(key, asker, () => this.#issued(key, issue));
    return landing === null ? failed(callerGone()) : landing.value;
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
