import { describe, expect, test } from "vitest";
import type { Outcome } from "../../scripts/simulate-limits/model/measure.ts";
import { FAIR, limiterNames } from "../../scripts/simulate-limits/model/scenario.ts";
import { renderPlot } from "../../scripts/simulate-limits/plot.ts";
import { resultsOf, runsOf, type Trial } from "../../scripts/simulate-limits/results.ts";
import { renderTable } from "../../scripts/simulate-limits/table.ts";

const trials: Trial[] = [2, 20].flatMap((isolates) =>
  [0.5, 5].map((load) => ({
    title: "",
    scenario: { isolates, max: 6_000, load, weather: FAIR },
    limiters: limiterNames,
  })),
);

const outcome: Outcome = {
  calls: 1_000,
  admitted: 900,
  over: 4.3,
  refused: 0.01,
  unused: 0.02,
  waitMs: { median: 0, most: 77 },
  operations: { gets: 1_000, puts: 40, lists: 20, throttled: 0 },
  objectCalls: 0,
};

function resultsWith(overs: readonly number[]) {
  const runs = runsOf(trials, { firstSeed: 1, seeds: overs.length, minutes: 1 });
  const outcomes = runs.map(({ seed }) => ({ ...outcome, over: overs[seed - 1] ?? 0 }));
  return resultsOf(trials, outcomes, overs.length);
}

describe("the results", () => {
  test("are medians over the seeds, and prices by list", () => {
    const [first] = resultsWith([0.9, 0.1, 0.3]);
    expect(first?.figures.kv).toMatchObject({ over: 0.3, operations: 1_060 });
    expect(first?.figures.kv?.dollars).toBeCloseTo(0.5 + 0.2 + 0.1);
  });

  test("belong each to its own trial and limiter", () => {
    const runs = runsOf(trials, { firstSeed: 5, seeds: 2, minutes: null });
    expect(runs.length).toBe(trials.length * limiterNames.length * 2);
    expect(new Set(runs.map((run) => JSON.stringify(run))).size).toBe(runs.length);
    const results = resultsOf(
      trials,
      runs.map((run) => ({ ...outcome, calls: run.scenario.isolates })),
      2,
    );
    expect(results.map(({ scenario }) => scenario)).toEqual(trials.map(({ scenario }) => scenario));
    expect(results[3]?.figures.auto?.operations).toBe(53_000);
  });
});

describe("the table", () => {
  test("fits 90 columns, and shows what was lost below the limit and what was not used above", () => {
    const lines = renderTable(resultsWith([4.3]), 1).split("\n");
    const table = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith("over ")),
    );
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(90);
    const [below, above] = table.filter((line) => line.includes("6,000"));
    expect(below?.split(/ +/)).toContain("1.0");
    expect(above?.split(/ +/)).toContain("2.0");
  });
});

describe("the plot", () => {
  test("has a panel for each number of isolates and a line for each limiter, all within the picture", () => {
    const svg = renderPlot(resultsWith([0, 4.3, 500]));
    expect(svg.match(/<polyline/g)).toHaveLength(2 * limiterNames.length);
    expect(svg).toContain("20 isolates");
    const points = [...svg.matchAll(/points="([^"]*)"/g)].flatMap(([, text = ""]) =>
      text.split(/[ ,]/).map(Number),
    );
    expect(points.every((value) => value >= 0 && value <= 300)).toBe(true);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });
});
