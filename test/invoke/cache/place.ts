import type { CacheRule, Constraints } from "../../../src/ir.ts";
import { cacheRule, functionWith, get, skillWith } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

export const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };
export const MINUTE = 60_000;

/** A place in which one function, `ask`, is called, whose results are fresh for a minute. */
export function placeWith(baseUrl: string, rule: Partial<CacheRule>, constraints: Partial<Constraints> = {}) {
  const skill = skillWith(
    "demo",
    [functionWith("ask", get("/x"), { annotations: READ_ONLY, cache: cacheRule(rule) })],
    [],
    { globalLimits: [{ max: 1_000, window: "minute" }], ...constraints },
  );
  const place = new Surroundings(skill, { baseUrl });
  /** What a call gives, its age in seconds, and whether that is stale; or the failure's code. */
  const ask = async (tenant?: string) => {
    const result = await place.call(skill, "ask", {}, null, tenant);
    if (!result.ok) return result.failure.code;
    const { data, ageMs, stale } = result.value;
    return [data, ageMs / 1_000, stale ? "stale" : "fresh"];
  };
  return { skill, place, ask };
}
