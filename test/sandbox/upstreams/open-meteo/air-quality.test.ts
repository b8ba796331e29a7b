import { describe, expect, test } from "vitest";
import { started } from "../../started.ts";

const NOW = Date.UTC(2026, 0, 12, 3, 20);
const BEIJING = "latitude=39.9075&longitude=116.39723";

interface Reply {
  error?: boolean;
  reason?: string;
  hourly: Record<string, number[]>;
  hourly_units: Record<string, string>;
  current: Record<string, number>;
}

async function asked(query: string): Promise<{ status: number; json: Reply }> {
  const { ask } = await started({ now: () => NOW });
  const { status, text } = await ask(`/open-meteo-air-quality/v1/air-quality?${query}`, { headers: {} });
  return { status, json: JSON.parse(text) };
}

async function average(query: string, variable: string): Promise<number> {
  const { json } = await asked(`${query}&hourly=${variable}&past_days=30`);
  const values = json.hourly[variable] ?? [];
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("air quality", () => {
  test("is told of five days unless told otherwise, of seven at the most", async () => {
    expect((await asked(`${BEIJING}&hourly=pm10`)).json.hourly.time).toHaveLength(120);
    expect(await asked(`${BEIJING}&hourly=pm10&forecast_days=8`)).toEqual({
      status: 400,
      json: { error: true, reason: "Forecast days is invalid. Allowed range 0 to 7. Given 8." },
    });
  });

  test("has no days and nothing of the weather", async () => {
    for (const query of ["daily=pm10", "daily=sunrise", "hourly=temperature_2m"])
      expect((await asked(`${BEIJING}&${query}`)).status).toBe(400);
  });

  test("has units, and finer particles among the coarse", async () => {
    const { json } = await asked(`${BEIJING}&hourly=pm2_5,pm10,us_aqi`);
    expect(json.hourly_units).toMatchObject({ pm2_5: "μg/m³", us_aqi: "USAQI" });
    for (const [index, fine] of (json.hourly.pm2_5 ?? []).entries())
      expect(fine).toBeLessThanOrEqual(json.hourly.pm10?.[index] ?? 0);
  });

  test("is worse where many people live", async () => {
    const lhasa = "latitude=29.65&longitude=91.1";
    expect(await average(BEIJING, "pm2_5")).toBeGreaterThan(await average(lhasa, "pm2_5"));
    expect(await average(BEIJING, "us_aqi")).toBeGreaterThan(await average(lhasa, "us_aqi"));
  });

  test("has indices that grow with the particles", async () => {
    const { json } = await asked(`${BEIJING}&hourly=pm2_5,us_aqi&past_days=30`);
    const pairs = (json.hourly.pm2_5 ?? []).map((fine, index) => [fine, json.hourly.us_aqi?.[index] ?? 0]);
    const sorted = pairs
      .toSorted(([fine = 0, index = 0], [other = 0, otherIndex = 0]) => fine - other || index - otherIndex)
      .map(([, index]) => index);
    expect(sorted).toEqual(sorted.toSorted((left = 0, right = 0) => left - right));
  });
});
