import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  advance,
  type Counter,
  emptyCounter,
  giveBack,
  isPast,
  resetAfter,
  spend,
  usedAt,
  waitFor,
  windowMs,
  windowStart,
} from "../../src/limiter/window.ts";
import { dayIn, timeZoneOf, type WindowName, windowNameOf, windowNames } from "../../src/vocabulary.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const WINDOWS: readonly WindowName[] = windowNames;

const counts = fc.integer({ min: 0, max: 1_000_000 });
const moments = fc.integer({ min: 0, max: 4_000_000_000_000 });
const situation = fc
  .record({
    window: fc.constantFrom(...WINDOWS),
    now: moments,
    current: counts,
    previous: counts,
    max: counts,
    cost: counts,
  })
  .map(({ current, previous, ...rest }) => ({
    ...rest,
    counter: { start: windowStart(rest.window, rest.now), current, previous },
  }));

describe("the start of a window", () => {
  test.each([
    ["minute", 0, 0],
    ["minute", 59_999, 0],
    ["minute", MINUTE, MINUTE],
    ["minute", -1, -MINUTE],
    ["day", Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2024, 1, 29)],
    ["day", Date.UTC(2024, 2, 1), Date.UTC(2024, 2, 1)],
  ] as const)("of the %s at %d is %d", (window, now, start) => {
    expect(windowStart(window, now)).toBe(start);
  });
});

describe("a day of a time zone", () => {
  const NEW_YORK = dayIn("America/New_York");
  const quota = (spent: number, at: string): Counter => {
    return { ...emptyCounter(NEW_YORK, Date.parse(at)), current: spent };
  };

  test.each([
    ["24 hours", "2026-10-31T12:00Z", 16],
    ["25 hours, in the hour that comes twice", "2026-11-01T05:30Z", 23.5],
    ["25 hours, in that hour again", "2026-11-01T06:30Z", 22.5],
    ["23 hours, before the hour that is left out", "2026-03-08T06:59Z", 21 + 1 / 60],
    ["23 hours, after it", "2026-03-08T07:01Z", 20 + 59 / 60],
  ])("of %s: a quota that is used up is back at its midnight", (_, at, hours) => {
    const now = Date.parse(at);
    const full = quota(10, at);
    const wait = waitFor(full, NEW_YORK, now, 10, 1) ?? 0;
    expect(wait / 3_600_000).toBeCloseTo(hours, 9);
    expect(resetAfter(full, NEW_YORK, now)).toBe(wait);
    expect(usedAt(full, NEW_YORK, now + wait - 1)).toBe(10);
    expect(usedAt(full, NEW_YORK, now + wait)).toBe(0);
  });

  test("is counted on where the clock is set back into the day before, and starts anew from there", () => {
    const full = quota(10, "2026-11-01T12:00Z");
    const back = advance(full, NEW_YORK, Date.parse("2026-10-31T12:00Z"));
    expect(back).toEqual({ start: Date.parse("2026-10-31T04:00Z"), current: 10, previous: 0 });
    expect(usedAt(back, NEW_YORK, Date.parse("2026-11-01T12:00Z"))).toBe(0);
  });

  test.each([
    ["UTC", "day"],
    ["Asia/Shanghai", "day@Asia/Shanghai"],
  ])("is told apart by the zone alone: %s", (zone, window) => {
    expect(dayIn(zone)).toBe(window);
    expect([timeZoneOf(dayIn(zone)), windowNameOf(dayIn(zone))]).toEqual([zone, "day"]);
  });

  test("of UTC is the plain one", () => {
    fc.assert(
      fc.property(moments, (now) => {
        expect(windowStart("day@Etc/UTC", now)).toBe(windowStart("day", now));
      }),
    );
  });
});

describe("a counter as time goes by", () => {
  const counter: Counter = { start: 10 * MINUTE, current: 5, previous: 3 };

  test.each([
    ["stays in its window", 10 * MINUTE + 59_999, { start: 10 * MINUTE, current: 5, previous: 3 }],
    [
      "makes the current window the previous one",
      11 * MINUTE,
      { start: 11 * MINUTE, current: 0, previous: 5 },
    ],
    ["forgets what is two windows old", 12 * MINUTE, { start: 12 * MINUTE, current: 0, previous: 0 }],
    ["keeps all when the clock is set back", 9 * MINUTE, { start: 9 * MINUTE, current: 8, previous: 0 }],
    ["keeps all when it is set back to 1970", 0, { start: 0, current: 8, previous: 0 }],
  ])("%s", (_, now, expected) => {
    expect(advance(counter, "minute", now)).toEqual(expected);
  });

  test("is past once both of its windows are, and not a millisecond earlier", () => {
    expect(isPast(counter, "minute", 12 * MINUTE - 1)).toBe(false);
    expect(isPast(counter, "minute", 12 * MINUTE)).toBe(true);
    expect(isPast(counter, "day", 12 * MINUTE)).toBe(false);
  });

  test("uses no less after the clock was set back than before", () => {
    fc.assert(
      fc.property(situation, moments, ({ window, now, counter: before }, back) => {
        const earlier = now - back;
        const after = usedAt(before, window, earlier);
        expect(after).toBeGreaterThanOrEqual(usedAt(before, window, now));
      }),
    );
  });
});

