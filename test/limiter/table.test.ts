import { describe, expect, test } from "vitest";
import { CounterTable, type Entry } from "../../src/limiter/table.ts";
import { emptyCounter } from "../../src/limiter/window.ts";
import { dayLimit, minuteLimit } from "./limiter.contract.ts";

const MINUTE = 60_000;
/** Where clocks are turned back by two hours. */
const LONGEST_DAY = 26 * 3_600_000;

function newTable(): CounterTable<Entry> {
  return new CounterTable(({ window }, now) => ({ window, own: emptyCounter(window, now) }));
}

describe("a table of counters", () => {
  test("has one entry for a bucket and window, whatever else the limits say", () => {
    const table = newTable();
    const entry = table.entry(minuteLimit(5), 0);
    expect(table.entry({ ...minuteLimit(50), label: "another" }, 1)).toBe(entry);
    expect(table.entry(dayLimit(5), 1)).not.toBe(entry);
    expect(table.size).toBe(2);
  });

  test("stays as small as the buckets in use, with a new bucket every second for two hours", () => {
    const table = newTable();
    for (let second = 0; second < 7_200; second += 1)
      table.entry(minuteLimit(5, `key:${second}`), second * 1_000);
    expect(table.size).toBeLessThanOrEqual(240);
  });

  test("keeps a day's counters for the day and the one after, however long these are", () => {
    const table = newTable();
    const entry = table.entry(dayLimit(5), 0);
    table.entry(minuteLimit(5), 2 * LONGEST_DAY - 1);
    expect(table.entry(dayLimit(5), 2 * LONGEST_DAY - 1)).toBe(entry);
    table.entry(minuteLimit(5, "another"), 2 * LONGEST_DAY + MINUTE);
    expect(table.entry(dayLimit(5), 2 * LONGEST_DAY + MINUTE)).not.toBe(entry);
  });

  test("forgets nothing because the clock was set back", () => {
    const table = newTable();
    const entry = table.entry(minuteLimit(5), 10 * MINUTE);
    table.entry(minuteLimit(5, "another"), 0);
    expect(table.entry(minuteLimit(5), 0)).toBe(entry);
  });
});
