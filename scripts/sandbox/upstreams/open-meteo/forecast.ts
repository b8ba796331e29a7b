/**
 * Open-Meteo's forecast API: `GET /v1/forecast` with the parameters, shapes and refusals of its documentation
 * and its source, and the variables of `weather-variables.ts`.
 */
import { weatherAt } from "../../world/climate.ts";
import type { Upstream } from "../upstream.ts";
import { meteoService } from "./service.ts";
import { dayVariables, momentVariables } from "./weather-variables.ts";

export const openMeteo: Upstream = {
  name: "open-meteo",
  basePath: "/open-meteo",
  baseUrls: { OPEN_METEO_BASE_URL: "/open-meteo/v1" },
  keyVariable: null,
  create: meteoService("/v1/forecast", {
    moments: momentVariables,
    days: dayVariables,
    hasSunTimes: true,
    defaultDays: 7,
    maxDays: 16,
    sampleAt: weatherAt,
  }),
};
