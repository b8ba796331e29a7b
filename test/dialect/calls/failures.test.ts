import { describe, expect, test } from "vitest";
import { callCodecs } from "../../../src/dialect/calls/index.ts";
import { type Failure, type FailureCode, failureTable, statusOf, toWire } from "../../../src/errors.ts";

const upstream = { status: 429, code: "3001", message: "slow down" };
const fault = { path: "/symbol", rule: "pattern", expected: "text in capitals", got: '"nvda"' };
const SAY_SO = "Tell the user; do not make up a result.";

type Row = [failure: Failure, status: number, retryable: boolean, hint: string];

/** Every failure, and what a model is told to do about it. */
const rows: { [Code in FailureCode]: Row } = {
  INVALID_ARGUMENTS: [
    { code: "INVALID_ARGUMENTS", function: "f", faults: [fault], unlisted: 0 },
    400,
    false,
    "Correct what `details` lists and call again.",
  ],
  INVALID_REQUEST: [
    { code: "INVALID_REQUEST", message: "The body is not valid JSON.", faults: [] },
    400,
    false,
    "Correct the request; GET /openapi.json describes it.",
  ],
  UNAUTHENTICATED: [
    { code: "UNAUTHENTICATED", message: "No key." },
    401,
    false,
    "Send `Authorization: Bearer <key>`.",
  ],
  FORBIDDEN: [{ code: "FORBIDDEN", message: "Not yours." }, 403, false, "Ask the operator of this gateway."],
  UNKNOWN_ROUTE: [
    { code: "UNKNOWN_ROUTE", method: "GET", path: "/v2" },
    404,
    false,
    "GET /openapi.json lists what there is.",
  ],
  UNKNOWN_SKILL: [
    { code: "UNKNOWN_SKILL", skill: "a", known: ["b"] },
    404,
    false,
    "Use one of the names in `details`.",
  ],
  UNKNOWN_FUNCTION: [
    { code: "UNKNOWN_FUNCTION", function: "a", known: ["b"] },
    404,
    false,
    "Use one of the names in `details`.",
  ],
  UNKNOWN_KEY: [
    { code: "UNKNOWN_KEY", key: "a", known: ["b"] },
    404,
    false,
    "GET /v1/keys lists the keys that there are.",
  ],
  UNKNOWN_SECRET: [
    { code: "UNKNOWN_SECRET", secret: "A", known: ["B"] },
    404,
    false,
    "GET /v1/secrets lists the secrets that there are.",
  ],
  UNKNOWN_SECTION: [
    { code: "UNKNOWN_SECTION", skill: "a", section: "b", known: ["c"], unlisted: 4 },
    404,
    false,
    "Use one of the names in `details`, or of the 4 other sections of the outline.",
  ],
  AMBIGUOUS_SECTION: [
    { code: "AMBIGUOUS_SECTION", skill: "a", section: "b", paths: ["c > b", "d > b"] },
    409,
    false,
    "Use one of the paths in `details`.",
  ],
  UNKNOWN_FILE: [
    { code: "UNKNOWN_FILE", skill: "a", path: "references/b.md", known: [] },
    404,
    false,
    `There are no files to choose from. ${SAY_SO}`,
  ],
  UNKNOWN_VERSION: [
    { code: "UNKNOWN_VERSION", skill: "a", version: 3, known: [1, 2] },
    404,
    false,
    "Use one of the names in `details`.",
  ],
  VERSION_CONFLICT: [
    { code: "VERSION_CONFLICT", skill: "a", current: '"1"' },
    412,
    false,
    "Read the skill again and make the change anew, with the ETag that it has now.",
  ],
  MERGE_CONFLICT: [
    { code: "MERGE_CONFLICT", skill: "a", conflicts: [{}] },
    409,
    false,
    "Put the document with both changes in it, with rebased=1.",
  ],
  OVERRIDE_FORBIDDEN: [
    { code: "OVERRIDE_FORBIDDEN", skill: "a", message: "Not this one.", details: [] },
    403,
    false,
    "Put a skill under a name of its own, or ask the operator of this gateway.",
  ],
  PAYLOAD_TOO_LARGE: [
    { code: "PAYLOAD_TOO_LARGE", what: "The body", limitBytes: 1 },
    413,
    false,
    "Send less.",
  ],
  INVALID_SKILL: [
    { code: "INVALID_SKILL", skill: "a", diagnostics: [{}] },
    422,
    false,
    "Correct what `details` lists and call again.",
  ],
  NOT_COVERED: [
    { code: "NOT_COVERED", function: "f", message: "There is none." },
    422,
    false,
    `This data does not exist. ${SAY_SO}`,
  ],
  RATE_LIMIT_EXCEEDED: [
    { code: "RATE_LIMIT_EXCEEDED", bucket: "f", max: 1, window: "minute", retryAfterMs: 2_000 },
    429,
    true,
    "Call again after 2 seconds.",
  ],
  DAILY_QUOTA_EXCEEDED: [
    {
      code: "DAILY_QUOTA_EXCEEDED",
      bucket: "f",
      max: 1,
      timeZone: "UTC",
      resetsAt: null,
      retryAfterMs: null,
    },
    429,
    false,
    "Do not call again: it would be refused each time. Tell the user to ask the operator of this gateway.",
  ],
  CHAIN_REFUSED: [
    { code: "CHAIN_REFUSED", function: "f", reason: "it calls itself" },
    422,
    false,
    "Ask for less at once; where that is not it, the skill is at fault.",
  ],
  TOO_MANY_CALLS: [
    { code: "TOO_MANY_CALLS", function: "f", max: 30 },
    429,
    true,
    "Call again in your next message, at most 30 together.",
  ],
  UPSTREAM_REJECTED: [{ code: "UPSTREAM_REJECTED", upstream, kind: null }, 502, false, SAY_SO],
  UPSTREAM_UNPARSABLE: [
    { code: "UPSTREAM_UNPARSABLE", upstream, reason: "it is no JSON" },
    502,
    false,
    SAY_SO,
  ],
  UPSTREAM_TOO_LARGE: [
    { code: "UPSTREAM_TOO_LARGE", upstream, limitBytes: 1 },
    502,
    false,
    "Ask for less: fewer items, a shorter period, fewer fields.",
  ],
  UPSTREAM_UNAVAILABLE: [
    { code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs: null },
    503,
    true,
    `Call again later. ${SAY_SO}`,
  ],
  UPSTREAM_RATE_LIMITED: [
    { code: "UPSTREAM_RATE_LIMITED", upstream, retryAfterMs: 1_000 },
    503,
    true,
    "Call again after 1 second.",
  ],
  UPSTREAM_QUOTA_EXHAUSTED: [
    { code: "UPSTREAM_QUOTA_EXHAUSTED", upstream, retryAfterMs: null },
    503,
    false,
    SAY_SO,
  ],
  UPSTREAM_TIMEOUT: [{ code: "UPSTREAM_TIMEOUT", timeoutMs: 1 }, 504, true, `Call again later. ${SAY_SO}`],
  TOKEN_REFUSED: [
    { code: "TOKEN_REFUSED", host: "id.test", variable: "KEY", upstream },
    502,
    false,
    `The operator checks the client and its secret KEY. ${SAY_SO}`,
  ],
  TOKEN_UNAVAILABLE: [
    { code: "TOKEN_UNAVAILABLE", host: "id.test", upstream, retryAfterMs: null },
    503,
    true,
    "Call again later.",
  ],
  EGRESS_DENIED: [
    { code: "EGRESS_DENIED", host: "10.0.0.1", reason: "it is private" },
    403,
    false,
    "Ask the operator of this gateway.",
  ],
  SECRET_NOT_SET: [
    { code: "SECRET_NOT_SET", variables: ["KEY"] },
    500,
    false,
    "The operator sets it: wrangler secret put KEY",
  ],
  SECRET_UNUSABLE: [
    { code: "SECRET_UNUSABLE", variable: "KEY", reason: "it is blank" },
    500,
    false,
    "Set it anew: the operator's by wrangler secret put KEY, a tenant's own by PUT /v1/secrets/KEY",
  ],
  EXPRESSION_FAILED: [
    { code: "EXPRESSION_FAILED", where: "1 / a", reason: "division by zero" },
    422,
    false,
    "Check the arguments; where they are right, the skill is at fault.",
  ],
  RESULT_GONE: [
    { code: "RESULT_GONE", function: "f" },
    410,
    true,
    "Call f again without result and offset: its pages begin anew.",
  ],
  STORE_UNAVAILABLE: [{ code: "STORE_UNAVAILABLE", operation: "read" }, 503, true, "Call again later."],
  INTERNAL: [
    { code: "INTERNAL" },
    500,
    true,
    "Call once more; if it fails again, give the operator the request_id.",
  ],
};

