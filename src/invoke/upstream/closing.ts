/** What an upstream's own refusal of a request means for the requests after it. */
import type { Failure } from "../../errors.ts";
import type { Place } from "../limits/call-limits.ts";
import type { UpstreamReply } from "./request.ts";
import { parseRetryAfter } from "./retry.ts";

/** What the runtime needs to know of, and to tell others about, buckets that an upstream has closed. */
export interface UpstreamClosures {
  /** Milliseconds until requests may count in a bucket again; 0 where they may now. */
  closedFor(bucket: string): number;
  /** Closes a bucket for so many milliseconds, for whoever can know of it. */
  close(place: Place, milliseconds: number): void;
}

/** A bucket to be closed, and for how long. */
export interface Closing {
  place: Place;
  milliseconds: number;
}

/**
 * The bucket that a failed request closes, if any. HTTP's own words (429 with Retry-After, RFC 6585) are the upstream's
 * and close the bucket of its host and credential to everybody. Whatever else the skill reads a refusal and a time from
 * is the word of its author, which closes nothing to the calls of other documents. The refusal of another origin, to
 * which a redirect led, says nothing of this one.
 * @param origin the upstream's own
 */
export function closingOf(
  failure: Failure,
  reply: UpstreamReply | null,
  origin: string,
  place: Place,
  digest: string,
  now: number,
): Closing | null {
  if (failure.code !== "UPSTREAM_RATE_LIMITED" && failure.code !== "UPSTREAM_QUOTA_EXHAUSTED") return null;
  if (reply !== null && reply.origin !== origin) return null;
  const said = reply?.status === 429 ? parseRetryAfter(reply.headers.get("retry-after") ?? "", now) : null;
  const milliseconds = said ?? failure.retryAfterMs ?? 0;
  if (milliseconds <= 0) return null;
  return { place: said === null ? documentPlace(place, digest) : place, milliseconds };
}

/** What one document's requests alone count in. */
export function documentPlace({ bucket, group }: Place, digest: string): Place {
  return { bucket: `${bucket}:${digest}`, group };
}

/** The failure of a request that is not sent because of one before it. */
export function closedFailure(retryAfterMs: number | null): Failure {
  const message = "it refused an earlier call and named a time to wait, so nothing is sent to it until then";
  return { code: "UPSTREAM_RATE_LIMITED", upstream: { status: null, code: null, message }, retryAfterMs };
}
