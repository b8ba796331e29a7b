import { describe, expect, test } from "vitest";
import {
  type Failure,
  type FailureCode,
  failureTable,
  isRetryable,
  retryAfterMs,
  statusOf,
  toWire,
} from "../src/errors.ts";

/** What callers may rely on: code, status, whether the very same call may succeed later. */
const table: [FailureCode, number, boolean][] = [
  ["INVALID_ARGUMENTS", 400, false],
  ["INVALID_REQUEST", 400, false],
  ["UNAUTHENTICATED", 401, false],
  ["FORBIDDEN", 403, false],
  ["UNKNOWN_ROUTE", 404, false],
  ["UNKNOWN_SKILL", 404, false],
  ["UNKNOWN_FUNCTION", 404, false],
  ["UNKNOWN_KEY", 404, false],
  ["UNKNOWN_SECRET", 404, false],
  ["UNKNOWN_SECTION", 404, false],
  ["AMBIGUOUS_SECTION", 409, false],
  ["UNKNOWN_FILE", 404, false],
  ["UNKNOWN_VERSION", 404, false],
  ["VERSION_CONFLICT", 412, false],
  ["MERGE_CONFLICT", 409, false],
  ["OVERRIDE_FORBIDDEN", 403, false],
  ["PAYLOAD_TOO_LARGE", 413, false],
  ["INVALID_SKILL", 422, false],
  ["NOT_COVERED", 422, false],
  ["RATE_LIMIT_EXCEEDED", 429, true],
  ["DAILY_QUOTA_EXCEEDED", 429, false],
  ["CHAIN_REFUSED", 422, false],
  ["TOO_MANY_CALLS", 429, true],
  ["UPSTREAM_REJECTED", 502, false],
  ["UPSTREAM_UNPARSABLE", 502, false],
  ["UPSTREAM_TOO_LARGE", 502, false],
  ["UPSTREAM_UNAVAILABLE", 503, true],
  ["UPSTREAM_RATE_LIMITED", 503, true],
  ["UPSTREAM_QUOTA_EXHAUSTED", 503, false],
  ["UPSTREAM_TIMEOUT", 504, true],
  ["TOKEN_REFUSED", 502, false],
  ["TOKEN_UNAVAILABLE", 503, true],
  ["EGRESS_DENIED", 403, false],
  ["SECRET_NOT_SET", 500, false],
  ["SECRET_UNUSABLE", 500, false],
  ["EXPRESSION_FAILED", 422, false],
  ["RESULT_GONE", 410, true],
  ["STORE_UNAVAILABLE", 503, true],
  ["INTERNAL", 500, true],
];

const silent = { status: null, code: null, message: null };
const talkative = { status: 429, code: "3001", message: '慢点 "please"' };
const fault = { path: "/symbol", rule: "pattern", expected: "text matching ^[A-Z]+$", got: '"nvda"' };
const many = { ...fault, path: "", rule: "type", expected: "an object of arguments", got: "[]" };

