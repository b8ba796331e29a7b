import { describe, expect, test } from "vitest";
import { HISTORY_START, type PeriodQuery, periods } from "../../../scripts/sandbox/market/intervals.ts";

const at = (text: string): number => Date.parse(`${text}Z`);
const now = at("2026-03-12T03:20:07");

const cases: [string, Omit<PeriodQuery, "now">, string[]][] = [
  [
    "without a range: the latest that are complete",
    { interval: "1h", limit: 2 },
    ["2026-03-12T01:00", "2026-03-12T02:00"],
  ],
  [
    "with a start: forwards from it",
    { interval: "5m", limit: 2, startTime: at("2026-03-01T00:00:01") },
    ["2026-03-01T00:05", "2026-03-01T00:10"],
  ],
  [
    "with an end: back from it, the period that starts at it included",
    { interval: "15m", limit: 2, endTime: at("2026-03-01T00:15") },
    ["2026-03-01T00:00", "2026-03-01T00:15"],
  ],
  [
    "with both: what lies between",
    { interval: "1d", limit: 100, startTime: at("2026-03-01T00:00"), endTime: at("2026-03-02T23:59") },
    ["2026-03-01T00:00", "2026-03-02T00:00"],
  ],
  ["weeks begin on Mondays", { interval: "1w", limit: 1 }, ["2026-03-02T00:00"]],
  ["months begin on the first", { interval: "1M", limit: 2 }, ["2026-01-01T00:00", "2026-02-01T00:00"]],
  ["nothing from the future", { interval: "1m", limit: 5, startTime: now }, []],
  ["an end in the future is now", { interval: "4h", limit: 1, endTime: now * 2 }, ["2026-03-11T20:00"]],
  [
    "nothing from before the market's first day",
    { interval: "1d", limit: 1, startTime: 0 },
    ["2015-01-01T00:00"],
  ],
  [
    "nothing at all where the range ends before it",
    { interval: "1d", limit: 9, endTime: HISTORY_START - 1 },
    [],
  ],
];

describe("periods", () => {
  test.each(cases)("%s", (_, query, starts) => {
    expect(periods({ ...query, now }).map(({ start }) => new Date(start).toISOString().slice(0, 16))).toEqual(
      starts,
    );
  });

  test("end where the next begins, also months of different lengths", () => {
    const months = periods({ interval: "1M", limit: 24, now });
    expect(months.slice(1).map(({ start }) => start)).toEqual(months.slice(0, -1).map(({ end }) => end));
  });
});
