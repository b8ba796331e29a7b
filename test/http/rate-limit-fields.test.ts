import { describe, expect, test } from "vitest";
import { policyName, rateLimitFields } from "../../src/http/rate-limit-fields.ts";
import type { CallLimit, CallLimitState } from "../../src/invoke/index.ts";

function limit(bucket: string, max: number, window: CallLimit["window"] = "minute"): CallLimit {
  return { bucket, group: bucket, label: bucket, max, window };
}

function state(held: CallLimit, left: number, moreMs: number): CallLimitState {
  return { limit: held, used: held.max - left, left, moreMs, resetMs: moreMs };
}

describe("the header fields of limits", () => {
  test("are none where there are no limits", () => {
    expect(rateLimitFields([])).toEqual({});
  });

  test("tell each limit's quota and window, and what is left of it and when there is more", () => {
    const states = [
      state(limit("key:k", 60), 59, 1_001),
      state(limit("upstream:a.example:KEY", 5_000, "day@Asia/Shanghai"), 5_000, 0),
    ];
    expect(rateLimitFields(states)).toEqual({
      "RateLimit-Policy":
        '"key:k/minute";q=60;w=60, "upstream:a.example:KEY/day@Asia/Shanghai";q=5000;w=86400',
      RateLimit: '"key:k/minute";r=59;t=2, "upstream:a.example:KEY/day@Asia/Shanghai";r=5000',
    });
  });

  test("name no time after that of Retry-After", () => {
    const states = [state(limit("a", 5), 0, 2_140), state(limit("b", 50, "day"), 7, 3_600_000)];
    expect(rateLimitFields(states, 2_140).RateLimit).toBe('"a/minute";r=0;t=3, "b/day";r=7');
  });

  test("tell of several limits with one counter the one of which least is left", () => {
    const states = [
      state(limit("a", 50), 45, 1_000),
      state(limit("a", 10), 5, 1_000),
      state(limit("a", 30), 25, 1_000),
    ];
    expect(rateLimitFields(states)).toEqual({
      "RateLimit-Policy": '"a/minute";q=10;w=60',
      RateLimit: '"a/minute";r=5;t=1',
    });
  });

  test.each([
    ["function:行情/get", "function:%E8%A1%8C%E6%83%85/get/minute"],
    ["100%", "100%25/minute"],
    ["line\nbreak", "line%0Abreak/minute"],
    ["half \ud800", "half %EF%BF%BD/minute"],
  ])("name a limit in ASCII: %j", (bucket, name) => {
    expect(policyName(limit(bucket, 1))).toBe(name);
  });

  test("quote what a string quotes", () => {
    expect(rateLimitFields([state(limit('a "b" \\', 1), 1, 0)]).RateLimit).toBe(
      '"a \\"b\\" \\\\/minute";r=1',
    );
  });
});
