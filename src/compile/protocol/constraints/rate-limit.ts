import type { Constraints, FunctionDefinition, RateLimit } from "../../../ir.ts";
import { reportUnknownFunction } from "../function/unknown-function.ts";
import type { FieldReader } from "../reading/reader.ts";

const MAX_REQUESTS = 1_000_000_000;

const WINDOWS = [
  ["max_requests_per_minute", "minute"],
  ["max_requests_per_day", "day"],
] as const;

/** Reads the limits of one mapping, a limit a window. */
export function readLimits(fields: FieldReader): RateLimit[] {
  return WINDOWS.flatMap(([key, window]): RateLimit[] => {
    const max = fields.number(key, 1, MAX_REQUESTS, true);
    return max === null ? [] : [{ max, window }];
  });
}

/** Reads `per_endpoint`: limits by the names of functions. */
export function readFunctionLimits(
  rateLimit: FieldReader,
  functions: readonly FunctionDefinition[],
): Constraints["functionLimits"] {
  const perEndpoint = rateLimit.mapping("per_endpoint");
  if (perEndpoint === null) return [];
  const names = functions.map(({ name }) => name);
  return perEndpoint.keys.flatMap((name) => {
    const fields = perEndpoint.mapping(name);
    if (fields === null) return [];
    if (!names.includes(name)) reportUnknownFunction(perEndpoint.keyPlace(name), name, names);
    const limits = readLimits(fields);
    fields.finish();
    return [{ function: name, limits }];
  });
}
