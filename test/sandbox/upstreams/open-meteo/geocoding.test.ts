import { describe, expect, test } from "vitest";
import { z } from "zod";
import { places } from "../../../../scripts/sandbox/world/places.ts";
import { started } from "../../started.ts";

const result = z.strictObject({
  id: z.int(),
  name: z.string().min(1),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  elevation: z.number(),
  feature_code: z.enum(["PPLC", "PPLA", "PPL"]),
  country_code: z.string().length(2),
  timezone: z.string(),
  population: z.int().positive(),
  country_id: z.int(),
  country: z.string().min(1),
  admin1: z.string().min(1).optional(),
});
const reply = z.strictObject({ results: z.array(result).min(1).optional(), generationtime_ms: z.number() });

async function found(query: string): Promise<string[]> {
  const { ask } = await started();
  const { status, text } = await ask(`/open-meteo-geocoding/v1/search?${query}`, { headers: {} });
  expect(status).toBe(200);
  const { results = [] } = reply.parse(JSON.parse(text));
  return results.map(({ name, country_code, admin1 }) => [name, admin1, country_code].join("/"));
}

describe("a search", () => {
  test.each([
    ["a name", "name=Berlin", ["Berlin/State of Berlin/DE"]],
    ["its beginning, from three characters on", "name=ber", ["Berlin/State of Berlin/DE"]],
    ["two characters, which only find what is spelt so", "name=Be", []],
    ["a name in Chinese of two characters", "name=北京&language=zh", ["北京/北京市/CN"]],
    ["a name in Chinese, answered in English", "name=慕尼黑", ["Munich/Bavaria/DE"]],
    ["no accents where there are some", "name=sao paulo", ["São Paulo/São Paulo/BR"]],
    ["several of a name, the larger first", "name=Paris", ["Paris/Île-de-France/FR", "Paris/Texas/US"]],
    ["a country's code", "name=Paris&countryCode=US", ["Paris/Texas/US"]],
    ["a region after a comma", "name=London, Ontario", ["London/Ontario/CA"]],
    ["a country after a comma", "name=London,United Kingdom", ["London/England/GB"]],
    ["a count", "name=London&count=1", ["London/England/GB"]],
    ["a name that nobody knows", "name=Atlantis", []],
    ["nothing", "name=", []],
  ])("by %s", async (_what, query, expected) => {
    expect(await found(encodeURI(query))).toEqual(expected);
  });

  test.each(["0", "101"])("for %s places is refused", async (count) => {
    const { ask } = await started();
    const { status, text } = await ask(`/open-meteo-geocoding/v1/search?name=Berlin&count=${count}`);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { error: true, reason: "Parameter count must be between 1 and 100." },
    ]);
  });

  test("without a name is refused", async () => {
    const { ask } = await started();
    const { status, text } = await ask("/open-meteo-geocoding/v1/search");
    expect([status, text]).toEqual([400, expect.stringContaining("'name'")]);
  });
});

describe("the places", () => {
  test("are sixty or more, each once, with a zone that exists", () => {
    expect(places.length).toBeGreaterThanOrEqual(60);
    expect(new Set(places.map(({ id }) => id)).size).toBe(places.length);
    for (const { timezone } of places)
      expect(() => new Intl.DateTimeFormat("en", { timeZone: timezone })).not.toThrow();
  });
});
