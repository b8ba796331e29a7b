import type { Context } from "hono";
import { z } from "zod";
import { nearestPlace } from "../../world/places.ts";
import type { Units } from "./quantities.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_PAST_DAYS = 92;

/** What may be asked of a service. */
export interface Vocabulary {
  /** Variables of single moments, by name, and of days. */
  moments: ReadonlyMap<string, unknown>;
  days: ReadonlyMap<string, unknown>;
  /** Whether it tells when the sun rises and sets. */
  hasSunTimes: boolean;
  /** How many days from today on it tells of where nobody says, and at the most. */
  defaultDays: number;
  maxDays: number;
}

/** A well-formed question. */
export interface Asked {
  latitude: number;
  longitude: number;
  current: string[];
  hourly: string[];
  daily: string[];
  units: Units;
  isUnixTime: boolean;
  zone: Zone;
  /** Midnight, in the zone asked for, of the first day and of the day after the last. */
  start: number;
  end: number;
}

interface Zone {
  name: string;
  abbreviation: string;
  offsetMs: number;
}

const words = z.object({
  latitude: z.coerce.number(),
  longitude: z.coerce.number(),
  temperature_unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
  wind_speed_unit: z.enum(["kmh", "ms", "mph", "kn"]).default("kmh"),
  precipitation_unit: z.enum(["mm", "inch"]).default("mm"),
  timeformat: z.enum(["iso8601", "unixtime"]).default("iso8601"),
  timezone: z.string().default("GMT"),
  past_days: z.coerce.number().int().default(0),
  forecast_days: z.coerce.number().int().optional(),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
});
type Words = z.output<typeof words>;

/** What is asked for, or the reason why it is not answered. */
export function readQuery(c: Context, vocabulary: Vocabulary, now: number): Asked | string {
  const parsed = words.safeParse(c.req.query());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `Invalid value for key '${issue?.path.join(".")}': ${issue?.message}`;
  }
  const { latitude, longitude, temperature_unit, wind_speed_unit, precipitation_unit, timeformat } =
    parsed.data;
  if (Math.abs(latitude) > 90) return `Latitude must be in range of -90 to 90°. Given: ${latitude}.`;
  if (Math.abs(longitude) > 180) return `Longitude must be in range of -180 to 180°. Given: ${longitude}.`;
  const lists = { current: listOf(c, "current"), hourly: listOf(c, "hourly"), daily: listOf(c, "daily") };
  const unknown = firstUnknown(lists, vocabulary);
  if (unknown !== null) return unknown;
  const zone = zoneOf(parsed.data, now);
  if (zone === null) return "Invalid timezone";
  const days = daysOf(parsed.data, vocabulary, zone, now);
  if (typeof days === "string") return days;
  const units = {
    temperature: temperature_unit,
    windSpeed: wind_speed_unit,
    precipitation: precipitation_unit,
  };
  return { latitude, longitude, ...lists, units, isUnixTime: timeformat === "unixtime", zone, ...days };
}

function listOf(c: Context, name: string): string[] {
  return (c.req.queries(name) ?? []).flatMap((text) => text.split(",")).filter((word) => word !== "");
}

/** Variables of a day that are times, which are written apart from numbers. */
export const SUN_TIMES = ["sunrise", "sunset"] as const;

function firstUnknown(
  lists: Record<"current" | "hourly" | "daily", string[]>,
  { moments, days, hasSunTimes }: Vocabulary,
): string | null {
  const isMoment = (name: string): boolean => moments.has(name);
  const isSunTime = (name: string): boolean => hasSunTimes && SUN_TIMES.some((time) => time === name);
  const known = {
    current: isMoment,
    hourly: isMoment,
    daily: (name: string): boolean => days.has(name) || isSunTime(name),
  };
  for (const key of ["current", "hourly", "daily"] as const) {
    const name = lists[key].find((candidate) => !known[key](candidate));
    const type = key === "daily" ? "ForecastVariableDaily" : "WeatherVariable";
    if (name !== undefined)
      return `Cannot initialize ${type} from invalid String value ${name} for key ${key}`;
  }
  return null;
}

/** `auto` is the zone of the place; null where there is no zone of the name. */
function zoneOf({ timezone, latitude, longitude }: Words, now: number): Zone | null {
  const nearest = timezone === "auto" ? nearestPlace(latitude, longitude, 500) : undefined;
  const name = timezone === "auto" ? (nearest?.timezone ?? "GMT") : timezone;
  const format = zoneFormat(name);
  if (format === null) return null;
  const abbreviation = format.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d+):?(\d+)?/.exec(abbreviation) ?? [];
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return { name, abbreviation: size === 0 ? "GMT" : abbreviation, offsetMs: sign === "-" ? -size : size };
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The days asked for, or the reason why they are not there. */
function daysOf(
  asked: Words,
  { defaultDays, maxDays }: Vocabulary,
  { offsetMs }: Zone,
  now: number,
): { start: number; end: number } | string {
  const today = Math.floor((now + offsetMs) / DAY_MS) * DAY_MS - offsetMs;
  const { past_days: past, forecast_days: ahead, start_date: first, end_date: last } = asked;
  if (past < 0 || past > MAX_PAST_DAYS)
    return `Past days is invalid. Allowed range 0 to ${MAX_PAST_DAYS}. Given ${past}.`;
  if (ahead !== undefined && (ahead < 0 || ahead > maxDays))
    return `Forecast days is invalid. Allowed range 0 to ${maxDays}. Given ${ahead}.`;
  if (first === undefined && last === undefined)
    return { start: today - past * DAY_MS, end: today + (ahead ?? defaultDays) * DAY_MS };
  if (first === undefined || last === undefined)
    return "Both 'start_date' and 'end_date' must be set in the url";
  if (ahead !== undefined || past > 0)
    return `Parameter '${ahead === undefined ? "past_days" : "forecast_days"}' is mutually exclusive with 'start_date' and 'end_date'`;
  if (last < first) return "End-date must be larger or equals than start-date";
  const earliest = today - (MAX_PAST_DAYS + 1) * DAY_MS;
  const latest = today + (maxDays - 1) * DAY_MS;
  for (const [name, date] of [
    ["start_date", first],
    ["end_date", last],
  ] as const) {
    const day = Date.parse(date) - offsetMs;
    if (day < earliest || day > latest)
      return `Parameter '${name}' is out of allowed range from ${dateText(earliest + offsetMs)} to ${dateText(latest + offsetMs)}`;
  }
  return { start: Date.parse(first) - offsetMs, end: Date.parse(last) - offsetMs + DAY_MS };
}

/** A day as Open-Meteo writes it. */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
