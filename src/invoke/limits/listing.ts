import type { Binding, FunctionDefinition, Skill } from "../../ir.ts";
import { MAX_LISTED_LIMITS } from "../../limits.ts";
import type { CallLimit, CallLimitState, InvokeDependencies } from "../call.ts";
import { baseUrl } from "../plan/base-url.ts";
import { limitsOf } from "./call-limits.ts";

/** Limits and how they stand; `unlisted` is how many more there are. */
export interface ListedLimits {
  limits: CallLimitState[];
  unlisted: number;
}

/** How the limits stand that a caller's own budget and the calls of these functions are held against, each once. */
export async function listLimits(
  budget: readonly CallLimit[],
  functions: readonly { skill: Skill; definition: FunctionDefinition }[],
  dependencies: InvokeDependencies,
): Promise<ListedLimits> {
  const found = new Map<string, CallLimit>();
  const ofFunctions = functions.flatMap(({ skill, definition }) => {
    const url = urlOf(skill, definition.binding, dependencies);
    return limitsOf(skill, definition, url, dependencies.limitsOfSecret);
  });
  for (const limit of [...budget, ...ofFunctions])
    found.set(`${limit.window} ${limit.max} ${limit.bucket}`, limit);
  const listed = [...found.values()].slice(0, MAX_LISTED_LIMITS);
  return { limits: await dependencies.limiter.look(listed), unlisted: found.size - listed.length };
}

/** Where the requests of a function go, as far as it does not depend on their arguments. */
function urlOf(skill: Skill, binding: Binding, { baseUrlOf }: InvokeDependencies): string | null {
  if (binding.kind !== "request") return null;
  const named = skill.upstreams.find(({ name }) => name === binding.request.upstream);
  return named === undefined ? null : baseUrl(named.upstream, baseUrlOf);
}
