import { describe, expect, test } from "vitest";
import { takesExact } from "../../../src/limiter/choice/threshold.ts";
import { dayLimit, minuteLimit } from "../limiter.contract.ts";

describe("a limit that may be counted in KV or exactly", () => {
  test.each([
    [minuteLimit(60), true],
    [minuteLimit(1_999), true],
    [minuteLimit(2_000), false],
    [minuteLimit(6_000), false],
    [dayLimit(10_000), true],
    [dayLimit(2_879_999), true],
    [dayLimit(2_880_000), false],
    [{ ...dayLimit(1_000), window: "day@Asia/Shanghai" }, true],
  ] as const)("is counted exactly where it is small: %j", (limit, exact) => {
    expect(takesExact(limit)).toBe(exact);
  });
});
