import { braveSearch } from "./brave-search.ts";
import { frankfurter } from "./frankfurter.ts";
import { openMeteoAirQuality } from "./open-meteo/air-quality.ts";
import { openMeteo } from "./open-meteo/forecast.ts";
import { openMeteoGeocoding } from "./open-meteo/geocoding.ts";
import { stockCircles } from "./stock-circles.ts";
import { tickdb } from "./tickdb.ts";
import type { Upstream } from "./upstream.ts";

export type { Upstream, UpstreamSetting } from "./upstream.ts";

/** Every service that the sandbox plays. A new one is a file below this folder and a line here. */
export const upstreams: readonly Upstream[] = [
  tickdb,
  openMeteo,
  openMeteoGeocoding,
  openMeteoAirQuality,
  frankfurter,
  braveSearch,
  stockCircles,
];

/** The variables and secrets that make a worker call a sandbox at `url` in place of every real upstream. */
export function sandboxVariables(url: string, apiKey: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { baseUrls, keyVariable } of upstreams) {
    for (const [variable, path] of Object.entries(baseUrls)) variables[variable] = url + path;
    if (keyVariable !== null) variables[keyVariable] = apiKey;
  }
  return variables;
}
