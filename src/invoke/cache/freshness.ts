import { type Failure, type FailureCode, type Result, retryAfterMs } from "../../errors.ts";
import type { CacheRule } from "../../ir.ts";
import { REFRESH_BASE_PAUSE_MS, REFRESH_MAX_DECLARED_PAUSE_MS, REFRESH_MAX_PAUSE_MS } from "../../limits.ts";
import type { PagesReport } from "../call.ts";
import { isCutShort } from "../result/pages-report.ts";

/**
 * What a kept result is good for (RFC 5861): `fresh` is given, `stale` is given while it is made anew, `last resort` is
 * given where making it anew fails, `gone` is not given.
 */
export type Freshness = "fresh" | "stale" | "last resort" | "gone";

/** What a result of some age is good for. */
export function freshnessOf(
  { ttlMs, staleWhileRevalidateMs, staleIfErrorMs }: CacheRule,
  ageMs: number,
): Freshness {
  const staleMs = ageMs - ttlMs;
  if (staleMs < 0) return "fresh";
  if (staleMs < staleWhileRevalidateMs) return "stale";
  return staleMs < staleIfErrorMs ? "last resort" : "gone";
}

/** How long a result is kept in all. */
export function keepMs({ ttlMs, staleWhileRevalidateMs, staleIfErrorMs }: CacheRule): number {
  return ttlMs + Math.max(staleWhileRevalidateMs, staleIfErrorMs);
}

/** How long a failure is kept; null where it is not. A failed step's is not the chain's own answer. */
export function keepFailureMs({ failures }: CacheRule, failure: Failure): number | null {
  if (failure.code !== "UPSTREAM_REJECTED" || failure.step !== undefined) return null;
  return failures.find(({ kind }) => kind === failure.kind)?.ttlMs ?? null;
}

/**
 * The pause after an attempt to make a result anew that brought none: doubled with each in a row, and at least what the
 * failure says, as far as that is to be believed.
 */
export function pauseMs(attempts: number, failure: Failure | null): number {
  const grown = Math.min(REFRESH_BASE_PAUSE_MS * 2 ** (attempts - 1), REFRESH_MAX_PAUSE_MS);
  const declared = failure === null ? 0 : (retryAfterMs(failure) ?? 0);
  return Math.max(grown, Math.min(declared, REFRESH_MAX_DECLARED_PAUSE_MS));
}

/**
 * What came of making a result anew, for the one that is kept: an `answer` takes its place, and so does every failure
 * but an outage, a refusal above all; an `outage` is none, so that the old one may stand in for it; a `makeshift` is
 * given once, made of what is itself old, and leaves the old one where it is.
 */
export type Renewal = "answer" | "outage" | "makeshift";

/** What a result is worth to those who ask later. */
export function renewalOf(result: Result<{ pages: PagesReport | null; stale: boolean }>): Renewal {
  if (!result.ok) return isOutage(result.failure) ? "outage" : "answer";
  const { pages, stale } = result.value;
  if (pages !== null && isCutShort(pages)) return "outage";
  return stale ? "makeshift" : "answer";
}

/**
 * The failures that an old result is better than: no answer came, or none that can be read, or there is no room for a
 * request. A refusal is an answer.
 */
const OUTAGES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_QUOTA_EXHAUSTED",
  "UPSTREAM_UNPARSABLE",
  "UPSTREAM_TOO_LARGE",
  "TOKEN_UNAVAILABLE",
  "RATE_LIMIT_EXCEEDED",
  "DAILY_QUOTA_EXCEEDED",
  "STORE_UNAVAILABLE",
]);

/** Whether an old result may stand in for a failure (RFC 5861, section 4: what would be a status of 500 to 504). */
export function isOutage({ code }: Failure): boolean {
  return OUTAGES.has(code);
}