/** Failures in every variety that their members allow, with the sentence that people read. */
const samples: [Failure, string][] = [
  [
    { code: "UNKNOWN_FILE", skill: "tides", path: "references/a.md", known: ["references/b.md"] },
    "The skill tides has no file references/a.md.",
  ],
  [
    { code: "UNKNOWN_VERSION", skill: "tides", version: 7, known: [3, 2] },
    "There is no version 7 of your skill tides.",
  ],
  [
    { code: "VERSION_CONFLICT", skill: "tides", current: '"abc"' },
    "The skill tides is not as the request supposes, so nothing was changed.",
  ],
  [
    { code: "VERSION_CONFLICT", skill: "tides", current: null },
    "There is no skill tides, so nothing was changed.",
  ],
  [
    { code: "MERGE_CONFLICT", skill: "tides", conflicts: [{}] },
    "Your tides and the bundled one changed the same lines in one place.",
  ],
  [
    { code: "MERGE_CONFLICT", skill: "tides", conflicts: [{}, {}] },
    "Your tides and the bundled one changed the same lines in 2 places.",
  ],
  [{ code: "OVERRIDE_FORBIDDEN", skill: "tides", message: "Not this one.", details: [] }, "Not this one."],
  [
    { code: "INVALID_ARGUMENTS", function: "get_quote", faults: [fault], unlisted: 0 },
    'An argument of get_quote did not fit: /symbol: expected text matching ^[A-Z]+$, got "nvda".',
  ],
  [
    { code: "INVALID_ARGUMENTS", function: "get_quote", faults: [fault, many], unlisted: 0 },
    '2 arguments of get_quote did not fit: /symbol: expected text matching ^[A-Z]+$, got "nvda"; the arguments: expected an object of arguments, got [].',
  ],
  [
    { code: "INVALID_ARGUMENTS", function: "get_quote", faults: [fault], unlisted: 129_999 },
    '130000 arguments of get_quote did not fit: /symbol: expected text matching ^[A-Z]+$, got "nvda"; and 129999 more.',
  ],
  [
    { code: "INVALID_REQUEST", message: "The body is not valid JSON.", faults: [] },
    "The body is not valid JSON.",
  ],
  [{ code: "UNAUTHENTICATED", message: "The key is not valid." }, "The key is not valid."],
  [{ code: "FORBIDDEN", message: "This key may only read." }, "This key may only read."],
  [{ code: "UNKNOWN_ROUTE", method: "GET", path: "/v2" }, "There is no GET /v2."],
  [{ code: "UNKNOWN_SKILL", skill: "天气", known: ["天气预报"] }, "There is no skill named 天气."],
  [{ code: "UNKNOWN_FUNCTION", function: "get", known: [] }, "There is no function named get."],
  [{ code: "UNKNOWN_KEY", key: "4f1c", known: [] }, "There is no key with the id 4f1c."],
  [{ code: "UNKNOWN_SECRET", secret: "API_KEY", known: [] }, "There is no secret named API_KEY."],
  [
    { code: "UNKNOWN_SECTION", skill: "weather", section: "雨", known: ["下雨"], unlisted: 0 },
    'There is no section "雨" in the skill weather.',
  ],
  [
    { code: "AMBIGUOUS_SECTION", skill: "weather", section: "Use", paths: ["Wind > Use", "Rain > Use"] },
    '2 sections of the skill weather are named "Use".',
  ],
  [
    { code: "PAYLOAD_TOO_LARGE", what: "The skill", limitBytes: 1_048_576 },
    "The skill is larger than the 1048576 bytes allowed.",
  ],
  [
    { code: "INVALID_SKILL", skill: "demo", diagnostics: [{}] },
    "The skill demo was not stored: it has a fault.",
  ],
  [
    { code: "INVALID_SKILL", skill: "demo", diagnostics: [{}, {}] },
    "The skill demo was not stored: it has 2 faults.",
  ],
  [
    { code: "NOT_COVERED", function: "get_depth", message: "There is none for indices." },
    "There is none for indices.",
  ],
  [
    {
      code: "RATE_LIMIT_EXCEEDED",
      bucket: "the function get_quote",
      max: 30,
      window: "minute",
      retryAfterMs: 2_140,
    },
    "The limit of 30 a minute for the function get_quote is used up.",
  ],
  [
    {
      code: "RATE_LIMIT_EXCEEDED",
      bucket: "the function get_quote",
      max: 30,
      window: "minute",
      retryAfterMs: null,
    },
    "One such call costs more than the limit of 30 a minute for the function get_quote ever allows.",
  ],
  [
    {
      code: "DAILY_QUOTA_EXCEEDED",
      bucket: "the upstream of demo",
      max: 100,
      timeZone: "America/New_York",
      resetsAt: Date.UTC(2026, 10, 2, 5),
      retryAfterMs: 3_600_000,
    },
    "Today's quota of 100 for the upstream of demo is used up; the next day begins at " +
      "2026-11-02 00:00 (America/New_York).",
  ],
  [
    {
      code: "DAILY_QUOTA_EXCEEDED",
      bucket: "the upstream of demo",
      max: 100,
      timeZone: "UTC",
      resetsAt: null,
      retryAfterMs: null,
    },
    "One such call costs more than the quota of 100 a day for the upstream of demo ever allows.",
  ],
  [{ code: "UPSTREAM_REJECTED", upstream: silent, kind: null }, "The upstream refused the call."],
  [
    { code: "UPSTREAM_REJECTED", upstream: talkative, kind: null },
    'The upstream refused the call: status 429, code 3001, "慢点 \\"please\\"".',
  ],
  [
    { code: "UPSTREAM_REJECTED", upstream: silent, kind: "not_found", step: "quotes[3]" },
    "In the step quotes[3]: The upstream refused the call.",
  ],
  [
    { code: "CHAIN_REFUSED", function: "overview", reason: "it calls itself: overview → overview" },
    "The call of overview was ended: it calls itself: overview → overview.",
  ],
  [
    { code: "TOO_MANY_CALLS", function: "get_quote", max: 30 },
    "get_quote was not called: of the calls of one message at most 30 are made, and this one is beyond them.",
  ],
  [
    { code: "UPSTREAM_QUOTA_EXHAUSTED", upstream: { ...silent, code: "4001" }, retryAfterMs: null },
    "The quota at the upstream is used up: code 4001.",
  ],
  [
    {
      code: "TOKEN_REFUSED",
      host: "id.test",
      variable: "CLIENT_SECRET",
      upstream: { status: 401, code: "invalid_client", message: null },
    },
    "id.test gave no access token for the upstream: status 401, code invalid_client.",
  ],
  [
    { code: "TOKEN_UNAVAILABLE", host: "id.test", upstream: { ...silent, status: 503 }, retryAfterMs: 1_000 },
    "id.test, which gives access tokens for the upstream, is not available: status 503.",
  ],
  [
    { code: "SECRET_UNUSABLE", variable: "API_KEY", reason: "it is not `name:password`" },
    "No credential can be made of the secret API_KEY: it is not `name:password`.",
  ],
  [
    { code: "UPSTREAM_UNPARSABLE", upstream: { ...silent, status: 200 }, reason: "it is not valid JSON" },
    "The upstream's reply could not be read: it is not valid JSON.",
  ],
  [
    { code: "UPSTREAM_TOO_LARGE", upstream: { ...silent, status: 200 }, limitBytes: 100 },
    "The upstream's reply is larger than the 100 bytes allowed.",
  ],
  [{ code: "UPSTREAM_UNAVAILABLE", upstream: silent, retryAfterMs: null }, "The upstream is not available."],
  [
    { code: "UPSTREAM_UNAVAILABLE", upstream: { ...silent, status: 503 }, retryAfterMs: 1 },
    "The upstream is not available: status 503.",
  ],
  [
    { code: "UPSTREAM_RATE_LIMITED", upstream: { ...silent, status: 429, code: "3001" }, retryAfterMs: 900 },
    "The upstream takes no more requests for now: status 429, code 3001.",
  ],
  [{ code: "UPSTREAM_TIMEOUT", timeoutMs: 10_000 }, "The upstream did not answer within 10000 ms."],
  [
    { code: "EGRESS_DENIED", host: "10.0.0.1", reason: "the address is private" },
    "No request goes to 10.0.0.1: the address is private.",
  ],
  [
    { code: "SECRET_NOT_SET", variables: ["DEMO_KEY"] },
    "The secret DEMO_KEY, which this function needs, is not set.",
  ],
  [
    { code: "SECRET_NOT_SET", variables: ["DEMO_APP", "DEMO_KEY"] },
    "The secrets DEMO_APP and DEMO_KEY, which this function needs, are not set.",
  ],
  [
    { code: "RESULT_GONE", function: "get_quote" },
    "This result of get_quote is no longer held, so it has no further pages.",
  ],
  [
    { code: "EXPRESSION_FAILED", where: "100 / a", reason: "division by zero" },
    "The expression 100 / a could not be computed: division by zero.",
  ],
  [{ code: "STORE_UNAVAILABLE", operation: "read the index" }, "The store could not read the index."],
  [{ code: "INTERNAL" }, "Something went wrong inside the gateway."],
];

