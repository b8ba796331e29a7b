import { type Result, success } from "../../errors.ts";
import type { Binding, Skill } from "../../ir.ts";
import { MAX_LISTED_LIMITS } from "../../limits.ts";
import type { Callable, CallLimit, CallLimitState, CallSecrets, InvokeDependencies } from "../call.ts";
import { baseUrl } from "../plan/base-url.ts";
import { limitsOf } from "./call-limits.ts";

/** Limits and how they stand; `unlisted` is how many more there are. */
export interface ListedLimits {
  limits: CallLimitState[];
  unlisted: number;
}

/** A skill and those of its functions whose limits are listed. */
export type ListedFunctions = Pick<Callable, "skill" | "uploaded"> & {
  functions: readonly Callable["definition"][];
};

/**
 * How the limits stand that a caller's own budget and the calls of these functions are held against, each once. Fails
 * where it cannot be found out with whose secrets an uploaded skill calls.
 */
export async function listLimits(
  budget: readonly CallLimit[],
  skills: readonly ListedFunctions[],
  dependencies: InvokeDependencies,
): Promise<Result<ListedLimits>> {
  const found = new Map<string, CallLimit>();
  const add = (limit: CallLimit) => found.set(`${limit.window} ${limit.max} ${limit.bucket}`, limit);
  budget.forEach(add);
  const secrets = await Promise.all(skills.map(({ uploaded }) => secretsFor(uploaded, dependencies)));
  for (const [index, { skill, uploaded, functions }] of skills.entries()) {
    const own = secrets[index];
    if (own === undefined) continue;
    if (!own.ok) return own;
    const counted = { skill, tenant: uploaded?.tenant ?? null, secrets: own.value };
    for (const definition of functions)
      limitsOf(counted, definition, urlOf(skill, definition.binding, dependencies)).forEach(add);
  }
  const listed = [...found.values()].slice(0, MAX_LISTED_LIMITS);
  const limits = await dependencies.limiter.look(listed);
  return success({ limits, unlisted: found.size - listed.length });
}

function secretsFor(
  uploaded: Callable["uploaded"],
  { secrets }: InvokeDependencies,
): Promise<Result<CallSecrets>> {
  return uploaded === null ? Promise.resolve(success(secrets)) : uploaded.secrets();
}

/** Where the requests of a function go, as far as it does not depend on their arguments. */
function urlOf(skill: Skill, binding: Binding, { baseUrlOf }: InvokeDependencies): string | null {
  if (binding.kind !== "request") return null;
  const named = skill.upstreams.find(({ name }) => name === binding.request.upstream);
  return named === undefined ? null : baseUrl(named.upstream, baseUrlOf);
}
