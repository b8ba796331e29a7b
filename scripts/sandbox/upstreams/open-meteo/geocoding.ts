/**
 * Open-Meteo's geocoding API: `GET /v1/search` as its documentation and its source have it. Less than two
 * characters find nothing, two find only what is spelt so, three or more find what begins so; a region or a
 * country after a comma narrows the search; members without a value are left out, and so are `results` where
 * nothing is found.
 */
import { type Context, Hono } from "hono";
import { z } from "zod";
import { perMinute } from "../../rate-limit.ts";
import { type Place, places, searchForm } from "../../world/places.ts";
import type { Upstream, UpstreamSetting } from "../upstream.ts";
import { meteoAdmission, meteoRefusal } from "./refusals.ts";

export const openMeteoGeocoding: Upstream = {
  name: "open-meteo-geocoding",
  basePath: "/open-meteo-geocoding",
  baseUrls: { OPEN_METEO_GEOCODING_BASE_URL: "/open-meteo-geocoding/v1" },
  keyVariable: null,
  create: createGeocoding,
};

const query = z.object({
  name: z.string(),
  count: z.coerce.number().int().min(1).max(100).default(10),
  language: z.string().default("en"),
  countryCode: z.string().optional(),
});

function createGeocoding({ requestsPerMinute, now }: UpstreamSetting): Hono {
  const app = new Hono();
  app.use("/v1/*", meteoAdmission(perMinute(requestsPerMinute, now)));
  app.get("/v1/search", (c) => search(c));
  return app;
}

function search(c: Context): Response {
  const parsed = query.safeParse(c.req.query());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return issue?.path[0] === "count"
      ? meteoRefusal(c, "Parameter count must be between 1 and 100.")
      : meteoRefusal(c, `Value of type 'String' required for key '${issue?.path.join(".")}'.`);
  }
  const { name, count, language, countryCode } = parsed.data;
  const found = find(name)
    .filter(({ country }) => countryCode === undefined || country.code === countryCode)
    .slice(0, count);
  const results = found.map((place) => resultOf(place, language === "zh"));
  return c.json({ ...(results.length === 0 ? {} : { results }), generationtime_ms: 0.5 });
}

/** The places that a search finds, those with more people first. */
function find(text: string): Place[] {
  const [name = "", area = ""] = text.split(",").map(searchForm);
  const length = [...name].length;
  const matches = (candidate: string): boolean =>
    length >= 3 ? searchForm(candidate).startsWith(name) : searchForm(candidate) === name;
  return places
    .filter((place) => length >= 2 && [place.name, place.chineseName].some(matches))
    .filter((place) => area === "" || areasOf(place).includes(area))
    .sort((left, right) => right.population - left.population);
}

function areasOf({ region, chineseRegion, country }: Place): string[] {
  return [region, chineseRegion, country.name, country.chineseName, country.code].map(searchForm);
}

function resultOf(place: Place, inChinese: boolean) {
  const { country } = place;
  const region = inChinese ? place.chineseRegion : place.region;
  return {
    id: place.id,
    name: inChinese ? place.chineseName : place.name,
    latitude: place.latitude,
    longitude: place.longitude,
    elevation: place.elevation,
    feature_code: place.kind,
    country_code: country.code,
    timezone: place.timezone,
    population: place.population,
    country_id: country.id,
    country: inChinese ? country.chineseName : country.name,
    ...(region === "" ? {} : { admin1: region }),
  };
}
