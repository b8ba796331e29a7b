import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/errors.ts";
import type { UpstreamReply } from "../../../src/invoke/upstream/request.ts";
import { shapeReply } from "../../../src/invoke/upstream/shape.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { prepared, type Sketch } from "../compiled.ts";

/** 21 October 2026, 07:28:00 GMT. */
const NOW = Date.UTC(2026, 9, 21, 7, 28);

function shaped(sketch: Sketch, status: number, body: JsonValue, headers: Record<string, string> = {}) {
  const reply: UpstreamReply = {
    origin: "https://api.example.com",
    status,
    headers: new Map(Object.entries(headers)),
    body,
    bytes: 0,
    mediaType: "application/json",
  };
  const asked = prepared(sketch);
  const { binding } = asked.definition;
  if (binding.kind !== "request") throw new Error("the function sends no request");
  return shapeReply(asked, binding.response, reply, new Map([["limit", 2]]), NOW);
}

function failureOf(...given: Parameters<typeof shaped>): Failure {
  const result = shaped(...given);
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  return result.failure;
}

/** An upstream that says in the body how a call went, whatever the status. */
const ENVELOPE: JsonObject = {
  success: "status == 200 && body.code == 0",
  data: "body.data",
  error: { code: "body.code", message: "body.message" },
};

/** The codes of that upstream. */
const CODES: JsonObject = {
  rate_limit: { global: { max_requests_per_minute: 60, error_code: 3001, retry_header: "X-Wait" } },
  error_handling: { retryable_codes: [3001, 5000], non_retryable_codes: [1001, 5002] },
};

const sketch: Sketch = { response: ENVELOPE, constraints: CODES };

