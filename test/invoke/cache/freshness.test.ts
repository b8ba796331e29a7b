import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/errors.ts";
import {
  type Freshness,
  freshnessOf,
  isOutage,
  keepFailureMs,
  keepMs,
  pauseMs,
  type Renewal,
  renewalOf,
} from "../../../src/invoke/cache/freshness.ts";
import type { PagesReport } from "../../../src/invoke/index.ts";
import type { CacheRule } from "../../../src/ir.ts";
import type { PagesStop } from "../../../src/vocabulary.ts";
import { cacheRule } from "../skills.ts";

const upstream = { status: 503, code: null, message: null };
const quota = { bucket: "b", max: 1, timeZone: "UTC", resetsAt: null, retryAfterMs: null };

describe("a kept result", () => {
  const both = { ttlMs: 10, staleWhileRevalidateMs: 20, staleIfErrorMs: 50 };

  test.each<[Partial<CacheRule>, [number, Freshness][]]>([
    [
      { ttlMs: 10 },
      [
        [0, "fresh"],
        [9, "fresh"],
        [10, "gone"],
      ],
    ],
    [
      { ttlMs: 10, staleWhileRevalidateMs: 20 },
      [
        [9, "fresh"],
        [10, "stale"],
        [29, "stale"],
        [30, "gone"],
      ],
    ],
    [
      { ttlMs: 10, staleIfErrorMs: 50 },
      [
        [9, "fresh"],
        [10, "last resort"],
        [59, "last resort"],
        [60, "gone"],
      ],
    ],
    [
      both,
      [
        [9, "fresh"],
        [10, "stale"],
        [29, "stale"],
        [30, "last resort"],
        [59, "last resort"],
        [60, "gone"],
      ],
    ],
  ])("of the rule %j is good for what its age says", (change, ages) => {
    const rule = cacheRule(change);
    expect(ages.map(([age]) => [age, freshnessOf(rule, age)])).toEqual(ages);
    const last = ages.at(-1);
    expect(keepMs(rule)).toBe(last?.[0]);
  });
});

describe("a failure", () => {
  const rule = cacheRule({ failures: [{ kind: "not_found", ttlMs: 7 }] });

  test.each<[string, number | null, Failure]>([
    ["of a kind that is kept", 7, { code: "UPSTREAM_REJECTED", upstream, kind: "not_found" }],
    ["of another kind", null, { code: "UPSTREAM_REJECTED", upstream, kind: "invalid" }],
    ["of no kind", null, { code: "UPSTREAM_REJECTED", upstream, kind: null }],
    ["of a step", null, { code: "UPSTREAM_REJECTED", upstream, kind: "not_found", step: "a" }],
    ["of the moment", null, { code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs: null }],
  ])("%s is kept for so long: %j", (_which, milliseconds, failure) => {
    expect(keepFailureMs(rule, failure)).toBe(milliseconds);
  });

  test.each<[boolean, Failure]>([
    [true, { code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs: null }],
    [true, { code: "UPSTREAM_TIMEOUT", timeoutMs: 1 }],
    [true, { code: "UPSTREAM_UNPARSABLE", upstream, reason: "it is markup" }],
    [true, { code: "UPSTREAM_RATE_LIMITED", upstream, retryAfterMs: null }],
    [true, { code: "DAILY_QUOTA_EXCEEDED", ...quota }],
    [true, { code: "STORE_UNAVAILABLE", operation: "be read" }],
    [false, { code: "UPSTREAM_REJECTED", upstream, kind: "not_found" }],
    [false, { code: "SECRET_NOT_SET", variables: ["KEY"] }],
    [false, { code: "EGRESS_DENIED", host: "h", reason: "r" }],
    [false, { code: "INTERNAL" }],
  ])("lets an old result stand in for it: %j, %j", (stands, failure) => {
    expect(isOutage(failure)).toBe(stands);
  });
});

describe("what is made anew", () => {
  const complete: PagesReport = { count: 2, complete: true, stoppedBy: null, next: null };
  const partial = (stoppedBy: PagesStop) => ({ ...complete, complete: false, stoppedBy });

  test.each<[Renewal, PagesReport | null, boolean]>([
    ["answer", null, false],
    ["answer", complete, false],
    ["answer", partial("max_pages"), false],
    ["answer", partial("bytes"), false],
    ["outage", partial("limits"), false],
    ["outage", partial("deadline"), true],
    ["outage", partial("requests"), false],
    ["outage", partial("repetition"), false],
    ["makeshift", null, true],
    ["makeshift", complete, true],
  ])("is an %s for what is kept: pages %j, stale %j", (renewal, pages, stale) => {
    expect(renewalOf({ ok: true, value: { pages, stale } })).toBe(renewal);
  });

  test.each<[Renewal, Failure]>([
    ["answer", { code: "UPSTREAM_REJECTED", upstream, kind: "not_found" }],
    ["answer", { code: "SECRET_NOT_SET", variables: ["KEY"] }],
    ["outage", { code: "UPSTREAM_TIMEOUT", timeoutMs: 1 }],
  ])("is an %s where it is a failure: %j", (renewal, failure) => {
    expect(renewalOf({ ok: false, failure })).toBe(renewal);
  });
});

describe("the pause after attempts that brought nothing", () => {
  const waits = (retryAfterMs: number): Failure => ({ code: "UPSTREAM_UNAVAILABLE", upstream, retryAfterMs });

  test("doubles up to a minute, and is what the failure says where that is longer, up to five", () => {
    expect([1, 2, 3, 4, 5, 50].map((attempts) => pauseMs(attempts, null))).toEqual([
      5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
    ]);
    expect([90_000, 300_000, 300_001, 86_400_000].map((wait) => pauseMs(1, waits(wait)))).toEqual([
      90_000, 300_000, 300_000, 300_000,
    ]);
    expect(pauseMs(2, { code: "INTERNAL" })).toBe(10_000);
  });
});
