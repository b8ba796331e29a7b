import { describe, expect, test } from "vitest";
import {
  expectedGrowth,
  type Finding,
  isAcquainted,
  isFresh,
  learned,
  strangers,
} from "../../../src/limiter/kv/others.ts";
import { emptyPace, paceAt, paced } from "../../../src/limiter/kv/pace.ts";

const START = 1_800_000_000_000;

const finding: Finding = {
  order: 1,
  begunAt: START + 30_000,
  start: START,
  current: 30,
  previous: 60,
  isolates: 3,
};

describe("what is known of others", () => {
  const first = learned(strangers("minute", START), finding, "minute");

  test("is nothing before the first look, which is not the same as that there are none", () => {
    const none = strangers("minute", START);
    expect([isFresh(none, START), isAcquainted(none, START), expectedGrowth(none, START)]).toEqual([
      false,
      false,
      0,
    ]);
  });

  test("is what a look told, and that they go on as they did", () => {
    expect(first).toMatchObject({ counter: { current: 30, previous: 60 }, isolates: 3 });
    expect(expectedGrowth(first, START + 40_000)).toBeCloseTo(10);
  });

  test("is that they are faster where they were lately", () => {
    const sudden = { ...finding, order: 2, begunAt: START + 32_000, current: 90 };
    expect(expectedGrowth(learned(first, sudden, "minute"), START + 33_000)).toBeCloseTo(30);
  });

  test("counts growth across the turn of a window", () => {
    const next = { ...finding, order: 2, begunAt: START + 61_000, start: START + 60_000 };
    const turned = learned(first, { ...next, current: 2, previous: 80 }, "minute");
    expect(expectedGrowth(turned, START + 62_000)).toBeCloseTo(52 / 31);
  });

  test("is nothing less than before where they gave calls back", () => {
    const fewer = { ...finding, order: 2, begunAt: START + 31_000, current: 0 };
    expect(expectedGrowth(learned(first, fewer, "minute"), START + 32_000)).toBeGreaterThan(0);
  });

  test("is what the later look told, whichever ended first", () => {
    const later = learned(first, { ...finding, order: 5, current: 50 }, "minute");
    expect(learned(later, { ...finding, order: 4, current: 40 }, "minute")).toBe(later);
  });

  test.each([
    [11_999, false],
    [12_000, true],
    [120_000, true],
    [120_001, false],
  ])("may be all of them %d ms after the first look: %s", (afterMs, acquainted) => {
    expect(isAcquainted(first, finding.begunAt + afterMs)).toBe(acquainted);
  });

  test("has to be learned anew after a long silence", () => {
    const again = learned(first, { ...finding, order: 2, begunAt: START + 300_000 }, "minute");
    expect(isAcquainted(again, START + 310_000)).toBe(false);
    const soon = learned(first, { ...finding, order: 2, begunAt: START + 61_000 }, "minute");
    expect(isAcquainted(soon, START + 61_000)).toBe(true);
  });
});

describe("a pace", () => {
  test("comes close to what goes on steadily", () => {
    let pace = emptyPace(START);
    for (let second = 1; second <= 120; second += 1) pace = paced(pace, 2, START + second * 1_000);
    expect(paceAt(pace, START + 120_000) * 1_000).toBeGreaterThan(1.9);
    expect(paceAt(pace, START + 120_000) * 1_000).toBeLessThan(2.2);
  });

  test("fades when nothing goes on, and not because the clock is set back", () => {
    const pace = paced(emptyPace(START), 100, START);
    expect(paceAt(pace, START + 20_000)).toBeCloseTo(paceAt(pace, START) / Math.E);
    expect(paceAt(pace, START - 86_400_000)).toBe(paceAt(pace, START));
  });
});
