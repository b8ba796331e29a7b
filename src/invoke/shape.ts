import { type Failure, failed, type Result, success, type UpstreamAnswer } from "../errors.ts";
import type { ResponseRule } from "../ir.ts";
import { type JsonValue, jsonObject } from "../json.ts";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { shorten } from "../shorten.ts";
import { unparsable } from "./decode.ts";
import type { PreparedFunction } from "./prepared.ts";
import type { UpstreamReply } from "./request.ts";
import { parseRetryAfter } from "./retry.ts";

/** Reads an upstream's reply as the skill says: its data, or what its failure means. */
export function shapeReply(
  prepared: PreparedFunction,
  rule: ResponseRule,
  reply: UpstreamReply,
  callValues: ReadonlyMap<string, JsonValue>,
  now: number,
): Result<JsonValue> {
  const reader = new ReplyReader(prepared, reply, callValues);
  const verdict = rule.success === null ? null : reader.evaluate(rule.success);
  if (verdict === null ? isSuccessful(reply) : verdict.ok && verdict.value === true)
    return readData(rule, reader, reply);
  const failure = readFailure(prepared, rule, reader, reply, now);
  const isMute = failure.code === "UPSTREAM_REJECTED" && saysNothing(failure.upstream);
  // "Refused" would be a guess about a reply that looks well and is not what the skill can judge.
  return verdict?.ok === false && isSuccessful(reply) && isMute
    ? failed(unexpected(verdict.reason, reply))
    : failed(failure);
}

function isSuccessful({ status }: UpstreamReply): boolean {
  return status >= 200 && status < 300;
}

function saysNothing({ code, message }: UpstreamAnswer): boolean {
  return code === null && message === null;
}

function unexpected(reason: string, { status }: UpstreamReply): Failure {
  return unparsable(`it is not as the skill expects it (${reason})`, status);
}

/** Evaluates expressions over one reply. */
class ReplyReader {
  readonly #prepared: PreparedFunction;
  readonly #values: Map<string, JsonValue>;

  constructor(prepared: PreparedFunction, reply: UpstreamReply, callValues: ReadonlyMap<string, JsonValue>) {
    this.#prepared = prepared;
    this.#values = new Map(callValues);
    this.#values.set("body", reply.body).set("status", reply.status);
    this.#values.set("headers", jsonObject(reply.headers));
  }

  evaluate(source: string): ReturnType<PreparedFunction["evaluateReply"]> {
    return this.#prepared.evaluateReply(source, this.#values);
  }

  /** A short text, or null where the expression is absent or says nothing. */
  text(source: string | null): string | null {
    const result = source === null ? null : this.evaluate(source);
    if (result === null || !result.ok || result.value === null) return null;
    const text = typeof result.value === "string" ? result.value : JSON.stringify(result.value);
    return shorten(text, MAX_QUOTED_CHARACTERS);
  }
}

function readData(rule: ResponseRule, reader: ReplyReader, reply: UpstreamReply): Result<JsonValue> {
  if (rule.data === null) return success(reply.body);
  const data = reader.evaluate(rule.data);
  if (data.ok) return success(data.value);
  return failed(unexpected(data.reason, reply));
}

function readFailure(
  prepared: PreparedFunction,
  rule: ResponseRule,
  reader: ReplyReader,
  reply: UpstreamReply,
  now: number,
): Failure {
  const { rateLimitCode, retryHeader, errorHandling } = prepared.skill.constraints;
  const upstream: UpstreamAnswer = {
    status: reply.status,
    code: reader.text(rule.error.code),
    message: reader.text(rule.error.message),
  };
  const waits = [reader.text(rule.error.retryAfter), reply.headers.get(retryHeader) ?? null];
  const retryAfterMs = firstWait(waits, now);
  const isLimited = reply.status === 429 || (upstream.code !== null && upstream.code === rateLimitCode);
  if (isLimited) return { code: "UPSTREAM_RATE_LIMITED", upstream, retryAfterMs };
  if (upstream.code !== null && errorHandling.nonRetryableCodes.includes(upstream.code)) {
    return { code: "UPSTREAM_REJECTED", upstream };
  }
  const mayPass = upstream.code !== null && errorHandling.retryableCodes.includes(upstream.code);
  if (mayPass || reply.status >= 500 || reply.status === 408) {
    return { code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs };
  }
  return { code: "UPSTREAM_REJECTED", upstream };
}

/** The first of several statements of a wait that makes sense, in milliseconds. */
function firstWait(waits: readonly (string | null)[], now: number): number | null {
  for (const wait of waits) {
    const milliseconds = wait === null ? null : parseRetryAfter(wait, now);
    if (milliseconds !== null) return milliseconds;
  }
  return null;
}
