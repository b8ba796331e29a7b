import type { Context } from "hono";
import { bytesOf, type PreparedBody } from "../catalog/index.ts";
import { type Failure, retryAfterMs, statusOf, toWire } from "../errors.ts";
import { REQUEST_ID_HEADER } from "./request-id.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** Answers with a value as JSON. */
export function replyJson(
  context: Context,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return reply(context, JSON.stringify(value), status, { ...headers, "Content-Type": JSON_TYPE });
}

/** The result of a call, as JSON text or the bytes of one, and what goes with it. */
export interface CallReply {
  json: string | Uint8Array;
  meta: object;
  /** Milliseconds since the result was made; null where that was for this call. */
  ageMs: number | null;
}

/** Answers with the result of a call. It is put in as it is: a kept one is neither written nor encoded for each reply. */
export function replyResult(
  context: Context,
  { json, meta, ageMs }: CallReply,
  others: Readonly<Record<string, string>>,
): Response {
  const age = ageMs === null ? {} : { Age: ageHeader(ageMs) };
  const headers = { ...others, ...age, "Content-Type": JSON_TYPE };
  const after = `,"meta":${JSON.stringify(meta)}}`;
  const body = typeof json === "string" ? BEFORE + json + after : joined(json, encoder.encode(after));
  return reply(context, body, 200, headers);
}

const BEFORE = '{"data":';
const encoder = new TextEncoder();
const BYTES_BEFORE = encoder.encode(BEFORE);

function joined(json: Uint8Array, after: Uint8Array): Uint8Array {
  const body = new Uint8Array(BYTES_BEFORE.length + json.length + after.length);
  body.set(BYTES_BEFORE);
  body.set(json, BYTES_BEFORE.length);
  body.set(after, BYTES_BEFORE.length + json.length);
  return body;
}

/** Age counts whole seconds (RFC 9111, section 5.1). */
function ageHeader(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1_000));
}

/** Answers with a file as it is, as text where it is UTF-8. Nobody may take it for anything that runs. */
export function replyBytes(context: Context, bytes: Uint8Array, etag: string): Response {
  const shared = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (holdsTag(context.req.header("If-None-Match"), etag)) return reply(context, null, 304, shared);
  const type = isText(bytes) ? "text/plain; charset=utf-8" : "application/octet-stream";
  const headers = { ...shared, "Content-Type": type, "X-Content-Type-Options": "nosniff" };
  return reply(context, bytes, 200, { ...headers, "Content-Security-Policy": "sandbox" });
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).includes("\0");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** Answers with a failure in the one form, with the headers that go with it. */
export function replyFailure(
  context: Context,
  failure: Failure,
  others: Readonly<Record<string, string>> = {},
): Response {
  const headers: Record<string, string> = { ...others, "Content-Type": JSON_TYPE };
  const wait = retryAfterMs(failure);
  if (wait !== null) headers["Retry-After"] = String(Math.ceil(wait / 1000));
  if (failure.ageMs !== undefined) headers.Age = ageHeader(failure.ageMs);
  const challenge = challengeOf(failure);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  return reply(context, JSON.stringify(toWire(failure, context.var.requestId)), statusOf(failure), headers);
}

/** What a key has to be for the request to be let in (RFC 6750, section 3); null where it is not about the key. */
function challengeOf(failure: Failure): string | null {
  const realm = 'Bearer realm="skillgate"';
  if (failure.code === "UNAUTHENTICATED")
    return failure.error === undefined ? realm : `${realm}, error="${failure.error}"`;
  if (failure.code !== "FORBIDDEN" || failure.scope === undefined) return null;
  const scope = SCOPE_TOKEN.test(failure.scope) ? `, scope="${failure.scope}"` : "";
  return `${realm}, error="insufficient_scope"${scope}`;
}

/** What can be named in a challenge (RFC 6749, section 3.3); a permission may have any characters. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Answers with a prepared body under its strong entity tag, or with 304 where the caller has it already. */
export function replyTagged(context: Context, prepared: PreparedBody, type: string = JSON_TYPE): Response {
  const { etag } = prepared;
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (holdsTag(context.req.header("If-None-Match"), etag)) return reply(context, null, 304, headers);
  return reply(context, bytesOf(prepared), 200, { ...headers, "Content-Type": type });
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
