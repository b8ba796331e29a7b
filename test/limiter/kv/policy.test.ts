import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  claimSize,
  courseOf,
  isAlive,
  isFair,
  isLookDue,
  isPlanned,
  isWorthWaiting,
  mayWriteFrom,
  type Stake,
} from "../../../src/limiter/kv/policy.ts";

const NOW = 1_800_000_000_000;

describe("a call", () => {
  const stake: Stake = { beyond: 1, left: 100, cost: 1, isolates: 10 };

  test.each([
    ["covered by a block that was claimed", { beyond: 0, left: 0, isolates: 40 }, "covered"],
    ["of many that are left", {}, "calm"],
    ["of two fifths of what is left, if all isolates held back as much", { left: 25 }, "calm"],
    ["of more than that", { left: 24 }, "renew"],
    ["of half of what is left", { left: 20 }, "renew"],
    ["of more than half", { left: 19 }, "ask"],
    ["that comes after others nobody knows of", { beyond: 5, left: 86 }, "ask"],
    ["where nothing is left as far as is expected", { left: 0 }, "ask"],
    ["where less than nothing is left", { left: -50 }, "ask"],
  ] as const)("%s: %j is to be taken as %s", (_, change, course) => {
    expect(courseOf({ ...stake, ...change })).toBe(course);
  });

  test.each([
    ["in its part of what is left", {}, true],
    ["where its part is less than one, rounded up", { left: 3 }, true],
    ["where its part is used up", { beyond: 2, left: 9 }, false],
    ["where it has a part of two", { beyond: 2, left: 10 }, true],
    ["where nothing is expected to be left", { left: 0 }, false],
    ["where it is alone, to the last one", { beyond: 9, left: 1, isolates: 1 }, true],
    ["where it is alone and all is used", { beyond: 9, left: 0, isolates: 1 }, false],
  ] as const)("that can't be asked about is fair %s: %j", (_, change, fair) => {
    expect(isFair({ ...stake, ...change })).toBe(fair);
  });

  test("leaves something of the limit for all, if every isolate held back as many as may go unasked", () => {
    const stakes = fc.record({
      beyond: fc.integer({ min: 1, max: 1_000 }),
      left: fc.integer({ min: 1, max: 10_000 }),
      cost: fc.constant(1),
      isolates: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(stakes, (given) => {
        fc.pre(courseOf(given) !== "ask");
        const before = given.left - given.cost + given.beyond;
        expect(given.beyond * given.isolates).toBeLessThanOrEqual(before / 2);
      }),
    );
  });
});

describe("a claim", () => {
  const demand = { asked: 1, left: 61, isolates: 5, pace: 1 / 1_000, usefulMs: 60_000 };

  test.each([
    ["is for what waits where nothing more is expected", { pace: 0 }, 1],
    ["is for what is expected too", { usefulMs: 4_000 }, 5],
    ["is for one's part of what is left, a part being kept for a newcomer", {}, 11],
    ["is for what waits where nothing is left to part", { left: 0, asked: 3 }, 3],
  ])("%s", (_, change, size) => {
    expect(claimSize({ ...demand, ...change })).toBe(size);
  });
});

describe("the moment to write", () => {
  test.each([
    ["is now where a key was never written to", null, 0, 0],
    ["is more than a second after the last write", NOW - 300, 0, 701],
    ["is put off after failures, doubling", NOW, 3, 8_008],
    ["is put off a minute at most", NOW, 1_000, 60_000],
    ["is near where the clock was set back a day since", NOW + 86_400_000, 0, 1_001],
  ])("%s", (_, wroteAt, faults, afterMs) => {
    expect(mayWriteFrom(wroteAt, faults, NOW)).toBe(NOW + afterMs);
  });

  test.each([
    [20_000, true],
    [20_001, false],
  ])("is worth waiting for in the background when %d ms away: %s", (afterMs, worth) => {
    expect(isWorthWaiting(NOW + afterMs, NOW)).toBe(worth);
  });
});

describe("background work", () => {
  test.each([
    ["is under way at its moment", 0, true],
    ["may still be under way ten seconds later", -9_999, true],
    ["is given up after that", -10_000, false],
    ["is given up when the clock was set back far", 20_001, false],
  ])("%s", (_, offset, alive) => {
    expect(isAlive(NOW + offset, NOW)).toBe(alive);
  });

  test.each([
    ["without a plan", null, false],
    ["by an earlier plan", { at: NOW + 1_000 }, true],
    ["not by a later plan", { at: NOW + 1_001 }, false],
    ["not by a plan given up", { at: NOW - 10_000 }, false],
  ])("covers a write: %s", (_, plan, planned) => {
    expect(isPlanned(plan, NOW + 1_000, NOW)).toBe(planned);
  });
});

describe("a look", () => {
  test.each([
    ["the first time", { lookedAt: null, faults: 0 }, 0, true],
    ["not before its time", { lookedAt: NOW, faults: 0 }, 1_999, false],
    ["at its time", { lookedAt: NOW, faults: 0 }, 2_000, true],
    ["later after failures", { lookedAt: NOW, faults: 2 }, 7_999, false],
    ["when the pause after failures is over", { lookedAt: NOW, faults: 2 }, 8_000, true],
    ["when the clock was set back", { lookedAt: NOW, faults: 0 }, -1, true],
  ])("is due %s", (_, view, afterMs, due) => {
    expect(isLookDue(view, 2_000, NOW + afterMs)).toBe(due);
  });
});
