import { coordinateOf } from "../market/random.ts";
import { smoothNoise } from "./noise.ts";
import { sunHeight } from "./sun.ts";

/** A place on Earth, in degrees. */
export interface Site {
  latitude: number;
  longitude: number;
  /** Metres above the sea. */
  elevation: number;
}

/** The weather at one moment, in the units that meteorologists use. */
export interface Weather {
  /** Metres above the sea, of the place. */
  elevation: number;
  /** Degrees Celsius, two metres above the ground. */
  temperature: number;
  apparentTemperature: number;
  dewPoint: number;
  /** Percent. */
  humidity: number;
  cloudCover: number;
  precipitationProbability: number;
  /** Millimetres an hour, of rain or of melted snow. */
  precipitation: number;
  isSnow: boolean;
  /** WMO code 4677, as far as forecasts use it. */
  weatherCode: number;
  /** Kilometres an hour. */
  windSpeed: number;
  windGusts: number;
  /** Degrees from which it blows. */
  windDirection: number;
  /** Hectopascals at the level of the sea. */
  pressure: number;
  /** Metres. */
  visibility: number;
  uvIndex: number;
  isDay: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_DAYS = 365.2425;
/** The coldest day of the northern year, counted from 1 January, and the warmest hour by the sun. */
const COLDEST_DAY = 20;
const WARMEST_HOUR = 15;
/** Degrees that it gets colder with each metre up (the standard atmosphere). */
const LAPSE_RATE = 0.0065;

const SYSTEMS = coordinateOf("pressure systems");
const SHOWERS = coordinateOf("showers");
const WIND = coordinateOf("wind");
const DIRECTION = coordinateOf("wind direction");

/**
 * The weather of a made-up world: a pure function of the seed, the place and the moment. It is warm at the
 * equator, cold up high and towards the poles, follows the seasons and the hours of the day, and changes with
 * the highs and lows that pass every few days.
 */
export function weatherAt(seed: number, site: Site, time: number): Weather {
  const { latitude, longitude } = site;
  const cell = [seed, Math.round(latitude * 4), Math.round(longitude * 4)] as const;
  const day = time / DAY_MS;
  /** 1 in the middle of a high, -1 in that of a low. */
  const high = smoothNoise(day / 3, ...cell, SYSTEMS) * 0.7 + smoothNoise(day / 9, ...cell, SYSTEMS) * 0.3;
  const wetness = 0.55 * smoothNoise(time / (5 * HOUR_MS), ...cell, SHOWERS) - 0.7 * high;
  const temperature = temperatureAt(site, time) + 5 * high * Math.min(1, Math.abs(latitude) / 40);
  const height = sunHeight(latitude, longitude, time);
  const sky = skyOf(wetness, temperature);
  const humidity = clamp(72 + 35 * wetness - 1.2 * dailySwing(longitude, time), 15, 100);
  const gustiness = smoothNoise(time / (4 * HOUR_MS), ...cell, WIND);
  const windSpeed = Math.max(0.5, 11 + 8 * gustiness - 7 * high);
  return {
    ...sky,
    elevation: site.elevation,
    temperature,
    humidity,
    dewPoint: temperature - (100 - humidity) / 5,
    apparentTemperature: temperature - 0.12 * windSpeed + 0.05 * (humidity - 50) * (temperature > 20 ? 1 : 0),
    windSpeed,
    windGusts: windSpeed * (1.6 + 0.5 * Math.max(0, gustiness)),
    windDirection: (smoothNoise(day / 2, ...cell, DIRECTION) * 360 + 720) % 360,
    pressure: 1013 + 16 * high,
    visibility: Math.round((sky.precipitation > 0 ? 8_000 : 24_000) * (1 + 0.5 * high)),
    uvIndex: Math.max(0, 11.5 * Math.sin((height * Math.PI) / 180)) * (1 - 0.006 * sky.cloudCover),
    isDay: height > -0.833,
  };
}

/** What the season, the hour and the height above the sea make of it, in degrees Celsius. */
function temperatureAt({ latitude, longitude, elevation }: Site, time: number): number {
  const yearly = 27.5 - 0.0066 * latitude ** 2;
  const hemisphere = latitude < 0 ? -1 : 1;
  const mildness = isMild(longitude) ? 0.55 : 1;
  const amplitude = Math.min(14, 0.27 * Math.abs(latitude)) * hemisphere * mildness;
  const dayOfYear = (time / DAY_MS) % YEAR_DAYS;
  const season = -Math.cos((2 * Math.PI * (dayOfYear - COLDEST_DAY)) / YEAR_DAYS);
  return yearly + amplitude * season + dailySwing(longitude, time) - LAPSE_RATE * elevation;
}

/** The west of Europe and of America has the sea's air all year. */
function isMild(longitude: number): boolean {
  return (longitude > -30 && longitude < 15) || (longitude > -135 && longitude < -118);
}

/** How much warmer than the day's average an hour is. */
function dailySwing(longitude: number, time: number): number {
  const solarHour = (time / HOUR_MS + longitude / 15) % 24;
  return 4 * Math.cos((2 * Math.PI * (solarHour - WARMEST_HOUR)) / 24);
}

type Sky = Pick<
  Weather,
  "cloudCover" | "precipitationProbability" | "precipitation" | "isSnow" | "weatherCode"
>;

/** @param wetness from about -1.2, dry, to 1.2, pouring */
function skyOf(wetness: number, temperature: number): Sky {
  const cloudCover = Math.round(clamp(45 + 75 * wetness, 0, 100));
  const precipitation = Math.max(0, wetness - 0.35) ** 1.5 * 6;
  const isSnow = temperature < 0.5;
  return {
    cloudCover,
    precipitation,
    isSnow: isSnow && precipitation > 0,
    precipitationProbability: Math.round(clamp(30 + 100 * (wetness - 0.2), 0, 100)),
    weatherCode: weatherCodeOf(cloudCover, precipitation, temperature),
  };
}

function weatherCodeOf(cloudCover: number, precipitation: number, temperature: number): number {
  if (precipitation < 0.1) return cloudCover < 13 ? 0 : cloudCover < 38 ? 1 : cloudCover < 70 ? 2 : 3;
  const [light, moderate, heavy] = temperature < 0.5 ? [71, 73, 75] : [61, 63, 65];
  if (precipitation < 0.4 && temperature >= 0.5) return 51;
  if (precipitation > 3.5 && temperature > 22) return 95;
  return precipitation < 1.2 ? light : precipitation < 3.5 ? moderate : heavy;
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}
