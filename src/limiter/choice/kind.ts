/** Which limiter is used: what the operator has said, and what is bound. */

/** The limiters there are; `auto` uses `exact` for small limits and `kv` for large ones. */
export const limiterKinds = ["memory", "kv", "exact", "auto"] as const;
export type LimiterKind = (typeof limiterKinds)[number];

/** Where limits may be counted. */
export interface BoundPlaces {
  kv: boolean;
  exact: boolean;
}

/** A limiter that can be made, and what is wrong with what was asked for; null where nothing is. */
export interface ChosenLimiter {
  kind: LimiterKind;
  fault: string | null;
}

const needs: Record<LimiterKind, readonly (keyof BoundPlaces)[]> = {
  memory: [],
  kv: ["kv"],
  exact: ["exact"],
  auto: ["kv", "exact"],
};

const bindings: Record<keyof BoundPlaces, string> = {
  kv: "the KV namespace STORE",
  exact: "the Durable Object LIMITS",
};

/**
 * Takes the limiter that the variable LIMITER names. Where it names none, or one that cannot be had, the best of those
 * that can: limits then hold as well as they may, and the fault says what is missing.
 */
export function chooseLimiter(asked: string | undefined, bound: BoundPlaces): ChosenLimiter {
  const best = bestOf(bound);
  if (asked === undefined) return { kind: best, fault: null };
  const kind = limiterKinds.find((name) => name === asked);
  if (kind === undefined) {
    const fault = `LIMITER is one of ${limiterKinds.join(", ")}, not ${JSON.stringify(asked)}; ${best} is used`;
    return { kind: best, fault };
  }
  const missing = needs[kind].filter((place) => !bound[place]).map((place) => bindings[place]);
  if (missing.length === 0) return { kind, fault: null };
  return { kind: best, fault: `LIMITER=${kind} needs ${missing.join(" and ")}; ${best} is used` };
}

function bestOf({ kv, exact }: BoundPlaces): LimiterKind {
  if (exact) return kv ? "auto" : "exact";
  return kv ? "kv" : "memory";
}
