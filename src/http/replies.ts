import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Failure, retryAfterMs, statusOf, toWire } from "../errors.ts";

/** Answers with a failure in the one form, with the headers that go with it. */
export function replyFailure(context: Context, failure: Failure): Response {
  const wait = retryAfterMs(failure);
  if (wait !== null) context.header("Retry-After", String(Math.ceil(wait / 1000)));
  if (failure.code === "UNAUTHENTICATED") context.header("WWW-Authenticate", 'Bearer realm="skillgate"');
  const status = statusOf(failure) as ContentfulStatusCode;
  return context.json(toWire(failure, context.var.requestId), status);
}

/** Answers with a JSON text under a strong entity tag, or with 304 where the caller has it already. */
export function replyTagged(context: Context, body: string, etag: string): Response {
  context.header("ETag", etag);
  context.header("Cache-Control", "private, no-cache");
  if (holdsTag(context.req.header("If-None-Match"), etag)) return context.body(null, 304);
  context.header("Content-Type", "application/json; charset=utf-8");
  return context.body(body);
}

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
function holdsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
