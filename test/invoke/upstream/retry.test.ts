import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/errors.ts";
import {
  backoffDelay,
  type FailedAttempt,
  nextDelay,
  parseRetryAfter,
} from "../../../src/invoke/upstream/retry.ts";
import type { ErrorHandling } from "../../../src/ir.ts";
import { MAX_CLOSURE_MS } from "../../../src/limits.ts";
import { backoffStrategyNames } from "../../../src/vocabulary.ts";

const NOW = Date.UTC(2026, 9, 21, 7, 27, 0);

describe("a Retry-After that counts seconds", () => {
  test.each<[string, number | null]>([
    ["120", 120_000],
    ["0", 0],
    [" 7 ", 7_000],
    ["007", 7_000],
    ["-3", null],
    ["1.5", null],
    ["+3", null],
    ["1e3", null],
    ["120, 120", null],
    ["120s", null],
    ["１２０", null],
    ["2026", 2_026_000],
    ["3601", MAX_CLOSURE_MS],
    ["9".repeat(400), MAX_CLOSURE_MS],
  ])("%j", (value, delay) => {
    expect(parseRetryAfter(value, NOW)).toBe(delay);
  });
});

describe("a Retry-After that is a date", () => {
  test.each<[string, string, number | null]>([
    ["IMF-fixdate", "Wed, 21 Oct 2026 07:28:00 GMT", 60_000],
    ["RFC 850", "Wednesday, 21-Oct-26 07:28:00 GMT", 60_000],
    ["asctime", "Wed Oct 21 07:28:00 2026", 60_000],
    ["asctime with a day of one digit", "Sun Nov  1 00:00:00 2026", MAX_CLOSURE_MS],
    ["a leap second", "Wed, 21 Oct 2026 07:27:60 GMT", 60_000],
    ["now", "Wed, 21 Oct 2026 07:27:00 GMT", 0],
    ["in the past: no wait", "Wed, 21 Oct 2026 07:26:59 GMT", 0],
    ["long past", "Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["of two digits that mean the last century", "Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["of two digits up to fifty years ahead", "Friday, 06-Nov-76 08:49:37 GMT", MAX_CLOSURE_MS],
    ["far ahead: the cap", "Fri, 31 Dec 2999 23:59:59 GMT", MAX_CLOSURE_MS],
    ["a day that the month does not have", "Wed, 31 Jun 2027 07:28:00 GMT", null],
    ["a month that there is not", "Wed, 21 Okt 2026 07:28:00 GMT", null],
    ["an hour that there is not", "Wed, 21 Oct 2026 24:00:00 GMT", null],
    ["a minute that there is not", "Wed, 21 Oct 2026 07:60:00 GMT", null],
    ["a second that there is not", "Wed, 21 Oct 2026 07:28:61 GMT", null],
    ["another zone", "Wed, 21 Oct 2026 07:28:00 CET", null],
    ["no zone", "Wed, 21 Oct 2026 07:28:00", null],
    ["ISO 8601", "2026-10-21T07:28:00Z", null],
    ["a word", "soon", null],
    ["nothing", "", null],
  ])("%s", (_name, value, delay) => {
    expect(parseRetryAfter(value, NOW)).toBe(delay);
  });

  test("every instant within an hour is read back from its HTTP date", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600 }), (ahead) => {
        const date = new Date(NOW + ahead * 1_000).toUTCString();
        expect(parseRetryAfter(date, NOW)).toBe(ahead * 1_000);
      }),
    );
  });

  test("any text gives a wait between 0 and the cap, or none", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const delay = parseRetryAfter(value, NOW) ?? 0;
        expect(delay >= 0 && delay <= MAX_CLOSURE_MS).toBe(true);
      }),
    );
  });
});

