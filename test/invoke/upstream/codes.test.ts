import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/errors.ts";
import { prepare } from "../../../src/invoke/prepared.ts";
import { shapeReply } from "../../../src/invoke/upstream/shape.ts";
import type { ErrorHandling } from "../../../src/ir.ts";
import type { UpstreamErrorKind } from "../../../src/vocabulary.ts";
import { functionWith, get, NO_RETRIES, skillWith } from "../skills.ts";

/** Codes that are kinds by the skill's own word, and the lists that say whether to try again. */
const HANDLING: ErrorHandling = {
  ...NO_RETRIES,
  retryableCodes: ["5000", "slow"],
  nonRetryableCodes: ["1001", "gone"],
  codes: [
    { code: "slow", kind: "rate_limited" },
    { code: "spent", kind: "quota_exhausted" },
    { code: "key", kind: "unauthenticated" },
    { code: "gone", kind: "not_found" },
    { code: "bad", kind: "invalid" },
    { code: "down", kind: "unavailable" },
  ] satisfies { code: string; kind: UpstreamErrorKind }[],
};

function failureOf(status: number, code: string | null, headers: Record<string, string> = {}): Failure {
  const skill = skillWith("demo", [functionWith("ask", get("/x"))], undefined, {
    errorHandling: HANDLING,
    rateLimitCode: "3001",
  });
  const [definition] = skill.functions;
  if (definition?.binding.kind !== "request") throw new Error("no request");
  const rule = { ...definition.binding.response, success: "has(body.code) == false" };
  const body = code === null ? [] : { code };
  const reply = {
    origin: "https://api.example.com",
    status,
    headers: new Map(Object.entries(headers)),
    body,
    bytes: 0,
    mediaType: null,
  };
  const result = shapeReply(prepare(skill, definition), rule, reply, new Map(), 0);
  if (result.ok) throw new Error("succeeded");
  return result.failure;
}

describe("the upstream's code", () => {
  test.each<[string, number, Failure["code"], string | null | undefined]>([
    ["slow", 200, "UPSTREAM_RATE_LIMITED", undefined],
    ["spent", 200, "UPSTREAM_QUOTA_EXHAUSTED", undefined],
    ["key", 200, "UPSTREAM_REJECTED", "unauthenticated"],
    ["gone", 200, "UPSTREAM_REJECTED", "not_found"],
    ["bad", 200, "UPSTREAM_REJECTED", "invalid"],
    ["down", 200, "UPSTREAM_UNAVAILABLE", undefined],
    ["3001", 200, "UPSTREAM_RATE_LIMITED", undefined],
    ["5000", 200, "UPSTREAM_UNAVAILABLE", undefined],
    ["1001", 200, "UPSTREAM_REJECTED", null],
    ["other", 200, "UPSTREAM_REJECTED", null],
  ])("%s is what the skill says that it means", (code, status, failure, kind) => {
    expect(failureOf(status, code)).toMatchObject(
      kind === undefined ? { code: failure } : { code: failure, kind },
    );
  });

  test.each<[string, number, Failure["code"]]>([
    ["spent", 429, "UPSTREAM_QUOTA_EXHAUSTED"],
    ["bad", 500, "UPSTREAM_REJECTED"],
    ["down", 400, "UPSTREAM_UNAVAILABLE"],
  ])("%s says more than the status %d", (code, status, failure) => {
    expect(failureOf(status, code).code).toBe(failure);
  });

  test.each<[number, string, Failure["code"], string | null | undefined]>([
    [429, "5000", "UPSTREAM_RATE_LIMITED", undefined],
    [429, "1001", "UPSTREAM_RATE_LIMITED", undefined],
    [503, "1001", "UPSTREAM_REJECTED", null],
    [401, "1001", "UPSTREAM_REJECTED", "unauthenticated"],
    [401, "other", "UPSTREAM_REJECTED", "unauthenticated"],
    [403, "other", "UPSTREAM_REJECTED", null],
    [503, "other", "UPSTREAM_UNAVAILABLE", undefined],
  ])("leaves a status %d to speak where it has no kind: %s", (status, code, failure, kind) => {
    expect(failureOf(status, code)).toMatchObject(
      kind === undefined ? { code: failure } : { code: failure, kind },
    );
  });

  test("of a quota that is used up comes with the time of its return", () => {
    expect(failureOf(200, "spent", { "retry-after": "60" })).toMatchObject({ retryAfterMs: 60_000 });
  });
});
