import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { played } from "./played.ts";

// The clock of these tests stands at noon of Saturday, 28 February 2026.
const exchange = (): ReturnType<typeof played> => played("exchange-rates");

describe("exchange rates", () => {
  test("at a weekend are those of Friday, and say so", async () => {
    const { data } = await exchange();
    expect(await data("get_exchange_rates", { symbols: ["USD"] })).toMatchObject({
      base: "EUR",
      date: "2026-02-27",
      rates: { USD: expect.any(Number) },
    });
  });

  test("without symbols are all that there are", async () => {
    const { data } = await exchange();
    const { rates } = (await data("get_exchange_rates", { base: "CNY" })) as { rates: JsonObject };
    const names = (await data("list_currencies", {})) as JsonObject;
    expect([...Object.keys(rates), "CNY"].sort()).toEqual(Object.keys(names).sort());
  });

  test("convert an amount, there and back", async () => {
    const { data } = await exchange();
    const there = await data("convert_currency", { amount: 100, from: "USD", to: "CNY" });
    expect(there).toMatchObject({ amount: 100, from: "USD", to: "CNY", date: "2026-02-27" });
    const { rate, result } = there as { rate: number; result: number };
    expect(result).toBeCloseTo(100 * rate, 3);
    const back = await data("convert_currency", { amount: result, from: "CNY", to: "USD" });
    expect((back as { result: number }).result).toBeCloseTo(100, 0);
  });

  test("of a period are summed up, currency by currency", async () => {
    const { data } = await exchange();
    const series = (await data("get_rate_series", {
      base: "GBP",
      symbols: ["USD", "JPY"],
      start_date: "2026-01-05",
      end_date: "2026-01-30",
    })) as { rates: Record<string, Record<string, number>>; summary: JsonObject[] };
    const dollars = Object.values(series.rates).map((day) => day.USD ?? Number.NaN);
    expect(dollars).toHaveLength(20);
    const [first = 0, last = 0] = [dollars[0], dollars.at(-1)];
    expect(series.summary.map(({ symbol }) => symbol)).toEqual(["USD", "JPY"]);
    expect(series.summary[0]).toEqual({
      symbol: "USD",
      first,
      last,
      lowest: Math.min(...dollars),
      highest: Math.max(...dollars),
      average: expect.closeTo(dollars.reduce((sum, rate) => sum + rate, 0) / 20, 9),
      change_percent: expect.closeTo((last / first - 1) * 100, 9),
    });
  });
});

describe("what does not exist is refused before anyone is asked", () => {
  test.each<[string, string, JsonObject]>([
    ["a currency without a reference rate", "convert_currency", { amount: 1, from: "TWD", to: "EUR" }],
    ["one among several", "get_exchange_rates", { symbols: ["USD", "VND"] }],
    [
      "one in a series",
      "get_rate_series",
      { symbols: ["USD", "VND"], start_date: "2026-01-05", end_date: "2026-01-06" },
    ],
    [
      "a series of a currency in itself",
      "get_rate_series",
      { base: "USD", symbols: ["USD"], start_date: "2026-01-05", end_date: "2026-01-06" },
    ],
    ["the day before the first", "get_exchange_rates", { date: "1999-01-03" }],
    [
      "a period before the first",
      "get_rate_series",
      { symbols: ["USD"], start_date: "1998-01-01", end_date: "1998-02-01" },
    ],
    ["a day to come", "get_exchange_rates", { date: "2026-03-02" }],
    [
      "a period to come",
      "get_rate_series",
      { symbols: ["USD"], start_date: "2027-01-01", end_date: "2027-02-01" },
    ],
    ["a currency in itself", "convert_currency", { amount: 1, from: "USD", to: "USD" }],
    ["a currency in itself only", "get_exchange_rates", { base: "USD", symbols: ["USD"] }],
  ])("%s", async (_what, name, args) => {
    const { failure, sandbox } = await exchange();
    expect(await failure(name, args)).toMatchObject({ code: "NOT_COVERED" });
    expect(sandbox.requests().count).toBe(0);
  });

  test("but not a day that has begun in the east, nor a period that begins before the first rates", async () => {
    const { data } = await exchange();
    expect(await data("get_exchange_rates", { date: "2026-03-01" })).toMatchObject({ date: "2026-02-27" });
    const period = { symbols: ["USD"], start_date: "1998-12-01", end_date: "1999-01-05" };
    expect(await data("get_rate_series", period)).toMatchObject({ start_date: "1999-01-04" });
  });
});

test.each<[string, JsonObject, string, string]>([
  ["a currency that has ended", { base: "HRK", date: "2026-02-27" }, "404", "not_found"],
  ["a day that no calendar has", { date: "2026-02-30" }, "422", "invalid"],
])("the upstream's refusal of %s keeps its meaning", async (_what, args, code, kind) => {
  const { failure } = await exchange();
  expect(await failure("get_exchange_rates", args)).toMatchObject({
    code: "UPSTREAM_REJECTED",
    upstream: { code },
    kind,
  });
});
