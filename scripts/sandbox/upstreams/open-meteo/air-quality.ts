/**
 * Open-Meteo's air quality API: `GET /v1/air-quality`, current and hourly values of the pollutants that are
 * played here and the two indices, each the worst of its pollutants'.
 */
import { type Air, airAt } from "../../world/air.ts";
import type { Upstream } from "../upstream.ts";
import { fixed, type MomentVariable } from "./quantities.ts";
import { meteoService } from "./service.ts";

export const openMeteoAirQuality: Upstream = {
  name: "open-meteo-air-quality",
  basePath: "/open-meteo-air-quality",
  baseUrls: { OPEN_METEO_AIR_QUALITY_BASE_URL: "/open-meteo-air-quality/v1" },
  keyVariable: null,
  create: meteoService("/v1/air-quality", {
    moments: moments(),
    days: new Map(),
    hasSunTimes: false,
    defaultDays: 5,
    maxDays: 7,
    sampleAt: airAt,
  }),
};

function moments(): ReadonlyMap<string, MomentVariable<Air>> {
  const mass = fixed("μg/m³", 1);
  return new Map(
    Object.entries<MomentVariable<Air>>({
      pm2_5: { quantity: mass, of: ({ pm25 }) => pm25 },
      pm10: { quantity: mass, of: ({ pm10 }) => pm10 },
      ozone: { quantity: mass, of: ({ ozone }) => ozone },
      nitrogen_dioxide: { quantity: mass, of: ({ nitrogenDioxide }) => nitrogenDioxide },
      sulphur_dioxide: { quantity: mass, of: ({ sulphurDioxide }) => sulphurDioxide },
      carbon_monoxide: { quantity: mass, of: ({ carbonMonoxide }) => carbonMonoxide },
      european_aqi: { quantity: fixed("EAQI"), of: europeanIndex },
      us_aqi: { quantity: fixed("USAQI"), of: americanIndex },
    }),
  );
}

/** Index values at concentrations, from clean to dirty; between two of them the index grows evenly. */
type Steps = readonly (readonly [concentration: number, index: number])[];

/** The bands of the European Environment Agency's index, as Open-Meteo tells them. */
const european = {
  pm25: [
    [0, 0],
    [10, 20],
    [20, 40],
    [25, 60],
    [50, 80],
    [75, 100],
    [800, 500],
  ],
  pm10: [
    [0, 0],
    [20, 20],
    [40, 40],
    [50, 60],
    [100, 80],
    [150, 100],
    [1200, 500],
  ],
  ozone: [
    [0, 0],
    [50, 20],
    [100, 40],
    [130, 60],
    [240, 80],
    [380, 100],
    [800, 500],
  ],
  nitrogenDioxide: [
    [0, 0],
    [40, 20],
    [90, 40],
    [120, 60],
    [230, 80],
    [340, 100],
    [1000, 500],
  ],
} as const satisfies Record<string, Steps>;

/** The breakpoints of the United States' index for particles, as revised in 2024. */
const american = {
  pm25: [
    [0, 0],
    [9, 50],
    [35.4, 100],
    [55.4, 150],
    [125.4, 200],
    [225.4, 300],
    [325.4, 500],
  ],
  pm10: [
    [0, 0],
    [54, 50],
    [154, 100],
    [254, 150],
    [354, 200],
    [424, 300],
    [604, 500],
  ],
} as const satisfies Record<string, Steps>;

function europeanIndex({ pm25, pm10, ozone, nitrogenDioxide }: Air): number {
  return Math.max(
    indexAt(pm25, european.pm25),
    indexAt(pm10, european.pm10),
    indexAt(ozone, european.ozone),
    indexAt(nitrogenDioxide, european.nitrogenDioxide),
  );
}

function americanIndex({ pm25, pm10 }: Air): number {
  return Math.max(indexAt(pm25, american.pm25), indexAt(pm10, american.pm10));
}

function indexAt(concentration: number, steps: Steps): number {
  const above = steps.findIndex(([limit]) => limit >= concentration);
  const [highLimit, highIndex] = steps[above === -1 ? steps.length - 1 : above] ?? [0, 0];
  const [lowLimit, lowIndex] = steps[above - 1] ?? [highLimit, highIndex];
  if (above <= 0) return highIndex;
  return lowIndex + ((concentration - lowLimit) / (highLimit - lowLimit)) * (highIndex - lowIndex);
}