describe.each(Object.values(rows))("$code", (failure, status, retryable, hint) => {
  const wire = { ...toWire(failure, "request-1") };
  const text = JSON.stringify(wire);
  const call = { id: "c", name: "f", arguments: { ok: true, value: {} } } as const;
  const results = [{ call, content: wire, isFailure: true }];

  test("has its status, says whether to call again, and what to do", () => {
    expect([statusOf(failure), wire.retryable, wire.hint]).toEqual([status, retryable, hint]);
  });

  test("is the result of its call in every provider's words", () => {
    const written = Object.entries(callCodecs).map(([format, codec]) => [
      format,
      codec.writeResults(results),
    ]);
    const tool = { role: "tool", tool_call_id: "c", content: text };
    const block = { type: "tool_result", tool_use_id: "c", content: text, is_error: true };
    const response = { id: "c", name: "f", response: { error: wire } };
    expect(Object.fromEntries(written)).toEqual({
      openai: [tool],
      deepseek: [tool],
      "openai-responses": [{ type: "function_call_output", call_id: "c", output: text }],
      anthropic: [{ role: "user", content: [block] }],
      gemini: [{ role: "user", parts: [{ functionResponse: response }] }],
      text: [{ role: "user", content: JSON.stringify({ results: [{ skill_id: "f", ...wire }] }) }],
    });
  });
});

test("every failure there is has been looked at", () => {
  expect(Object.keys(rows).sort()).toEqual(
    failureTable()
      .map(({ code }) => code)
      .sort(),
  );
  for (const [code, [failure]] of Object.entries(rows)) expect(failure.code).toBe(code);
});
