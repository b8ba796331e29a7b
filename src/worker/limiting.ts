import { waitUntil } from "cloudflare:workers";
import { parseKeyLimits } from "../access/index.ts";
import type { LogEvent } from "../http/index.ts";
import type { RateLimit } from "../ir.ts";
import { chooseLimiter, createLimiting, type LimiterKind, type Limiting } from "../limiter/index.ts";
import { type Env, sleep, textOf } from "./env.ts";

/** What the operator's variables say of limits, and what is wrong with them. */
interface LimitSettings {
  kind: LimiterKind;
  /** The limits of the operator's key. */
  keyLimits: RateLimit[];
  faults: string[];
}

/** Reads LIMITER and SKILLGATE_KEY_LIMITS. What is wrong is left out, and said. */
export function limitSettings(env: Env): LimitSettings {
  const bound = { kv: env.STORE !== undefined, exact: env.LIMITS !== undefined };
  const { kind, fault } = chooseLimiter(textOf(env, "LIMITER"), bound);
  const { limits, faults } = parseKeyLimits(textOf(env, "SKILLGATE_KEY_LIMITS") ?? "");
  const ofKey = faults.map((what) => `SKILLGATE_KEY_LIMITS: ${what}; it does not hold`);
  return { kind, keyLimits: limits, faults: [...(fault === null ? [] : [fault]), ...ofKey] };
}

/** Makes the limiter of a kind over what is bound. */
export function limitingFrom(
  env: Env,
  kind: LimiterKind,
  now: () => number,
  log: (event: LogEvent) => void,
): Limiting {
  const { STORE, LIMITS } = env;
  return createLimiting(kind, {
    store: STORE ?? null,
    object: LIMITS === undefined ? null : (group) => LIMITS.getByName(group),
    newId: () => crypto.randomUUID(),
    now,
    sleep,
    waitUntil,
    report: (event, fault) => log({ level: "warning", event, ...fault }),
  });
}