describe("what is used", () => {
  const counter: Counter = { start: 0, current: 5, previous: 10 };

  test.each([
    ["minute", 0, 15],
    ["minute", 1, 15],
    ["minute", 6_000, 14],
    ["minute", 6_001, 14],
    ["minute", 30_000, 10],
    ["minute", 59_999, 6],
    ["minute", 60_000, 5],
    ["minute", 90_000, 3],
    ["minute", 120_000, 0],
    ["day", 0, 5],
    ["day", DAY - 1, 5],
    ["day", DAY, 0],
  ] as const)("in a %s after %d ms is %d", (window, now, used) => {
    expect(usedAt(counter, window, now)).toBe(used);
  });
});

describe("the wait until a call is admitted", () => {
  test.each([
    ["now, where there is room", "minute", 0, { current: 9, previous: 0 }, 10, 1, 0],
    ["never, where the cost is above the limit", "minute", 0, { current: 0, previous: 0 }, 10, 11, null],
    ["never, where the limit is 0", "day", 0, { current: 0, previous: 0 }, 0, 1, null],
    ["never, where the cost is not a number", "minute", 0, { current: 0, previous: 0 }, 10, Number.NaN, null],
    ["never, where the limit is not a number", "minute", 0, { current: 0, previous: 0 }, Number.NaN, 1, null],
    ["always now without a limit", "minute", 0, { current: 9, previous: 9 }, Number.POSITIVE_INFINITY, 1, 0],
    ["until enough of the minute before has faded", "minute", 0, { current: 0, previous: 10 }, 10, 5, 30_000],
    ["until the turn, with the minute full", "minute", 0, { current: 10, previous: 0 }, 10, 1, 66_000],
    [
      "through the next minute, for all of the limit",
      "minute",
      0,
      { current: 10, previous: 0 },
      10,
      10,
      120_000,
    ],
    ["less what has passed already", "minute", 59_999, { current: 10, previous: 0 }, 10, 10, 60_001],
    ["within a minute, its part of a call included", "minute", 0, { current: 3, previous: 7 }, 10, 2, 17_143],
    ["until midnight", "day", DAY - 500, { current: 10, previous: 0 }, 10, 1, 500],
    ["not at all for what was used yesterday", "day", 0, { current: 0, previous: 99 }, 10, 10, 0],
    ["by a limit's whole calls", "minute", 0, { current: 2, previous: 0 }, 2.9, 1, 90_000],
  ] as const)("is %s", (_, window, now, { current, previous }, max, cost, wait) => {
    expect(waitFor({ start: 0, current, previous }, window, now, max, cost)).toBe(wait);
  });

  test("is exact: then the call is admitted, and a millisecond earlier it is not", () => {
    fc.assert(
      fc.property(situation, ({ counter, window, now, max, cost }) => {
        const wait = waitFor(counter, window, now, max, cost);
        if (wait === null) return cost > max;
        const fits = (at: number) => usedAt(counter, window, at) + cost <= max;
        return fits(now + wait) && (wait === 0 || !fits(now + wait - 1));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is never longer than two windows, and null for no call within the limit", () => {
    fc.assert(
      fc.property(situation, ({ counter, window, now, max, cost }) => {
        fc.pre(cost <= max);
        expect(waitFor(counter, window, now, max, cost)).toBeLessThanOrEqual(2 * windowMs(window));
      }),
    );
  });

  test("is 0 exactly where what is used and the cost fit the limit", () => {
    fc.assert(
      fc.property(situation, ({ counter, window, now, max, cost }) => {
        const fits = usedAt(counter, window, now) + cost <= max;
        expect(waitFor(counter, window, now, max, cost) === 0).toBe(fits);
      }),
    );
  });

  test("to a reset ends when nothing is used any more, and not before", () => {
    fc.assert(
      fc.property(situation, ({ counter, window, now }) => {
        const reset = resetAfter(counter, window, now);
        expect(usedAt(counter, window, now + reset)).toBe(0);
        if (reset > 0) expect(usedAt(counter, window, now + reset - 1)).toBeGreaterThan(0);
      }),
    );
  });
});

describe("giving back", () => {
  test.each([
    [3, { current: 2, previous: 4 }],
    [7, { current: 0, previous: 2 }],
    [100, { current: 0, previous: 0 }],
    [0, { current: 5, previous: 4 }],
    [Number.NaN, { current: 5, previous: 4 }],
    [Number.POSITIVE_INFINITY, { current: 5, previous: 4 }],
  ])(
    "%d takes from the current window first, then from the previous one, and never below nothing",
    (amount, expected) => {
      expect(giveBack({ start: 0, current: 5, previous: 4 }, amount)).toEqual({ start: 0, ...expected });
    },
  );

  test("undoes spending", () => {
    fc.assert(
      fc.property(situation, ({ counter, cost }) => {
        expect(giveBack(spend(counter, cost), cost)).toEqual(counter);
      }),
    );
    expect(emptyCounter("day", DAY + 1)).toEqual({ start: DAY, current: 0, previous: 0 });
  });
});
