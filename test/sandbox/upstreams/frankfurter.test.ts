import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isWorkingDay } from "../../../scripts/sandbox/world/currencies.ts";
import { started } from "../started.ts";

/** A Thursday, after the rates of the day. */
const NOW = Date.UTC(2026, 2, 12, 16);
const rates = z.record(z.string().length(3), z.number().positive());
const onDate = z.strictObject({ amount: z.number(), base: z.string(), date: z.iso.date(), rates });
const inPeriod = z.strictObject({
  amount: z.number(),
  base: z.string(),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  rates: z.record(z.iso.date(), rates),
});

async function asked(path: string, time = NOW): Promise<{ status: number; json: unknown }> {
  const { ask } = await started({ now: () => time });
  const { status, text } = await ask(`/frankfurter/v1${path}`, { headers: {} });
  return { status, json: JSON.parse(text) };
}

async function shown(path: string, time = NOW) {
  return onDate.parse((await asked(path, time)).json);
}

describe("rates", () => {
  test("of now are those of the euro in all other currencies", async () => {
    const latest = await shown("/latest");
    expect(latest).toMatchObject({ amount: 1, base: "EUR", date: "2026-03-12" });
    expect(Object.keys(latest.rates)).toHaveLength(29);
    expect(latest.rates).not.toHaveProperty("EUR");
    for (const rate of Object.values(latest.rates)) expect(rate).toBe(Number(rate.toPrecision(5)));
  });

  test("come out in the afternoon, and before that are those of the day before", async () => {
    expect((await shown("/latest", Date.UTC(2026, 2, 12, 14, 59))).date).toBe("2026-03-11");
    expect((await shown("/latest", Date.UTC(2026, 2, 12, 15))).date).toBe("2026-03-12");
  });

  test.each([
    ["a Saturday", "2026-03-07", "2026-03-06"],
    ["a Sunday", "2026-03-08", "2026-03-06"],
    ["Easter Monday", "2025-04-21", "2025-04-17"],
    ["the days of Christmas", "2025-12-26", "2025-12-24"],
    ["the first of all", "1999-01-04", "1999-01-04"],
    ["the next week, which has no rates yet", "2026-03-20", "2026-03-12"],
  ])("of %s are those of the working day up to it", async (_what, date, expected) => {
    expect((await shown(`/${date}`)).date).toBe(expected);
  });

  test.each([
    ["CNY", "USD"],
    ["JPY", "GBP"],
    ["HKD", "USD"],
    ["USD", "CHF"],
  ])("agree across currencies: %s in %s", async (base, symbol) => {
    const { rates: euro } = await shown("/2026-03-12");
    const cross = (await shown(`/2026-03-12?base=${base}&symbols=${symbol}`)).rates[symbol] ?? Number.NaN;
    expect(cross / ((euro[symbol] ?? 0) / (euro[base] ?? 1))).toBeCloseTo(1, 3);
    const back = (await shown(`/2026-03-12?base=${symbol}&symbols=${base}`)).rates[base] ?? Number.NaN;
    expect(cross * back).toBeCloseTo(1, 3);
  });

  test("keep the Hong Kong dollar within its band", async () => {
    for (const date of ["2001-09-11", "2010-06-01", "2026-03-12"]) {
      const { HKD } = (await shown(`/${date}?base=USD&symbols=HKD`)).rates;
      expect(HKD).toBeGreaterThanOrEqual(7.749);
      expect(HKD).toBeLessThanOrEqual(7.851);
    }
  });

  test("of an amount are those of one, as many times", async () => {
    const one = (await shown("/latest?base=USD&symbols=CNY")).rates.CNY ?? Number.NaN;
    const hundred = await shown("/latest?base=USD&symbols=CNY&amount=100");
    expect(hundred.amount).toBe(100);
    expect((hundred.rates.CNY ?? 0) / 100).toBeCloseTo(one, 3);
  });

  test("leave out what is not asked for, does not exist or is the base itself", async () => {
    const { rates: some } = await shown("/latest?base=usd&symbols=eur,XXX,USD,cny");
    expect(Object.keys(some)).toEqual(["CNY", "EUR"]);
  });
});

describe("a series", () => {
  test("has the working days only, and begins with what held on its first day", async () => {
    const { json } = await asked("/2026-02-28..2026-03-04?symbols=USD");
    const series = inPeriod.parse(json);
    expect(series).toMatchObject({ base: "EUR", start_date: "2026-02-27", end_date: "2026-03-04" });
    expect(Object.keys(series.rates)).toEqual(["2026-02-27", "2026-03-02", "2026-03-03", "2026-03-04"]);
  });

  test("reaches to the latest rates where it has no end", async () => {
    const { end_date } = inPeriod.parse((await asked("/2026-03-09..?base=GBP&symbols=USD,JPY")).json);
    expect(end_date).toBe("2026-03-12");
  });

  test("has each day's rate as a question for that day has it", async () => {
    const series = inPeriod.parse((await asked("/2026-03-09..2026-03-11?base=USD&symbols=CNY")).json);
    for (const [date, day] of Object.entries(series.rates))
      expect((await shown(`/${date}?base=USD&symbols=CNY`)).rates).toEqual(day);
  });
});

test("the currencies are those that have rates, and the euro", async () => {
  const names = z.record(z.string(), z.string().min(1)).parse((await asked("/currencies")).json);
  const latest = await shown("/latest");
  expect(Object.keys(names)).toEqual([...Object.keys(latest.rates), "EUR"].sort());
});

describe("refusals", () => {
  test.each([
    ["/1999-01-03", 404, "not found"],
    ["/2027-01-01", 404, "not found"],
    ["/2026-05-01..2026-05-31", 404, "not found"],
    ["/latest?base=XXX", 404, "not found"],
    ["/latest?symbols=XXX", 404, "not found"],
    ["/latest?symbols=EUR", 404, "not found"],
    ["/latest?base=USD&symbols=USD", 422, "bad currency pair"],
    ["/latest?amount=0", 422, "invalid amount"],
    ["/2026-02-30", 422, "invalid date"],
    ["/yesterday", 404, "not found"],
  ])("%s: %i %s", async (path, status, message) => {
    expect(await asked(path)).toEqual({ status, json: { message } });
  });
});

test.each([
  ["2026-04-03", false],
  ["2026-04-06", false],
  ["2026-04-07", true],
  ["2024-03-29", false],
  ["2026-01-01", false],
  ["2026-05-01", false],
  ["2026-12-24", true],
  ["2026-12-25", false],
])("whether the euro's payment system works on %s: %s", (date, expected) => {
  expect(isWorkingDay(date)).toBe(expected);
});
