import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { median } from "../../scripts/bench/statistics.ts";
import type { Outcome } from "../../scripts/simulate-limits/model/measure.ts";
import { simulate } from "../../scripts/simulate-limits/model/run.ts";
import { FAIR, type LimiterName, type Scenario } from "../../scripts/simulate-limits/model/scenario.ts";

const SEEDS = [1, 2, 3];

/** A simulation takes a second or two; a busy machine is no reason to fail. */
const PATIENCE_MS = 120_000;

async function outcomes(limiter: LimiterName, scenario: Scenario, minutes = 3): Promise<Outcome[]> {
  const found: Outcome[] = [];
  for (const seed of SEEDS) found.push(await simulate({ limiter, scenario, seed, minutes }));
  return found;
}

function percent(found: readonly Outcome[], share: (outcome: Outcome) => number): number {
  return 100 * median(found.map(share));
}

const operations = ({ operations: { gets, puts, lists }, calls }: Outcome) => (gets + puts + lists) / calls;

const fair = (isolates: number, max: number, load: number): Scenario => ({
  isolates,
  max,
  load,
  weather: FAIR,
});

describe("the KV limiter, simulated", { timeout: PATIENCE_MS }, () => {
  const sizes = [2, 5, 20].flatMap((isolates) => [60, 600].map((max) => [isolates, max] as const));

  test.each([...sizes, [2, 6_000], [5, 6_000]] as const)(
    "%d isolates keep %d a minute to a tenth, at five times the limit",
    async (isolates, max) => {
      const found = await outcomes("kv", fair(isolates, max, 5));
      expect(percent(found, ({ over }) => over)).toBeLessThanOrEqual(10);
      expect(percent(found, ({ unused }) => unused)).toBeLessThanOrEqual(5);
    },
  );

  test.each(sizes)("%d isolates refuse next to nothing below %d a minute", async (isolates, max) => {
    for (const load of [0.5, 0.9]) {
      const found = await outcomes("kv", fair(isolates, max, load));
      expect(percent(found, ({ over }) => over)).toBeLessThanOrEqual(5);
      expect(percent(found, ({ refused }) => refused)).toBeLessThanOrEqual(5);
    }
  });

  test.each([
    [2, 600, 40],
    [5, 600, 70],
    [5, 6_000, 15],
    [20, 6_000, 40],
  ])(
    "%d isolates at half of %d a minute, fresh: at most %d operations for 1,000 calls",
    async (isolates, max, most) => {
      const found = await outcomes("kv", fair(isolates, max, 0.5), 5);
      expect(1_000 * median(found.map(operations))).toBeLessThanOrEqual(most);
    },
  );

  test("never writes twice to a key within a second", async () => {
    for (const [isolates, max] of [...sizes, [5, 6_000]] as const) {
      const found = await outcomes("kv", fair(isolates, max, 2));
      expect(found.map((outcome) => outcome.operations.throttled)).toEqual([0, 0, 0]);
    }
  });

  test("is far better than to read, add one and write back, and no less cheap", async () => {
    const [naive, kv] = [await outcomes("naive", fair(5, 600, 5)), await outcomes("kv", fair(5, 600, 5))];
    expect(percent(naive, ({ over }) => over)).toBeGreaterThan(300);
    expect(median(naive.map(operations))).toBeGreaterThan(10 * median(kv.map(operations)));
  });

  test("gives the same figures for the same seed, and others for another", async () => {
    const run = { limiter: "kv", scenario: fair(5, 60, 2), minutes: 2 } as const;
    const first = await simulate({ ...run, seed: 7 });
    expect(await simulate({ ...run, seed: 7 })).toEqual(first);
    expect(await simulate({ ...run, seed: 8 })).not.toEqual(first);
  });
});

describe("the other limiters, simulated", { timeout: PATIENCE_MS }, () => {
  test.each([
    [2, 60],
    [20, 600],
  ])("exact and auto admit not one call too many of %d isolates at %d a minute", async (isolates, max) => {
    for (const name of ["exact", "auto"] as const) {
      const found = await outcomes(name, fair(isolates, max, 5));
      expect(found.map(({ over, unused }) => [over, unused])).toEqual(SEEDS.map(() => [0, 0]));
    }
  });

  test("auto admits at most 2% too many of a large limit, without an object", async () => {
    const found = await outcomes("auto", fair(20, 2_000, 5));
    expect(percent(found, ({ over }) => over)).toBeLessThanOrEqual(2);
    expect(found.map(({ objectCalls }) => objectCalls)).toEqual([0, 0, 0]);
  });
});

describe("the bound on what the KV limiter admits", { timeout: PATIENCE_MS }, () => {
  const weathers = fc.record({
    latencyMs: fc.integer({ min: 0, max: 700 }),
    places: fc.integer({ min: 1, max: 4 }),
    delayMs: fc.constantFrom(0, 500, 5_000, 60_000, 120_000),
    skewMs: fc.constant(0),
    burst: fc.integer({ min: 1, max: 30 }),
    slope: fc.constantFrom(1, 2, 10),
    failures: fc.constantFrom(0, 0.05, 0.5, 1),
  });
  const scenarios = fc.record({
    isolates: fc.integer({ min: 1, max: 6 }),
    max: fc.integer({ min: 1, max: 80 }),
    load: fc.constantFrom(0.5, 1, 2, 6),
  });

  test("is the limit for each isolate, whatever the store does", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, weathers, fc.nat(1_000), async (scenario, weather, seed) => {
        const { over } = await simulate({
          limiter: "kv",
          scenario: { ...scenario, weather },
          seed,
          minutes: 2,
        });
        expect(1 + over).toBeLessThanOrEqual(scenario.isolates + 1e-9);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [2, 1_000],
    [3, 60_000],
    [4, 120_000],
  ])(
    "is, where the store works, about the limit for each of %d places that are %d ms apart",
    async (places, delayMs) => {
      const scenario = { isolates: 2 * places, max: 120, load: 6, weather: { ...FAIR, places, delayMs } };
      const found = await outcomes("kv", scenario);
      expect(Math.max(...found.map(({ over }) => over))).toBeLessThanOrEqual(places - 1 + 0.1);
    },
  );

  test("is not far from the limit where clocks are wrong by up to two seconds", async () => {
    const found = await outcomes("kv", { ...fair(5, 600, 5), weather: { ...FAIR, skewMs: 2_000 } });
    expect(Math.max(...found.map(({ over }) => over))).toBeLessThanOrEqual(0.1);
  });
});
