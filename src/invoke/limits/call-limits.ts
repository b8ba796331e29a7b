/** What the calls of a function count against. */
import type { FunctionDefinition, RateLimit, Skill } from "../../ir.ts";
import type { CallLimit } from "../call.ts";

/** Where calls are counted: the bucket, and the group of buckets that it belongs to. */
export type Place = Pick<CallLimit, "bucket" | "group">;

/** The limits that the operator's own skills put on a secret at a URL's host. */
export type SecretLimits = (variable: string, url: string) => readonly RateLimit[];

/** The variables of all secrets that go with a skill's requests, each once, in an order that no document decides. */
export function variablesOf({ constraints: { authentication } }: Skill): string[] {
  return [...new Set(authentication.map(({ variable }) => variable))].sort();
}

/**
 * The bucket of all requests to a host with the secrets of these variables together, whoever makes them. What a request
 * with one secret counts against besides it is of the same group, so that one place decides about the request.
 */
export function upstreamPlace(url: string, variables: readonly string[]): Place {
  const users = variables.length === 0 ? "none" : variables.join("+");
  const bucket = `upstream:${URL.parse(url)?.host ?? ""}:${users}`;
  return { bucket, group: bucket };
}

/**
 * The limits on calls of a function: those of its skill's credentials at its upstream, and the function's own.
 * @param url where its requests go; null for a function that sends none
 */
export function limitsOf(
  skill: Skill,
  definition: FunctionDefinition,
  url: string | null,
  limitsOfSecret: SecretLimits,
): CallLimit[] {
  const { functionLimits } = skill.constraints;
  const own = functionLimits.find((entry) => entry.function === definition.name)?.limits ?? [];
  const bucket = `function:${skill.name}/${definition.name}`;
  const label = `the function ${definition.name}`;
  if (url === null) return own.map((limit) => ({ ...limit, bucket, group: bucket, label }));
  const { group } = upstreamPlace(url, variablesOf(skill));
  return [
    ...limitsOfCredentials(skill, url, limitsOfSecret),
    ...own.map((limit) => ({ ...limit, bucket, group, label })),
  ];
}

/**
 * The skill's own limits hold for its credentials together, the operator's for each of them, whichever skill uses it
 * and with which others.
 */
function limitsOfCredentials(skill: Skill, url: string, limitsOfSecret: SecretLimits): CallLimit[] {
  const variables = variablesOf(skill);
  const label = `the upstream of ${skill.name}`;
  const shared = (limit: RateLimit, users: readonly string[]): CallLimit => ({
    ...limit,
    ...upstreamPlace(url, users),
    label,
  });
  const ofEach = variables.flatMap((variable) =>
    limitsOfSecret(variable, url).map((limit) => shared(limit, [variable])),
  );
  // What counts against credentials together counts against each of them as well.
  const isCounted = ({ max, window }: RateLimit): boolean =>
    ofEach.some((limit) => limit.max === max && limit.window === window);
  const ofAll = skill.constraints.globalLimits
    .filter((limit) => !isCounted(limit))
    .map((limit) => shared(limit, variables));
  return distinct([...ofAll, ...ofEach]);
}

/** Several skills may put the same limit on a secret. */
function distinct(limits: readonly CallLimit[]): CallLimit[] {
  const keyOf = ({ bucket, max, window }: CallLimit): string => JSON.stringify([bucket, max, window]);
  return [...new Map(limits.map((limit) => [keyOf(limit), limit])).values()];
}
