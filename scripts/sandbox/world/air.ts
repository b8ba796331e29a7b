import { coordinateOf } from "../market/random.ts";
import { type Site, weatherAt } from "./climate.ts";
import { smoothNoise } from "./noise.ts";
import { nearestPlace } from "./places.ts";

/** What is in the air at one moment, in micrograms a cubic metre. */
export interface Air {
  pm25: number;
  pm10: number;
  ozone: number;
  nitrogenDioxide: number;
  sulphurDioxide: number;
  carbonMonoxide: number;
}

const DAY_MS = 86_400_000;
const HAZE = coordinateOf("haze");

/**
 * The air of the made-up world: dirtier where many people live, in the cold and when the wind is still; ozone
 * comes with the sun. A pure function of the seed, the place and the moment, as the weather is.
 */
export function airAt(seed: number, site: Site, time: number): Air {
  const { latitude, longitude } = site;
  const weather = weatherAt(seed, site, time);
  const people = nearestPlace(latitude, longitude, 60)?.population ?? 1_000;
  const crowd = Math.log10(people / 1_000) / 4;
  const stillness = 14 / (6 + weather.windSpeed);
  const cold = weather.temperature < 10 ? 1 + (10 - weather.temperature) / 25 : 1;
  const haze =
    1 +
    0.6 * smoothNoise(time / (2 * DAY_MS), seed, Math.round(latitude * 4), HAZE, Math.round(longitude * 4));
  const dirt = (0.3 + crowd) * stillness * cold * haze * (weather.precipitation > 0.1 ? 0.6 : 1);
  return {
    pm25: 14 * dirt,
    pm10: 23 * dirt,
    ozone: 45 + 7 * weather.uvIndex - 8 * crowd,
    nitrogenDioxide: 16 * dirt,
    sulphurDioxide: 4 * dirt,
    carbonMonoxide: 170 + 160 * dirt,
  };
}
