/** The variables of Open-Meteo's forecast that are played here: their units, their decimals, and what they are of. */
import type { Weather } from "../../world/climate.ts";
import { type DayVariable, fixed, type MomentVariable, type Quantity } from "./quantities.ts";

const temperature: Quantity = {
  unit: (units) => (units.temperature === "celsius" ? "°C" : "°F"),
  convert: (value, units) => (units.temperature === "celsius" ? value : value * 1.8 + 32),
  decimals: () => 1,
};

const speeds = {
  kmh: { unit: "km/h", factor: 1 },
  ms: { unit: "m/s", factor: 1 / 3.6 },
  mph: { unit: "mp/h", factor: 0.621371 },
  kn: { unit: "kn", factor: 0.539957 },
};

const speed: Quantity = {
  unit: (units) => speeds[units.windSpeed].unit,
  convert: (value, units) => value * speeds[units.windSpeed].factor,
  decimals: () => 1,
};

const rain: Quantity = {
  unit: ({ precipitation }) => precipitation,
  convert: (value, { precipitation }) => (precipitation === "mm" ? value : value / 25.4),
  decimals: ({ precipitation }) => (precipitation === "mm" ? 1 : 3),
};

const snow: Quantity = {
  unit: ({ precipitation }) => (precipitation === "mm" ? "cm" : "inch"),
  convert: (value, { precipitation }) => (precipitation === "mm" ? value : value / 2.54),
  decimals: () => 2,
};

const percent = fixed("%");
const wmoCode = fixed("wmo code");

const rainOf = ({ isSnow, precipitation }: Weather): number => (isSnow ? 0 : precipitation);
/** Seven centimetres of snow are ten millimetres of water, as Open-Meteo has it. */
const snowOf = ({ isSnow, precipitation }: Weather): number => (isSnow ? precipitation * 0.7 : 0);
/** The barometric formula, with a scale height of the lower atmosphere. */
const surfacePressureOf = ({ pressure, elevation }: Weather): number =>
  pressure * Math.exp(-elevation / 8_400);

/** Variables of a moment, by the names that requests give them. */
export const momentVariables: ReadonlyMap<string, MomentVariable<Weather>> = new Map(
  Object.entries<MomentVariable<Weather>>({
    temperature_2m: { quantity: temperature, of: (weather) => weather.temperature },
    relative_humidity_2m: { quantity: percent, of: ({ humidity }) => humidity },
    dew_point_2m: { quantity: temperature, of: ({ dewPoint }) => dewPoint },
    apparent_temperature: { quantity: temperature, of: (weather) => weather.apparentTemperature },
    precipitation_probability: { quantity: percent, of: (weather) => weather.precipitationProbability },
    precipitation: { quantity: rain, of: ({ precipitation }) => precipitation },
    rain: { quantity: rain, of: rainOf },
    snowfall: { quantity: snow, of: snowOf },
    weather_code: { quantity: wmoCode, of: ({ weatherCode }) => weatherCode },
    pressure_msl: { quantity: fixed("hPa", 1), of: ({ pressure }) => pressure },
    surface_pressure: { quantity: fixed("hPa", 1), of: surfacePressureOf },
    cloud_cover: { quantity: percent, of: ({ cloudCover }) => cloudCover },
    visibility: { quantity: fixed("m"), of: ({ visibility }) => visibility },
    wind_speed_10m: { quantity: speed, of: ({ windSpeed }) => windSpeed },
    wind_direction_10m: { quantity: fixed("°"), of: ({ windDirection }) => windDirection },
    wind_gusts_10m: { quantity: speed, of: ({ windGusts }) => windGusts },
    uv_index: { quantity: fixed("", 2), of: ({ uvIndex }) => uvIndex },
    is_day: { quantity: fixed(""), of: ({ isDay }) => (isDay ? 1 : 0) },
  }),
);

type Reduction = (values: number[]) => number;
const highest: Reduction = (values) => Math.max(...values);
const lowest: Reduction = (values) => Math.min(...values);
const total: Reduction = (values) => values.reduce((sum, value) => sum + value, 0);

function over(of: (weather: Weather) => number, reduce: Reduction): DayVariable<Weather>["of"] {
  return (hours) => reduce(hours.map(of));
}

/** Variables of a day. */
export const dayVariables: ReadonlyMap<string, DayVariable<Weather>> = new Map(
  Object.entries<DayVariable<Weather>>({
    weather_code: { quantity: wmoCode, of: over(({ weatherCode }) => weatherCode, highest) },
    temperature_2m_max: { quantity: temperature, of: over((hour) => hour.temperature, highest) },
    temperature_2m_min: { quantity: temperature, of: over((hour) => hour.temperature, lowest) },
    apparent_temperature_max: {
      quantity: temperature,
      of: over((hour) => hour.apparentTemperature, highest),
    },
    apparent_temperature_min: { quantity: temperature, of: over((hour) => hour.apparentTemperature, lowest) },
    uv_index_max: { quantity: fixed("", 2), of: over(({ uvIndex }) => uvIndex, highest) },
    precipitation_sum: { quantity: rain, of: over(({ precipitation }) => precipitation, total) },
    rain_sum: { quantity: rain, of: over(rainOf, total) },
    snowfall_sum: { quantity: snow, of: over(snowOf, total) },
    precipitation_hours: {
      quantity: fixed("h", 1),
      of: over(({ precipitation }) => (precipitation >= 0.1 ? 1 : 0), total),
    },
    precipitation_probability_max: {
      quantity: percent,
      of: over((hour) => hour.precipitationProbability, highest),
    },
    wind_speed_10m_max: { quantity: speed, of: over(({ windSpeed }) => windSpeed, highest) },
    wind_gusts_10m_max: { quantity: speed, of: over(({ windGusts }) => windGusts, highest) },
    wind_direction_10m_dominant: { quantity: fixed("°"), of: dominantDirection },
  }),
);

/** The direction of the wind's vectors added up. */
function dominantDirection(hours: readonly Weather[]): number {
  const [east, north] = [Math.sin, Math.cos].map((part) =>
    total(hours.map(({ windSpeed, windDirection }) => windSpeed * part((windDirection * Math.PI) / 180))),
  );
  return ((Math.atan2(east ?? 0, north ?? 0) * 180) / Math.PI + 360) % 360;
}
