import { type Failure, failed, type Result, success, type UpstreamAnswer } from "../../errors.ts";
import type { ResponseRule, Skill } from "../../ir.ts";
import { type JsonValue, jsonObject } from "../../json.ts";
import { MAX_QUOTED_CHARACTERS } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import type { UpstreamErrorKind } from "../../vocabulary.ts";
import type { PreparedFunction } from "../prepared.ts";
import { unparsable } from "./decode.ts";
import type { ReplyHeaders, UpstreamReply } from "./request.ts";
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

/** Computes an expression over a good reply; a reply for which it cannot be computed is not as the skill expects it. */
export function readReply(
  prepared: PreparedFunction,
  source: string,
  reply: UpstreamReply,
  callValues: ReadonlyMap<string, JsonValue>,
): Result<JsonValue> {
  const result = new ReplyReader(prepared, reply, callValues).evaluate(source);
  return result.ok ? success(result.value) : failed(unexpected(result.reason, reply));
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
  readonly #headers: ReplyHeaders;

  constructor(prepared: PreparedFunction, reply: UpstreamReply, callValues: ReadonlyMap<string, JsonValue>) {
    this.#prepared = prepared;
    this.#headers = reply.headers;
    this.#values = new Map(callValues);
    this.#values.set("body", reply.body).set("status", reply.status);
  }

  evaluate(source: string): ReturnType<PreparedFunction["evaluateReply"]> {
    // Few expressions name them, and gathering them costs as much as computing one.
    if (source.includes("headers") && !this.#values.has("headers"))
      this.#values.set("headers", jsonObject(this.#headers));
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
  const { constraints } = prepared.skill;
  const upstream: UpstreamAnswer = {
    status: reply.status,
    code: reader.text(rule.error.code),
    message: reader.text(rule.error.message),
  };
  const waits = [reader.text(rule.error.retryAfter), reply.headers.get(constraints.retryHeader) ?? null];
  return failuresByKind[kindOf(upstream.code, reply.status, constraints)](upstream, firstWait(waits, now));
}

type FailureKind = UpstreamErrorKind | "rejected";

/** What a failure means: the skill's own word on the code comes first, the status last. */
function kindOf(
  code: string | null,
  status: number,
  { errorHandling, rateLimitCode }: Skill["constraints"],
): FailureKind {
  const declared = errorHandling.codes.find((entry) => entry.code === code);
  if (declared !== undefined) return declared.kind;
  if (status === 429 || (code !== null && code === rateLimitCode)) return "rate_limited";
  const isFinal = code !== null && errorHandling.nonRetryableCodes.includes(code);
  if (!isFinal && code !== null && errorHandling.retryableCodes.includes(code)) return "unavailable";
  if (status === 401) return "unauthenticated";
  return !isFinal && (status >= 500 || status === 408) ? "unavailable" : "rejected";
}

const failuresByKind: {
  [Kind in FailureKind]: (upstream: UpstreamAnswer, retryAfterMs: number | null) => Failure;
} = {
  rate_limited: (upstream, retryAfterMs) => ({ code: "UPSTREAM_RATE_LIMITED", upstream, retryAfterMs }),
  quota_exhausted: (upstream, retryAfterMs) => ({ code: "UPSTREAM_QUOTA_EXHAUSTED", upstream, retryAfterMs }),
  unavailable: (upstream, retryAfterMs) => ({ code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs }),
  unauthenticated: (upstream) => ({ code: "UPSTREAM_REJECTED", upstream, kind: "unauthenticated" }),
  not_found: (upstream) => ({ code: "UPSTREAM_REJECTED", upstream, kind: "not_found" }),
  invalid: (upstream) => ({ code: "UPSTREAM_REJECTED", upstream, kind: "invalid" }),
  rejected: (upstream) => ({ code: "UPSTREAM_REJECTED", upstream, kind: null }),
};

/** The first of several statements of a wait that makes sense, in milliseconds. */
function firstWait(waits: readonly (string | null)[], now: number): number | null {
  for (const wait of waits) {
    const milliseconds = wait === null ? null : parseRetryAfter(wait, now);
    if (milliseconds !== null) return milliseconds;
  }
  return null;
}
