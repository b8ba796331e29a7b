import { describe, expect, test } from "vitest";
import {
  isAlive,
  isLookDue,
  isPlanned,
  isWorthLookingFirst,
  isWorthWaiting,
  urgencyOf,
  writeAt,
} from "../../src/limiter/policy.ts";

const NOW = 1_800_000_000_000;

describe("the urgency of calls that others don't know of", () => {
  test.each([
    { unseen: 0, isolates: 1, left: 0, urgency: "low" },
    { unseen: 0, isolates: 50, left: 10, urgency: "low" },
    { unseen: 1, isolates: 1, left: 0, urgency: "high" },
    { unseen: 1, isolates: 1, left: 20, urgency: "high" },
    { unseen: 1, isolates: 1, left: 21, urgency: "medium" },
    { unseen: 1, isolates: 1, left: 200, urgency: "medium" },
    { unseen: 1, isolates: 1, left: 201, urgency: "low" },
    { unseen: 1, isolates: 100, left: 200, urgency: "high" },
    { unseen: 25, isolates: 4, left: 500, urgency: "high" },
  ])("is $urgency for $unseen by each of $isolates isolates with $left left", (row) => {
    expect(urgencyOf(row.unseen, row.isolates, row.left)).toBe(row.urgency);
  });
});

describe("the moment to write", () => {
  const view = { urgency: "high", dirtySince: NOW, wroteAt: null, faults: 0 } as const;

  test.each([
    ["is now for urgent calls never written of", {}, 0],
    ["is a second after the last write for urgent calls", { wroteAt: NOW - 300 }, 700],
    ["leaves calls five seconds to gather", { urgency: "medium", wroteAt: NOW - 300 }, 5_000],
    ["counts them from the first unwritten call", { urgency: "medium", dirtySince: NOW - 4_000 }, 1_000],
    ["is far off where little is at stake", { urgency: "low" }, 60_000],
    ["is put off after failures, doubling", { wroteAt: NOW, faults: 3 }, 8_000],
    ["is put off a minute at most", { wroteAt: NOW, faults: 1_000 }, 60_000],
    ["is near where the clock was set back a day since", { wroteAt: NOW + 86_400_000 }, 1_000],
    ["comes also for calls made before that", { urgency: "medium", dirtySince: NOW + 86_400_000 }, 5_000],
  ] as const)("%s", (_, change, afterMs) => {
    expect(writeAt({ ...view, ...change }, NOW)).toBe(NOW + afterMs);
  });

  test("is waited for as long as the platform lets background work wait", () => {
    expect(isWorthWaiting(NOW + 20_000, NOW)).toBe(true);
    expect(isWorthWaiting(NOW + 20_001, NOW)).toBe(false);
  });
});

describe("work in the background", () => {
  test.each([
    ["lives at its moment", 0, true],
    ["lives while it waits", 20_000, true],
    ["lives for the time a slow store gets", -9_999, true],
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
  const view = { urgency: "high", lookedAt: NOW, faults: 0 } as const;

  test.each([
    ["the first time", { lookedAt: null, urgency: "low" }, 0, true],
    ["not twice within two seconds", {}, 1_999, false],
    ["every other second where calls are urgent", {}, 2_000, true],
    ["seldom where little is at stake", { urgency: "low" }, 59_999, false],
    ["every minute even so", { urgency: "low" }, 60_000, true],
    ["later after failures", { faults: 2 }, 7_999, false],
    ["when the pause after failures is over", { faults: 2 }, 8_000, true],
    ["when the clock was set back", {}, -1, true],
  ] as const)("is due %s", (_, change, afterMs, due) => {
    expect(isLookDue({ ...view, ...change }, NOW + afterMs)).toBe(due);
  });

  test.each([
    ["where the call may be the one too many", {}, true],
    ["not where it is not", { urgency: "medium" }, false],
    ["not with a store that has failed", { faults: 1 }, false],
    ["not where it is not due", { lookedAt: NOW + 59_000 }, false],
  ] as const)("holds up a call: %s", (_, change, first) => {
    expect(isWorthLookingFirst({ ...view, ...change }, NOW + 60_000)).toBe(first);
  });
});
