import { describe, expect, test } from "vitest";
import { z } from "zod";
import { started } from "../../started.ts";

/** 12 March 2026, 03:20 UTC: 11:20 in Beijing, and still the 11th in New York. */
const NOW = Date.UTC(2026, 2, 12, 3, 20, 7, 500);
const now = (): number => NOW;
const PATH = "/open-meteo/v1/forecast";
const BEIJING = "latitude=39.9075&longitude=116.39723";
const NEW_YORK = "latitude=40.71&longitude=-74.0";

const forecast = z.strictObject({
  latitude: z.number(),
  longitude: z.number(),
  generationtime_ms: z.number(),
  utc_offset_seconds: z.int(),
  timezone: z.string(),
  timezone_abbreviation: z.string(),
  elevation: z.number(),
  current_units: z.record(z.string(), z.string()).optional(),
  current: z.looseObject({ time: z.string(), interval: z.literal(900) }).optional(),
  hourly_units: z.record(z.string(), z.string()).optional(),
  hourly: z.record(z.string(), z.array(z.union([z.string(), z.number()]))).optional(),
  daily_units: z.record(z.string(), z.string()).optional(),
  daily: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.null()]))).optional(),
});

async function asked(query: string, options: Parameters<typeof started>[0] = { now }) {
  const { ask } = await started(options);
  const { status, text } = await ask(`${PATH}?${query}`, { headers: {} });
  return { status, json: JSON.parse(text) as unknown };
}

async function shown(query: string, options: Parameters<typeof started>[0] = { now }) {
  const { status, json } = await asked(query, options);
  expect([status, json]).toEqual([200, expect.anything()]);
  return forecast.parse(json);
}

describe("a forecast", () => {
  test("needs no key, and tells only of what was asked for", async () => {
    const { current, hourly, daily } = await shown(`${BEIJING}&daily=temperature_2m_max`);
    expect([current, hourly, Object.keys(daily ?? {})]).toEqual([
      undefined,
      undefined,
      ["time", "temperature_2m_max"],
    ]);
  });

  test("has the place's own zone, days and height where the zone is auto", async () => {
    const { timezone, utc_offset_seconds, timezone_abbreviation, elevation, daily } = await shown(
      `${BEIJING}&timezone=auto&daily=weather_code&forecast_days=2`,
    );
    expect({ timezone, utc_offset_seconds, timezone_abbreviation, elevation }).toEqual({
      timezone: "Asia/Shanghai",
      utc_offset_seconds: 28_800,
      timezone_abbreviation: "GMT+8",
      elevation: 49,
    });
    expect(daily?.time).toEqual(["2026-03-12", "2026-03-13"]);
  });

  test("begins with the day that it is in the zone asked for", async () => {
    const { daily, timezone_abbreviation } = await shown(
      `${NEW_YORK}&timezone=America/New_York&daily=weather_code&forecast_days=1`,
    );
    expect([daily?.time, timezone_abbreviation]).toEqual([["2026-03-11"], "GMT-4"]);
  });

  test("has 24 hours a day, seven days unless told otherwise, in columns of one length", async () => {
    const { hourly } = await shown(`${BEIJING}&hourly=temperature_2m,precipitation&hourly=cloud_cover`);
    expect(Object.keys(hourly ?? {})).toEqual(["time", "temperature_2m", "precipitation", "cloud_cover"]);
    expect(Object.values(hourly ?? {}).map((column) => column.length)).toEqual([168, 168, 168, 168]);
    expect(hourly?.time?.slice(0, 2)).toEqual(["2026-03-12T00:00", "2026-03-12T01:00"]);
  });

  test("tells the present by the latest quarter of an hour", async () => {
    const { current, current_units } = await shown(`${BEIJING}&current=temperature_2m,is_day&timezone=auto`);
    expect(current).toMatchObject({ time: "2026-03-12T11:15", interval: 900, is_day: 1 });
    expect(current_units).toEqual({ time: "iso8601", interval: "seconds", temperature_2m: "°C", is_day: "" });
  });

  test("covers given days, past ones too", async () => {
    const { daily } = await shown(
      `${BEIJING}&daily=temperature_2m_max&start_date=2026-03-01&end_date=2026-03-03`,
    );
    expect(daily?.time).toEqual(["2026-03-01", "2026-03-02", "2026-03-03"]);
    const past = await shown(`${BEIJING}&daily=temperature_2m_max&past_days=11&forecast_days=0`);
    expect(past.daily?.temperature_2m_max?.slice(0, 3)).toEqual(daily?.temperature_2m_max);
  });

  test("is the same for the same seed and moment, and another for another seed", async () => {
    const query = `${BEIJING}&hourly=temperature_2m`;
    const first = await shown(query);
    expect(await shown(query)).toEqual(first);
    expect((await shown(query, { now, seed: 2 })).hourly).not.toEqual(first.hourly);
  });
});

