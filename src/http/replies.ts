import type { Context } from "hono";
import { bytesOf, type PreparedBody } from "../catalog/index.ts";
import { type Failure, retryAfterMs, statusOf, toWire } from "../errors.ts";
import { REQUEST_ID_HEADER } from "./request-id.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Answers with a value as JSON. */
export function replyJson(
  context: Context,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return reply(context, JSON.stringify(value), status, { ...headers, "Content-Type": JSON_TYPE });
}

/** Answers with plain text. */
export function replyText(context: Context, text: string): Response {
  return reply(context, text, 200, { "Content-Type": "text/plain; charset=utf-8" });
}

/** Answers with a failure in the one form, with the headers that go with it. */
export function replyFailure(context: Context, failure: Failure): Response {
  const headers: Record<string, string> = { "Content-Type": JSON_TYPE };
  const wait = retryAfterMs(failure);
  if (wait !== null) headers["Retry-After"] = String(Math.ceil(wait / 1000));
  if (failure.code === "UNAUTHENTICATED") headers["WWW-Authenticate"] = 'Bearer realm="skillgate"';
  return reply(context, JSON.stringify(toWire(failure, context.var.requestId)), statusOf(failure), headers);
}

/** Answers with prepared JSON under its strong entity tag, or with 304 where the caller has it already. */
export function replyTagged(context: Context, prepared: PreparedBody): Response {
  const { etag } = prepared;
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (holdsTag(context.req.header("If-None-Match"), etag)) return reply(context, null, 304, headers);
  return reply(context, bytesOf(prepared), 200, { ...headers, "Content-Type": JSON_TYPE });
}

/**
 * Every reply is made here, in one go: headers set on a finished response cost more than all else of a reply.
 */
function reply(
  context: Context,
  body: string | Uint8Array | null,
  status: number,
  headers: Record<string, string>,
): Response {
  return new Response(body, { status, headers: { ...headers, [REQUEST_ID_HEADER]: context.var.requestId } });
}

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
function holdsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
