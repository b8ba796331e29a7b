import type { JsonObject } from "../../../../src/json.ts";
import type { Site } from "../../world/climate.ts";
import { nearestPlace } from "../../world/places.ts";
import { sunTimes } from "../../world/sun.ts";
import { type DayVariable, type MomentVariable, type Quantity, rounded, type Units } from "./quantities.ts";
import { type Asked, dateText, SUN_TIMES, type Vocabulary } from "./query.ts";

/** One of Open-Meteo's services: what it can tell, and what from. */
export interface Service<Sample> extends Vocabulary {
  moments: ReadonlyMap<string, MomentVariable<Sample>>;
  days: ReadonlyMap<string, DayVariable<Sample>>;
  sampleAt: (seed: number, site: Site, time: number) => Sample;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Current conditions are given for the latest quarter of an hour. */
const CURRENT_INTERVAL_SECONDS = 900;
/** A point of the grid, in degrees. */
const GRID = 1 / 16;

/** What a service answers to a well-formed question. */
export function replyTo<Sample>(
  asked: Asked,
  service: Service<Sample>,
  seed: number,
  now: number,
): JsonObject {
  const snap = (degrees: number): number => Math.round(degrees / GRID) * GRID;
  const latitude = snap(asked.latitude);
  const longitude = snap(asked.longitude);
  const elevation = nearestPlace(latitude, longitude, 50)?.elevation ?? 0;
  const site = { latitude, longitude, elevation };
  const sampleAt = (time: number): Sample => service.sampleAt(seed, site, time);
  return {
    latitude,
    longitude,
    generationtime_ms: 0.1,
    utc_offset_seconds: asked.zone.offsetMs / 1000,
    timezone: asked.zone.name,
    timezone_abbreviation: asked.zone.abbreviation,
    elevation,
    ...currentPart(asked, service, sampleAt, now),
    ...hourlyPart(asked, service, sampleAt),
    ...dailyPart(asked, service, sampleAt, site),
  };
}

type SampleAt<Sample> = (time: number) => Sample;

function currentPart<Sample>(
  asked: Asked,
  { moments }: Service<Sample>,
  sampleAt: SampleAt<Sample>,
  now: number,
): JsonObject {
  if (asked.current.length === 0) return {};
  const interval = CURRENT_INTERVAL_SECONDS * 1000;
  const time = Math.floor(now / interval) * interval;
  const sample = sampleAt(time);
  const columns = chosen(asked.current, moments);
  const values = columns.map(([name, variable]) => [
    name,
    rounded(variable.of(sample), variable.quantity, asked.units),
  ]);
  return {
    current_units: { time: timeUnit(asked), interval: "seconds", ...unitsOf(columns, asked.units) },
    current: {
      time: timeValue(time, asked),
      interval: CURRENT_INTERVAL_SECONDS,
      ...Object.fromEntries(values),
    },
  };
}

function hourlyPart<Sample>(
  asked: Asked,
  { moments }: Service<Sample>,
  sampleAt: SampleAt<Sample>,
): JsonObject {
  if (asked.hourly.length === 0) return {};
  const times = steps(asked.start, asked.end, HOUR_MS);
  const hours = times.map(sampleAt);
  const columns = chosen(asked.hourly, moments);
  const values = columns.map(([name, { quantity, of }]) => [
    name,
    hours.map((sample) => rounded(of(sample), quantity, asked.units)),
  ]);
  return {
    hourly_units: { time: timeUnit(asked), ...unitsOf(columns, asked.units) },
    hourly: { time: times.map((time) => timeValue(time, asked)), ...Object.fromEntries(values) },
  };
}

function dailyPart<Sample>(
  asked: Asked,
  service: Service<Sample>,
  sampleAt: SampleAt<Sample>,
  site: Site,
): JsonObject {
  if (asked.daily.length === 0) return {};
  const days = steps(asked.start, asked.end, DAY_MS);
  const hours = days.map((day) => steps(day, day + DAY_MS, HOUR_MS).map(sampleAt));
  const columns = chosen(asked.daily, service.days);
  const values = columns.map(([name, { quantity, of }]) => [
    name,
    hours.map((samples) => rounded(of(samples), quantity, asked.units)),
  ]);
  const sun = SUN_TIMES.filter((name) => asked.daily.includes(name));
  return {
    daily_units: {
      time: timeUnit(asked),
      ...unitsOf(columns, asked.units),
      ...Object.fromEntries(sun.map((name) => [name, timeUnit(asked)])),
    },
    daily: {
      time: days.map((day) => (asked.isUnixTime ? day / 1000 : dateText(day + asked.zone.offsetMs))),
      ...Object.fromEntries(values),
      ...Object.fromEntries(sun.map((name) => [name, days.map((day) => sunTime(name, day, site, asked))])),
    },
  };
}

/** Where the sun does not rise or set on a day, the time is null. */
function sunTime(
  name: (typeof SUN_TIMES)[number],
  day: number,
  site: Site,
  asked: Asked,
): string | number | null {
  const times = sunTimes(site.latitude, site.longitude, day + DAY_MS / 2);
  return times === null ? null : timeValue(Math.round(times[name] / MINUTE_MS) * MINUTE_MS, asked);
}

/** The variables of a list, in its order, each once. */
function chosen<Variable>(
  names: readonly string[],
  known: ReadonlyMap<string, Variable>,
): [string, Variable][] {
  return [...new Set(names)].flatMap((name): [string, Variable][] => {
    const variable = known.get(name);
    return variable === undefined ? [] : [[name, variable]];
  });
}

function unitsOf(columns: readonly [string, { quantity: Quantity }][], units: Units): JsonObject {
  return Object.fromEntries(columns.map(([name, { quantity }]) => [name, quantity.unit(units)]));
}

function steps(start: number, end: number, step: number): number[] {
  return Array.from({ length: Math.round((end - start) / step) }, (_, index) => start + index * step);
}

function timeUnit({ isUnixTime }: Asked): string {
  return isUnixTime ? "unixtime" : "iso8601";
}

function timeValue(time: number, { isUnixTime, zone }: Asked): string | number {
  return isUnixTime ? time / 1000 : new Date(time + zone.offsetMs).toISOString().slice(0, 16);
}