describe("units", () => {
  test.each([
    ["temperature_2m", "temperature_unit=fahrenheit", "°F", (value: number) => value * 1.8 + 32, 0.15],
    ["wind_speed_10m", "wind_speed_unit=ms", "m/s", (value: number) => value / 3.6, 0.1],
    ["wind_speed_10m", "wind_speed_unit=mph", "mp/h", (value: number) => value * 0.6214, 0.1],
    ["precipitation", "precipitation_unit=inch", "inch", (value: number) => value / 25.4, 0.003],
  ])("of %s are turned by %s", async (variable, parameter, unit, turned, tolerance) => {
    const plain = await shown(`${BEIJING}&hourly=${variable}`);
    const other = await shown(`${BEIJING}&hourly=${variable}&${parameter}`);
    expect(other.hourly_units?.[variable]).toBe(unit);
    const values = other.hourly?.[variable] ?? [];
    for (const [index, value] of (plain.hourly?.[variable] ?? []).entries())
      expect(Math.abs(turned(Number(value)) - Number(values[index]))).toBeLessThanOrEqual(tolerance + 1e-9);
  });

  test("of time are seconds where unixtime is asked for", async () => {
    const { daily, daily_units } = await shown(
      `${BEIJING}&timezone=auto&daily=sunrise&timeformat=unixtime&forecast_days=1`,
    );
    expect(daily?.time).toEqual([Date.UTC(2026, 2, 11, 16) / 1000]);
    expect(daily_units).toEqual({ time: "unixtime", sunrise: "unixtime" });
  });
});

