import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { played } from "./played.ts";

// The clock of these tests stands at noon of 28 February 2026, UTC.
const weather = (): ReturnType<typeof played> => played("weather");
const BEIJING = { latitude: 39.9075, longitude: 116.39723 };

interface Forecast {
  daily: Record<string, unknown[]> | null;
  hourly: Record<string, unknown[]> | null;
  current: JsonObject | null;
}

describe("weather", () => {
  test("goes from a name in Chinese to the weather there", async () => {
    const { data } = await weather();
    const found = (await data("geocode_place", { name: "北京", language: "zh" })) as { places: JsonObject[] };
    expect(found.places[0]).toMatchObject({ name: "北京", country: "中国", ...BEIJING });
    const forecast = await data("get_weather_forecast", BEIJING);
    expect(forecast).toMatchObject({
      timezone: "Asia/Shanghai",
      current: { time: "2026-02-28T20:00", temperature_2m: expect.any(Number) },
      daily: { time: expect.arrayContaining(["2026-02-28", "2026-03-06"]) },
      hourly: null,
    });
  });

  test("of a name that nobody knows is no place, not a failure", async () => {
    const { data } = await weather();
    expect(await data("geocode_place", { name: "Atlantis" })).toEqual({ places: [] });
  });

  test("asks only for what is wanted", async () => {
    const { data, sandbox } = await weather();
    const forecast = (await data("get_weather_forecast", { ...BEIJING, current: [], daily: [] })) as unknown;
    expect(forecast).toMatchObject({ current: null, hourly: null, daily: null });
    expect(sandbox.requests().requests[0]?.query).not.toMatch(/current|daily|hourly|start_date/);
  });

  test.each<[string, JsonObject, string[]]>([
    ["one day, where only the first is said", { start_date: "2026-03-07" }, ["2026-03-07"]],
    ["a weekend", { start_date: "2026-03-07", end_date: "2026-03-08" }, ["2026-03-07", "2026-03-08"]],
    ["yesterday", { start_date: "2026-02-27" }, ["2026-02-27"]],
    ["today and tomorrow", { forecast_days: 2 }, ["2026-02-28", "2026-03-01"]],
  ])("is of %s", async (_what, days, expected) => {
    const { data } = await weather();
    const { daily } = (await data("get_weather_forecast", { ...BEIJING, ...days })) as unknown as Forecast;
    expect(daily?.time).toEqual(expected);
  });

  test("comes in the units asked for", async () => {
    const { data } = await weather();
    const units = { temperature_unit: "fahrenheit", wind_speed_unit: "ms" };
    expect(await data("get_weather_forecast", { ...BEIJING, ...units })).toMatchObject({
      current_units: { temperature_2m: "°F", wind_speed_10m: "m/s" },
    });
  });
});

describe("air quality", () => {
  test("is told of now unless more is asked for", async () => {
    const { data } = await weather();
    expect(await data("get_air_quality", BEIJING)).toEqual({
      timezone: "Asia/Shanghai",
      current: {
        time: "2026-02-28T20:00",
        interval: 900,
        us_aqi: expect.any(Number),
        european_aqi: expect.any(Number),
        pm2_5: expect.any(Number),
        pm10: expect.any(Number),
      },
      current_units: expect.objectContaining({ us_aqi: "USAQI", pm2_5: "μg/m³" }),
      hourly: null,
      hourly_units: null,
    });
  });

  test("is told by the hour of up to seven days", async () => {
    const { data, failure } = await weather();
    const asked = { ...BEIJING, current: [], hourly: ["pm2_5"], forecast_days: 7 };
    const { hourly } = (await data("get_air_quality", asked)) as unknown as Forecast;
    expect(hourly?.pm2_5).toHaveLength(168);
    expect(await failure("get_air_quality", { ...asked, forecast_days: 8 })).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
  });
});

describe("what no forecast knows is refused before anyone is asked", () => {
  test.each<[string, JsonObject]>([
    ["days beyond the sixteenth", { start_date: "2026-03-20" }],
    ["days more than three months ago", { start_date: "2025-11-01", end_date: "2025-11-02" }],
    ["a last day without a first", { end_date: "2026-03-02" }],
  ])("%s", async (_what, days) => {
    const { failure, sandbox } = await weather();
    expect(await failure("get_weather_forecast", { ...BEIJING, ...days })).toMatchObject({
      code: "NOT_COVERED",
    });
    expect(sandbox.requests().count).toBe(0);
  });

  test("and more than sixteen days are a wrong argument", async () => {
    const { failure } = await weather();
    expect(await failure("get_weather_forecast", { ...BEIJING, forecast_days: 17 })).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
  });
});

test("the upstream's own reason comes through", async () => {
  const { failure } = await weather();
  const asked = { ...BEIJING, timezone: "Moon/Base" };
  expect(await failure("get_weather_forecast", asked)).toMatchObject({
    code: "UPSTREAM_REJECTED",
    upstream: { status: 400, code: "400", message: "Invalid timezone" },
    kind: "invalid",
  });
});

test("too many requests in a minute are told from other refusals", async () => {
  const { data, failure } = await played("weather", { requestsPerMinute: 1 });
  await data("geocode_place", { name: "Berlin" });
  expect(await failure("geocode_place", { name: "Hamburg" })).toMatchObject({
    code: "UPSTREAM_RATE_LIMITED",
    upstream: { message: expect.stringContaining("Minutely") },
  });
});