describe("backoff", () => {
  test.each<[(typeof backoffStrategyNames)[number], number, number, number]>([
    ["exponential", 0, 0.5, 1_000],
    ["exponential", 1, 0.5, 2_000],
    ["exponential", 3, 0.5, 8_000],
    ["exponential", 5, 0.5, 30_000],
    ["exponential_jitter", 0, 0, 0],
    ["exponential_jitter", 0, 0.5, 500],
    ["exponential_jitter", 2, 0.25, 1_000],
    ["exponential_jitter", 9, 0.5, 15_000],
    ["fixed", 0, 0.5, 1_000],
    ["fixed", 4, 0.5, 1_000],
  ])("%s after attempt %i, drawing %d, waits %i ms", (strategy, attempt, draw, delay) => {
    expect(backoffDelay(strategy, attempt, 1_000, 30_000, () => draw)).toBe(delay);
  });

  test("a base above the maximum counts as the maximum", () => {
    for (const strategy of backoffStrategyNames) {
      expect(backoffDelay(strategy, 0, 9_000, 5_000, () => 0.999999)).toBe(5_000);
    }
  });

  test("is whole milliseconds between 0 and the maximum", () => {
    const arguments_ = [
      fc.constantFrom(...backoffStrategyNames),
      fc.nat(40),
      fc.nat(60_000),
      fc.nat(60_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    ] as const;
    fc.assert(
      fc.property(...arguments_, (strategy, attempt, base, maximum, draw) => {
        const delay = backoffDelay(strategy, attempt, base, maximum, () => draw);
        expect(Number.isInteger(delay) && delay >= 0 && delay <= maximum).toBe(true);
      }),
    );
  });
});

const POLICY: ErrorHandling = {
  retryableCodes: ["3001", "5000", "both"],
  nonRetryableCodes: ["1001", "both"],
  codes: [],
  maxRetries: 3,
  backoff: { strategy: "exponential", baseDelayMs: 1_000, maxDelayMs: 30_000 },
};

function answered(code: string | null): { status: number; code: string | null; message: null } {
  return { status: 503, code, message: null };
}

const UNAVAILABLE: Failure = { code: "UPSTREAM_UNAVAILABLE", upstream: answered(null), retryAfterMs: null };
const LIMITED: Failure = { code: "UPSTREAM_RATE_LIMITED", upstream: answered(null), retryAfterMs: null };
const TIMED_OUT: Failure = { code: "UPSTREAM_TIMEOUT", timeoutMs: 10_000 };

const FIRST: FailedAttempt = {
  failure: UNAVAILABLE,
  attempt: 0,
  repeatable: true,
  retryAfterMs: null,
  timeLeftMs: 25_000,
};

const delayAfter = (change: Partial<FailedAttempt>) => nextDelay(POLICY, { ...FIRST, ...change }, () => 0.5);

describe("which failures are tried again", () => {
  test.each<[string, Failure, number | null]>([
    ["no reply", UNAVAILABLE, 1_000],
    ["too many requests", LIMITED, 1_000],
    ["a timeout", TIMED_OUT, 1_000],
    ["a refusal", { code: "UPSTREAM_REJECTED", upstream: answered(null), kind: null }, null],
    [
      "a refusal with a code to retry",
      { code: "UPSTREAM_REJECTED", upstream: answered("5000"), kind: null },
      1_000,
    ],
    [
      "a refusal with an unlisted code",
      { code: "UPSTREAM_REJECTED", upstream: answered("4711"), kind: null },
      null,
    ],
    ["no service with a code not to retry", { ...UNAVAILABLE, upstream: answered("1001") }, null],
    ["a code in both lists", { ...UNAVAILABLE, upstream: answered("both") }, null],
    [
      "a reply that does not parse",
      { code: "UPSTREAM_UNPARSABLE", upstream: answered(null), reason: "" },
      null,
    ],
    ["a reply too large", { code: "UPSTREAM_TOO_LARGE", upstream: answered(null), limitBytes: 1 }, null],
    ["a forbidden address", { code: "EGRESS_DENIED", host: "x", reason: "y" }, null],
    ["a missing secret", { code: "SECRET_NOT_SET", variables: ["X"] }, null],
    [
      "the gateway's own limit",
      { code: "RATE_LIMIT_EXCEEDED", bucket: "b", max: 1, window: "minute", retryAfterMs: 1 },
      null,
    ],
    ["a fault of the gateway", { code: "INTERNAL" }, null],
  ])("%s", (_name, failure, delay) => {
    expect(delayAfter({ failure })).toBe(delay);
  });

  test.each<[string, Failure]>([
    ["no reply", UNAVAILABLE],
    ["a timeout", TIMED_OUT],
    ["too many requests", LIMITED],
  ])("what must not be done twice is not, whatever happened: %s", (_name, failure) => {
    expect(delayAfter({ failure, repeatable: false, retryAfterMs: 10 })).toBeNull();
  });
});

describe("how often and how long", () => {
  test("the retries are counted, the first attempt is not", () => {
    const delays = [0, 1, 2, 3, 4].map((attempt) => delayAfter({ attempt }));
    expect(delays).toEqual([1_000, 2_000, 4_000, null, null]);
  });

  test.each<[string, Partial<FailedAttempt>, number | null]>([
    ["the upstream's wait takes the place of a longer backoff", { attempt: 2, retryAfterMs: 10 }, 10],
    ["and of a shorter one", { retryAfterMs: 9_000 }, 9_000],
    ["no wait at all", { retryAfterMs: 0 }, 0],
    ["a negative wait is none", { retryAfterMs: -5 }, 0],
    ["a wait beyond the deadline is not begun", { retryAfterMs: 25_000 }, null],
    ["a wait just before the deadline is", { retryAfterMs: 24_999 }, 24_999],
    ["a wait without end is not begun", { retryAfterMs: Number.POSITIVE_INFINITY }, null],
    ["a wait that is no number is not begun", { retryAfterMs: Number.NaN }, null],
    ["a backoff beyond the deadline is not begun", { timeLeftMs: 1_000 }, null],
    ["nothing is begun after the deadline", { retryAfterMs: 0, timeLeftMs: 0 }, null],
    ["nor long after it", { retryAfterMs: 0, timeLeftMs: -50 }, null],
  ])("%s", (_name, change, delay) => {
    expect(delayAfter(change)).toBe(delay);
  });

  test("a delay always ends before the deadline", () => {
    const attempts = fc.record({
      failure: fc.constantFrom(UNAVAILABLE, LIMITED, TIMED_OUT),
      attempt: fc.nat(6),
      repeatable: fc.boolean(),
      retryAfterMs: fc.option(fc.integer({ min: -1_000, max: 100_000 })),
      timeLeftMs: fc.integer({ min: -1_000, max: 60_000 }),
    });
    fc.assert(
      fc.property(attempts, (attempt) => {
        const delay = nextDelay(POLICY, attempt, () => 0.5);
        expect(delay === null || (delay >= 0 && delay < attempt.timeLeftMs)).toBe(true);
      }),
    );
  });

  test("no retries declared means none", () => {
    expect(nextDelay({ ...POLICY, maxRetries: 0 }, FIRST, () => 0.5)).toBeNull();
  });
});
