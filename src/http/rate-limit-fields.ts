/** The RateLimit and RateLimit-Policy header fields (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
import type { CallLimit, CallLimitState } from "../invoke/index.ts";
import { windowNameOf } from "../vocabulary.ts";

const WINDOW_SECONDS = { minute: 60, day: 86_400 };

/** The name of the policy that a limit is: who shares it, and its window; in visible ASCII. */
export function policyName({ bucket, window }: CallLimit): string {
  return `${bucket}/${window}`.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
}

/**
 * The fields that tell how limits stand; none where there are no limits. Of several limits with one name the one is
 * told of which least is left.
 * @param retryAfterMs what Retry-After will say, if anything: it must not be earlier than a `t` beside it (section 6)
 */
export function rateLimitFields(
  states: readonly CallLimitState[],
  retryAfterMs: number | null = null,
): Record<string, string> {
  const tightest = new Map<string, CallLimitState>();
  for (const state of states) {
    const name = policyName(state.limit);
    const known = tightest.get(name);
    if (known === undefined || state.left < known.left) tightest.set(name, state);
  }
  if (tightest.size === 0) return {};
  const told = [...tightest].map(([name, state]) => ({ name: structuredString(name), state }));
  return {
    "RateLimit-Policy": told
      .map(({ name, state: { limit } }) => {
        return `${name};q=${Math.floor(limit.max)};w=${WINDOW_SECONDS[windowNameOf(limit.window)]}`;
      })
      .join(", "),
    RateLimit: told
      .map(({ name, state: { left, moreMs } }) => {
        const isTold = moreMs > 0 && (retryAfterMs === null || moreMs <= retryAfterMs);
        return `${name};r=${left}${isTold ? `;t=${Math.ceil(moreMs / 1_000)}` : ""}`;
      })
      .join(", "),
  };
}

/** A String of structured fields (RFC 9651, section 3.3.3). */
function structuredString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