describe("the weather", () => {
  async function warmest(query: string, month: number): Promise<number> {
    const { daily } = await shown(`${query}&daily=temperature_2m_max&forecast_days=16`, {
      now: () => Date.UTC(2026, month, 1),
    });
    const values = (daily?.temperature_2m_max ?? []).map(Number);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  test("follows the seasons, which are the other way round in the south", async () => {
    const sydney = "latitude=-33.87&longitude=151.21";
    expect(await warmest(BEIJING, 6)).toBeGreaterThan((await warmest(BEIJING, 0)) + 10);
    expect(await warmest(sydney, 0)).toBeGreaterThan((await warmest(sydney, 6)) + 5);
  });

  test("is colder up high and towards the poles", async () => {
    const lhasa = "latitude=29.65&longitude=91.1";
    const chongqing = "latitude=29.56&longitude=106.55";
    const singapore = "latitude=1.29&longitude=103.85";
    const reykjavik = "latitude=64.13&longitude=-21.9";
    expect(await warmest(lhasa, 3)).toBeLessThan((await warmest(chongqing, 3)) - 10);
    expect(await warmest(reykjavik, 3)).toBeLessThan((await warmest(singapore, 3)) - 10);
  });

  test("of a day is that of its hours", async () => {
    const { hourly, daily } = await shown(
      `${BEIJING}&hourly=temperature_2m,precipitation&daily=temperature_2m_max,temperature_2m_min,precipitation_sum&forecast_days=1`,
    );
    const temperatures = (hourly?.temperature_2m ?? []).map(Number);
    expect(daily?.temperature_2m_max).toEqual([Math.max(...temperatures)]);
    expect(daily?.temperature_2m_min).toEqual([Math.min(...temperatures)]);
    const rain = (hourly?.precipitation ?? []).reduce<number>((sum, value) => sum + Number(value), 0);
    expect(Number(daily?.precipitation_sum?.[0])).toBeCloseTo(rain, -0.5);
  });

  test.each([
    ["London in June", "latitude=51.51&longitude=-0.13", "Europe/London", "2026-06-21", "04:43", "21:21"],
    ["Beijing in December", BEIJING, "Asia/Shanghai", "2026-12-22", "07:33", "16:53"],
    [
      "Sydney in January",
      "latitude=-33.87&longitude=151.21",
      "Australia/Sydney",
      "2026-01-10",
      "05:56",
      "20:09",
    ],
  ])(
    "has the true sunrise and sunset within minutes: %s",
    async (_where, query, zone, date, sunrise, sunset) => {
      const { daily } = await shown(
        `${query}&timezone=${zone}&daily=sunrise,sunset&start_date=${date}&end_date=${date}`,
        { now: () => Date.parse(date) },
      );
      for (const [name, expected] of [
        ["sunrise", sunrise],
        ["sunset", sunset],
      ] as const) {
        const differs = Date.parse(`${daily?.[name]?.[0]}Z`) - Date.parse(`${date}T${expected}Z`);
        expect(Math.abs(differs)).toBeLessThanOrEqual(4 * 60_000);
      }
    },
  );

  test("has no sunrise where the sun stays up", async () => {
    const { daily } = await shown(
      "latitude=78.2&longitude=15.6&daily=sunrise,sunset&start_date=2026-06-21&end_date=2026-06-21",
      { now: () => Date.UTC(2026, 5, 21) },
    );
    expect([daily?.sunrise, daily?.sunset]).toEqual([[null], [null]]);
  });
});

describe("refusals", () => {
  test.each([
    ["latitude=91&longitude=0", "Latitude must be in range of -90 to 90°. Given: 91."],
    ["latitude=0&longitude=-181", "Longitude must be in range of -180 to 180°. Given: -181."],
    [`${BEIJING}&forecast_days=17`, "Forecast days is invalid. Allowed range 0 to 16. Given 17."],
    [`${BEIJING}&past_days=93`, "Past days is invalid. Allowed range 0 to 92. Given 93."],
    [`${BEIJING}&timezone=Moon/Base`, "Invalid timezone"],
    [
      `${BEIJING}&daily=warmth`,
      "Cannot initialize ForecastVariableDaily from invalid String value warmth for key daily",
    ],
    [
      `${BEIJING}&hourly=temperature_2m,warmth`,
      "Cannot initialize WeatherVariable from invalid String value warmth for key hourly",
    ],
    [`${BEIJING}&start_date=2026-03-12`, "Both 'start_date' and 'end_date' must be set in the url"],
    [
      `${BEIJING}&start_date=2026-03-13&end_date=2026-03-12`,
      "End-date must be larger or equals than start-date",
    ],
    [
      `${BEIJING}&start_date=2026-03-20&end_date=2026-03-28`,
      "Parameter 'end_date' is out of allowed range from 2025-12-09 to 2026-03-27",
    ],
    [
      `${BEIJING}&start_date=2026-03-12&end_date=2026-03-12&forecast_days=3`,
      "Parameter 'forecast_days' is mutually exclusive with 'start_date' and 'end_date'",
    ],
  ])("%s", async (query, reason) => {
    expect(await asked(query)).toEqual({ status: 400, json: { error: true, reason } });
  });

  test("of what cannot be read name the parameter", async () => {
    const { status, json } = await asked("latitude=here&longitude=0");
    expect([status, json]).toEqual([400, { error: true, reason: expect.stringContaining("latitude") }]);
  });

  test("of the one that is too many in a minute say so", async () => {
    const { ask } = await started({ now, requestsPerMinute: 1 });
    const path = `${PATH}?${BEIJING}`;
    expect((await ask(path)).status).toBe(200);
    const { status, text } = await ask(path);
    expect([status, JSON.parse(text)]).toEqual([
      429,
      { error: true, reason: "Minutely API request limit exceeded. Please try again in one minute." },
    ]);
  });

  test("of other paths have the same form", async () => {
    const { ask } = await started({ now });
    const { status, text } = await ask("/open-meteo/v1/archive");
    expect([status, JSON.parse(text)]).toEqual([404, { error: true, reason: "Not Found" }]);
  });
});
