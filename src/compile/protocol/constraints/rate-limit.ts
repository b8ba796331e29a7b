import type { Constraints, FunctionDefinition, RateLimit } from "../../../ir.ts";
import { probablyMeant } from "../../../nearest.ts";
import { isTimeZone } from "../../../time-zone.ts";
import { dayIn } from "../../../vocabulary.ts";
import { reportUnknownFunction } from "../function/unknown-function.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";

const MAX_REQUESTS = 1_000_000_000;

/** Reads the limits of one mapping; a day is that of the time zone. */
export function readLimits(fields: FieldReader, timeZone: string): RateLimit[] {
  const windows = [
    ["max_requests_per_minute", "minute"],
    ["max_requests_per_day", dayIn(timeZone)],
  ] as const;
  return windows.flatMap(([key, window]): RateLimit[] => {
    const max = fields.number(key, 1, MAX_REQUESTS, true);
    return max === null ? [] : [{ max, window }];
  });
}

/** Reads `time_zone`: whose midnight ends the days that are counted by; UTC where it is not said. */
export function readTimeZone(rateLimit: FieldReader): string {
  const zone = rateLimit.text("time_zone");
  if (zone === null || isTimeZone(zone)) return zone ?? "UTC";
  const name = rateLimit.nameOf("time_zone");
  const meant = probablyMeant(zone, Intl.supportedValuesOf("timeZone"));
  const message = `${name} is a time zone of the IANA database, like Asia/Shanghai, not ${JSON.stringify(zone)}`;
  const fix = meant === null ? null : `time_zone: ${meant}`;
  report(rateLimit.at("time_zone") ?? rateLimit.place, "time-zone-unknown", message, fix);
  return "UTC";
}

/** Reads `per_endpoint`: limits by the names of functions. */
export function readFunctionLimits(
  rateLimit: FieldReader,
  functions: readonly FunctionDefinition[],
  timeZone: string,
): Constraints["functionLimits"] {
  const perEndpoint = rateLimit.mapping("per_endpoint");
  if (perEndpoint === null) return [];
  const names = functions.map(({ name }) => name);
  return perEndpoint.keys.flatMap((name) => {
    const fields = perEndpoint.mapping(name);
    if (fields === null) return [];
    if (!names.includes(name)) reportUnknownFunction(perEndpoint.keyPlace(name), name, names);
    const limits = readLimits(fields, timeZone);
    fields.finish();
    return [{ function: name, limits }];
  });
}
