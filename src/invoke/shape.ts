import { type Failure, failed, type Result, success, type UpstreamAnswer } from "../errors.ts";
import type { FunctionDefinition, ResponseRule } from "../ir.ts";
import { type JsonValue, jsonObject } from "../json.ts";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { unparsable } from "./decode.ts";
import type { PreparedFunction } from "./prepared.ts";
import type { UpstreamReply } from "./request.ts";
import { parseRetryAfter } from "./retry.ts";

/** Reads an upstream's reply as the skill says: its data, or what its failure means. */
export function shapeReply(
  prepared: PreparedFunction,
  reply: UpstreamReply,
  callValues: ReadonlyMap<string, JsonValue>,
  now: number,
): Result<JsonValue> {
  const rule = responseRule(prepared.definition);
  const reader = new ReplyReader(prepared, reply, callValues);
  if (rule.success === null ? reply.status >= 200 && reply.status < 300 : reader.holds(rule.success)) {
    return readData(rule, reader, reply);
  }
  return failed(readFailure(prepared, rule, reader, reply, now));
}

function responseRule({ binding }: FunctionDefinition): ResponseRule {
  if (binding.kind === "request") return binding.response;
  return { success: null, data: null, error: { code: null, message: null, retryAfter: null } };
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

  /** A condition that cannot be computed over this reply does not hold: the reply is not as it should be. */
  holds(source: string): boolean {
    const result = this.evaluate(source);
    return result.ok && result.value === true;
  }

  /** A short text, or null where the expression is absent or says nothing. */
  text(source: string | null): string | null {
    const result = source === null ? null : this.evaluate(source);
    if (result === null || !result.ok || result.value === null) return null;
    const text = typeof result.value === "string" ? result.value : JSON.stringify(result.value);
    return [...text].slice(0, MAX_QUOTED_CHARACTERS).join("");
  }
}

function readData(rule: ResponseRule, reader: ReplyReader, reply: UpstreamReply): Result<JsonValue> {
  if (rule.data === null) return success(reply.body);
  const data = reader.evaluate(rule.data);
  if (data.ok) return success(data.value);
  return failed(unparsable(`it is not as the skill expects it (${data.reason})`, reply.status));
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
  const wait = reader.text(rule.error.retryAfter) ?? reply.headers.get(retryHeader) ?? null;
  const retryAfterMs = wait === null ? null : parseRetryAfter(wait, now);
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