/** Whether a limit refused what costs more than it ever allows. */
function isAboveLimit(failure: Failure): boolean {
  const isOfLimit = failure.code === "RATE_LIMIT_EXCEEDED" || failure.code === "DAILY_QUOTA_EXCEEDED";
  return isOfLimit && failure.retryAfterMs === null;
}

describe("the table of failures", () => {
  test("is the one that callers know, and whole", () => {
    const known = table.map(([code, status, retryable]) => ({ code, status, retryable }));
    const byCode = (left: { code: string }, right: { code: string }) => (left.code < right.code ? -1 : 1);
    expect(failureTable().sort(byCode)).toEqual(known.sort(byCode));
  });

  test("has a sample of every failure here", () => {
    expect(new Set(samples.map(([{ code }]) => code))).toEqual(new Set(table.map(([code]) => code)));
  });
});

describe("a failure on the wire", () => {
  test.each(samples)("%j reads: %s", (failure, sentence) => {
    const wire = toWire(failure, "request-1");
    expect(wire.error).toBe(sentence);
    expect(wire).toMatchObject({
      error_code: failure.code,
      request_id: "request-1",
      retryable: isRetryable(failure),
      retry_after_ms: retryAfterMs(failure),
    });
    expect(Object.keys(wire).sort()).toEqual([
      "age_ms",
      "cached",
      "details",
      "error",
      "error_code",
      "hint",
      "request_id",
      "retry_after_ms",
      "retryable",
      "step",
      "upstream",
    ]);
  });

  test("says how old it is where it is given again", () => {
    const failure: Failure = { code: "INTERNAL" };
    expect(toWire(failure, "request-1")).toMatchObject({ cached: false, age_ms: 0 });
    expect(toWire({ ...failure, ageMs: 0 }, "request-1")).toMatchObject({ cached: true, age_ms: 0 });
    expect(toWire({ ...failure, ageMs: 1_500 }, "request-1")).toMatchObject({ cached: true, age_ms: 1_500 });
  });

  test.each(samples)("%j has a hint, and nothing undefined in any text", (failure) => {
    const wire = toWire(failure, "request-1");
    expect(wire.hint).toMatch(/^[A-Z].*[.A-Z]$/s);
    for (const text of [wire.error, wire.hint]) expect(text).not.toMatch(/undefined|NaN|\[object|null/);
    expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
  });

  test.each(table)("%s has the status %d and says whether to try again: %j", (code, status, retryable) => {
    for (const [failure] of samples.filter(([sample]) => sample.code === code)) {
      expect(statusOf(failure)).toBe(status);
      expect(toWire(failure, "request-1").retryable).toBe(retryable && !isAboveLimit(failure));
    }
  });

  test.each(samples.filter(([failure]) => isAboveLimit(failure)))(
    "%j, which no wait helps, is not to be called again and says whom to ask",
    (failure) => {
      expect(isRetryable(failure)).toBe(false);
      expect(toWire(failure, "request-1")).toMatchObject({
        retryable: false,
        retry_after_ms: null,
        hint: "Do not call again: it would be refused each time. Tell the user to ask the operator of this gateway.",
      });
    },
  );

  test("lists what to correct, or the names there are, in its details", () => {
    const details = (failure: Failure) => toWire(failure, "request-1").details;
    expect(details({ code: "INVALID_ARGUMENTS", function: "f", faults: [fault], unlisted: 0 })).toEqual([
      fault,
    ]);
    expect(details({ code: "INVALID_REQUEST", message: "No.", faults: [fault] })).toEqual([fault]);
    expect(details({ code: "UNKNOWN_SKILL", skill: "a", known: ["b", "c"] })).toEqual(["b", "c"]);
    expect(details({ code: "UNKNOWN_FUNCTION", function: "a", known: ["b"] })).toEqual(["b"]);
    const section = { skill: "s", section: "a" };
    expect(details({ code: "UNKNOWN_SECTION", ...section, known: ["b"], unlisted: 0 })).toEqual(["b"]);
    expect(details({ code: "AMBIGUOUS_SECTION", ...section, paths: ["b > a"] })).toEqual(["b > a"]);
    expect(details({ code: "INVALID_SKILL", skill: "a", diagnostics: [{ line: 1 }] })).toEqual([{ line: 1 }]);
    expect(details({ code: "INTERNAL" })).toEqual([]);
  });

  test.each<[Failure, string]>([
    [{ code: "UNKNOWN_SKILL", skill: "a", known: ["b"] }, "Use one of the names in `details`."],
    [{ code: "UNKNOWN_FUNCTION", function: "a", known: ["b"] }, "Use one of the names in `details`."],
    [
      { code: "UNKNOWN_SKILL", skill: "a", known: [] },
      "There are no skills to choose from. Tell the user; do not make up a result.",
    ],
    [
      { code: "UNKNOWN_FUNCTION", function: "a", known: [] },
      "There are no functions to choose from. Tell the user; do not make up a result.",
    ],
  ])("points to names only where there are any: %j", (failure, hint) => {
    expect(toWire(failure, "request-1").hint).toBe(hint);
  });

  test("repeats what the upstream said, where there was one", () => {
    const upstream = (failure: Failure) => toWire(failure, "request-1").upstream;
    expect(upstream({ code: "UPSTREAM_REJECTED", upstream: talkative, kind: null })).toEqual(talkative);
    expect(upstream({ code: "UPSTREAM_UNAVAILABLE", upstream: silent, retryAfterMs: null })).toEqual(silent);
    expect(upstream({ code: "UPSTREAM_TIMEOUT", timeoutMs: 1 })).toBeNull();
    expect(upstream({ code: "INTERNAL" })).toBeNull();
  });

  test.each<[number | null, string]>([
    [null, "Call again later."],
    [0, "Call again at once."],
    [1, "Call again after 1 second."],
    [1_000, "Call again after 1 second."],
    [1_001, "Call again after 2 seconds."],
  ])("says when to come back: %j ms", (milliseconds, hint) => {
    const failure: Failure = { code: "UPSTREAM_RATE_LIMITED", upstream: silent, retryAfterMs: milliseconds };
    expect(toWire(failure, "request-1")).toMatchObject({ hint, retry_after_ms: milliseconds });
  });

  test("names the variable of a secret, and how the operator sets it", () => {
    const { hint } = toWire({ code: "SECRET_NOT_SET", variables: ["DEMO_KEY"] }, "request-1");
    expect(hint).toBe("The operator sets it: wrangler secret put DEMO_KEY");
    const several = toWire({ code: "SECRET_NOT_SET", variables: ["DEMO_APP", "DEMO_KEY"] }, "request-1");
    expect(several.hint).toBe(
      "The operator sets them: wrangler secret put DEMO_APP; wrangler secret put DEMO_KEY",
    );
  });
});
