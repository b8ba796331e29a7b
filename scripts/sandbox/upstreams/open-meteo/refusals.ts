import type { Context, MiddlewareHandler } from "hono";
import type { RateLimit } from "../../rate-limit.ts";

/** Open-Meteo counts by address; here all callers have the same one. */
export function meteoAdmission(count: RateLimit): MiddlewareHandler {
  return async (c, next) =>
    count("everyone") === null
      ? next()
      : meteoRefusal(c, "Minutely API request limit exceeded. Please try again in one minute.", 429);
}

/** The one form of Open-Meteo's refusals. */
export function meteoRefusal(c: Context, reason: string, status: 400 | 404 | 429 = 400): Response {
  return c.json({ error: true, reason }, status);
}