describe("a reply without a rule", () => {
  test.each([200, 201, 204, 299])("of status %d is data as it came", (status) => {
    expect(shaped({}, status, { a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });

  test("that is empty is null, whatever it was labelled", () => {
    expect(shaped({}, 204, null)).toEqual({ ok: true, value: null });
    expect(shaped({}, 200, null)).toEqual({ ok: true, value: null });
  });

  test.each<[number, Failure["code"]]>([
    [304, "UPSTREAM_REJECTED"],
    [400, "UPSTREAM_REJECTED"],
    [401, "UPSTREAM_REJECTED"],
    [403, "UPSTREAM_REJECTED"],
    [404, "UPSTREAM_REJECTED"],
    [408, "UPSTREAM_UNAVAILABLE"],
    [409, "UPSTREAM_REJECTED"],
    [422, "UPSTREAM_REJECTED"],
    [429, "UPSTREAM_RATE_LIMITED"],
    [500, "UPSTREAM_UNAVAILABLE"],
    [502, "UPSTREAM_UNAVAILABLE"],
    [503, "UPSTREAM_UNAVAILABLE"],
    [599, "UPSTREAM_UNAVAILABLE"],
  ])("of status %d is %s", (status, code) => {
    expect(failureOf({}, status, "<html>")).toMatchObject({
      code,
      upstream: { status, code: null, message: null },
    });
  });
});

describe("a reply by the rule of its skill", () => {
  test("is the data that the rule takes out of it, with the arguments in view", () => {
    const response = { ...ENVELOPE, data: "body.data.slice(0, limit)" };
    const given = { parameters: { limit: { type: "integer", default: 2 } }, response };
    expect(shaped(given, 200, { code: 0, data: [1, 2, 3] })).toEqual({ ok: true, value: [1, 2] });
  });

  test("may name the status and the headers", () => {
    const response = { data: '{"status": status, "left": headers["x-left"]}' };
    expect(shaped({ response }, 202, null, { "x-left": "7" })).toEqual({
      ok: true,
      value: { status: 202, left: "7" },
    });
  });

  test.each<[string, number, JsonValue, Failure["code"]]>([
    ["a code that is too many requests", 200, { code: 3001 }, "UPSTREAM_RATE_LIMITED"],
    ["that code as text", 200, { code: "3001" }, "UPSTREAM_RATE_LIMITED"],
    ["status 429 with a code that means no", 429, { code: 1001 }, "UPSTREAM_RATE_LIMITED"],
    ["a code that passes", 200, { code: 5000 }, "UPSTREAM_UNAVAILABLE"],
    ["a code that passes, although the status does not", 400, { code: 5000 }, "UPSTREAM_UNAVAILABLE"],
    ["a code that does not pass, although the status does", 503, { code: 5002 }, "UPSTREAM_REJECTED"],
    ["a code that nothing is known of", 200, { code: 42 }, "UPSTREAM_REJECTED"],
    ["a code that nothing is known of, with a status that passes", 500, { code: 42 }, "UPSTREAM_UNAVAILABLE"],
    ["success in the body but not in the status", 500, { code: 0, data: 1 }, "UPSTREAM_UNAVAILABLE"],
  ])("%s is the failure that it means", (_what, status, body, code) => {
    expect(failureOf(sketch, status, body).code).toBe(code);
  });

  test.each<[string, JsonValue]>([
    ["an empty body", null],
    ["another shape", { result: 1 }],
    ["a text", "ok"],
    ["a list", []],
  ])("%s that the rule cannot judge is unreadable where the status is fine", (_what, body) => {
    expect(failureOf(sketch, 200, body)).toMatchObject({
      code: "UPSTREAM_UNPARSABLE",
      upstream: { status: 200 },
      reason: expect.stringContaining("not as the skill expects it"),
    });
  });

  test("is what it says of its failure, where only its success cannot be judged", () => {
    const response = { success: "body.data.size() > 0", error: { code: "body.error.code" } };
    const failure = failureOf({ response, constraints: CODES }, 200, { error: { code: 3001 } });
    expect(failure).toMatchObject({ code: "UPSTREAM_RATE_LIMITED", upstream: { code: "3001" } });
  });

  test("is unreadable where its data cannot be taken out", () => {
    const response = { ...ENVELOPE, data: "body.data.rows[0]" };
    expect(failureOf({ response }, 200, { code: 0, data: { rows: [] } })).toMatchObject({
      code: "UPSTREAM_UNPARSABLE",
      upstream: { status: 200 },
    });
  });

  test("is no success by anything but true", () => {
    expect(failureOf({ response: { success: "body.ok" } }, 200, { ok: "yes" }).code).toBe(
      "UPSTREAM_REJECTED",
    );
  });
});

describe("what an upstream says of a failure", () => {
  test.each<[string, JsonValue, string | null, string | null]>([
    ["a number and a text", { code: 42, message: "no" }, "42", "no"],
    ["null", { code: null, message: null }, null, null],
    ["nothing", {}, null, null],
    ["objects, as JSON", { code: { a: 1 }, message: ["x"] }, '{"a":1}', '["x"]'],
  ])("is quoted: %s", (_what, body, code, message) => {
    expect(failureOf(sketch, 400, body)).toMatchObject({ upstream: { status: 400, code, message } });
  });

  test("is cut to 200 characters, and never through one", () => {
    const message = `${"潮".repeat(198)}😀😀😀`;
    const failure = failureOf(sketch, 400, { code: 1, message });
    expect(failure).toMatchObject({ upstream: { message: `${"潮".repeat(198)}😀…` } });
  });
});

describe("the wait that an upstream asks for", () => {
  test.each<[string, string, number | null]>([
    ["seconds", "120", 120_000],
    ["a date", "Wed, 21 Oct 2026 07:28:30 GMT", 30_000],
    ["a date in the past", "Wed, 21 Oct 2026 07:00:00 GMT", 0],
    ["a negative number", "-3", null],
    ["a fraction", "1.5", null],
    ["a word", "soon", null],
  ])("is read from Retry-After as %s", (_what, value, retryAfterMs) => {
    const failure = failureOf({}, 429, null, { "retry-after": value });
    expect(failure).toMatchObject({ code: "UPSTREAM_RATE_LIMITED", retryAfterMs });
  });

  test("is read from the header that the skill names", () => {
    const headers = { "x-wait": "7", "retry-after": "9" };
    expect(failureOf(sketch, 503, { code: 5000 }, headers)).toMatchObject({ retryAfterMs: 7_000 });
  });

  test.each<[string, JsonValue, number]>([
    ["is that of the body where there is one", 5, 5_000],
    ["is that of the header where the body's makes no sense", "a while", 9_000],
    ["is that of the header where the body has none", null, 9_000],
  ])("%s", (_what, wait, retryAfterMs) => {
    const response = { error: { retry_after: "body.wait" } };
    const failure = failureOf({ response }, 429, { wait }, { "retry-after": "9" });
    expect(failure).toMatchObject({ retryAfterMs });
  });
});
