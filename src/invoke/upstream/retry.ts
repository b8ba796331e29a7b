/** Whether a failed attempt is made again, and after how long. Arithmetic only: the caller waits. */
import { type Failure, isRetryable } from "../../errors.ts";
import type { ErrorHandling } from "../../ir.ts";
import { MAX_CLOSURE_MS } from "../../limits.ts";

/** An attempt that failed, and what bears on making another one. */
export interface FailedAttempt {
  failure: Failure;
  /** 0 for the first attempt, 1 for the first retry. */
  attempt: number;
  /**
   * Whether doing it twice does no harm: an idempotent method, or a function annotated `idempotent` or
   * `read_only`.
   */
  repeatable: boolean;
  /** The wait that the upstream asked for, in milliseconds. */
  retryAfterMs: number | null;
  /** Milliseconds until the whole call must be over. */
  timeLeftMs: number;
}

/**
 * Milliseconds to wait before the next attempt, or null where there is to be none.
 *
 * A call that is not repeatable is never made again: no runtime tells a connection that was refused from one
 * that broke after the upstream had read the request (RFC 9110, section 9.2.2). The upstream's own wait takes
 * the place of the backoff, and a wait that would not end before the deadline is not begun: shortening it
 * would spend a request on a refusal, while the caller, told the time, can come back.
 */
export function nextDelay(
  policy: ErrorHandling,
  { failure, attempt, repeatable, retryAfterMs, timeLeftMs }: FailedAttempt,
  random: () => number,
): number | null {
  if (!repeatable || attempt >= policy.maxRetries || !isWorthRepeating(policy, failure)) return null;
  const { strategy, baseDelayMs, maxDelayMs } = policy.backoff;
  const delay =
    retryAfterMs === null
      ? backoffDelay(strategy, attempt, baseDelayMs, maxDelayMs, random)
      : clampRetryAfter(retryAfterMs);
  return delay < timeLeftMs ? delay : null;
}

/**
 * The skill's lists of codes come first, and its "never" before its "again"; then what the failure is by its
 * kind.
 */
function isWorthRepeating(policy: ErrorHandling, failure: Failure): boolean {
  // A refusal of the gateway's own (a limit, a store) is the caller's to wait for, not this loop's.
  if (failure.code === "UPSTREAM_TIMEOUT") return true;
  if (!("upstream" in failure)) return false;
  const { code } = failure.upstream;
  if (code !== null && policy.nonRetryableCodes.includes(code)) return false;
  if (code !== null && policy.retryableCodes.includes(code)) return true;
  return isRetryable(failure);
}

type Strategy = ErrorHandling["backoff"]["strategy"];

/**
 * From the exponential ceiling to the delay. `exponential_jitter` draws from the whole of it ("full jitter"):
 * of the variants compared in "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015) it makes clients
 * that failed together send the fewest requests, where jitter of a tenth would keep their waves together; and
 * the caller, who is waiting, waits half as long on average.
 */
const spreads: {
  [Name in Strategy]: (ceilingMs: number, baseDelayMs: number, random: () => number) => number;
} = {
  exponential_jitter: (ceilingMs, _baseDelayMs, random) => ceilingMs * random(),
  exponential: (ceilingMs) => ceilingMs,
  fixed: (ceilingMs, baseDelayMs) => Math.min(ceilingMs, baseDelayMs),
};

/**
 * The pause after attempt `attempt` (from 0) in whole milliseconds, never above `maxDelayMs`. `random` gives
 * numbers from 0 up to 1, 1 excluded.
 */
export function backoffDelay(
  strategy: Strategy,
  attempt: number,
  baseDelayMs: number,
  maxDelayMs: number,
  random: () => number,
): number {
  const ceilingMs = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt);
  return Math.round(spreads[strategy](ceilingMs, baseDelayMs, random));
}

/**
 * Milliseconds that a Retry-After field asks to wait (RFC 9110, section 10.2.3), from 0 to `MAX_CLOSURE_MS`: a
 * count of seconds in digits, or an HTTP date against `now` (milliseconds since 1970). Anything else is null, as if
 * the field were absent.
 */
export function parseRetryAfter(value: string, now: number): number | null {
  const text = value.trim();
  // Digits first and without falling through: lenient date parsers take bare numbers for years.
  if (/^\d+$/.test(text)) return clampRetryAfter(Number(text) * 1_000);
  const date = parseHttpDate(text, now);
  return date === null ? null : clampRetryAfter(date - now);
}

function clampRetryAfter(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), MAX_CLOSURE_MS);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";
const MONTH = "(?<month>[A-Z][a-z]{2})";

/** The three forms that a recipient must read (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, asctime. */
const HTTP_DATES = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

function parseHttpDate(text: string, now: number): number | null {
  const groups = HTTP_DATES.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { day = "", month = "", year = "", hour = "", minute = "", second = "" } = groups;
  const fullYear = year.length === 2 ? yearOfTwoDigits(Number(year), now) : Number(year);
  const date = new Date(Date.UTC(fullYear, MONTHS.indexOf(month), Number(day)));
  // Date.UTC carries 31 June into July and an unknown month into last December; neither is a date.
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== MONTHS.indexOf(month)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  return date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
}

/**
 * More than 50 years ahead means the most recent past year with the same digits (RFC 9110, section 5.6.7).
 */
function yearOfTwoDigits(digits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + digits;
  return year > thisYear + 50 ? year - 100 : year;
}
