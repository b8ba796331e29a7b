/** What the calls of a function count against. */
import type { FunctionDefinition, RateLimit, Skill } from "../../ir.ts";
import type { CallLimit, CallSecrets } from "../call.ts";

/** Where calls are counted: the bucket, and the group of buckets that it belongs to. */
export type Place = Pick<CallLimit, "bucket" | "group">;

/** Whose calls are counted. */
export interface Counted {
  skill: Skill;
  /** The tenant that uploaded the skill; null for a bundled one. */
  tenant: string | null;
  secrets: Pick<CallSecrets, "holderOf" | "limitsOfSecret">;
}

/** The variables of all secrets that go with a skill's requests, each once, in an order that no document decides. */
export function variablesOf({ constraints: { authentication } }: Skill): string[] {
  return [...new Set(authentication.map(({ variable }) => variable))].sort();
}

/**
 * The bucket of all requests to a host with the secrets of these variables together, whoever makes them; where one of
 * the secrets is a tenant's own, or there is none and the skill is a tenant's, of that tenant alone. What a request with
 * one secret counts against besides it is of the same group, so that one place decides about the request.
 */
export function upstreamPlace(
  url: string,
  variables: readonly string[],
  { tenant, secrets }: Counted,
): Place {
  const host = URL.parse(url)?.host ?? "";
  if (variables.length === 0) return placeNamed(heldBy(tenant, `upstream:${host}:none`));
  const holders = variables.map((variable) => secrets.holderOf(variable));
  const holder = holders.find((one) => one !== null) ?? null;
  return placeNamed(heldBy(holder, `upstream:${host}:${variables.join("+")}`));
}

function placeNamed(bucket: string): Place {
  return { bucket, group: bucket };
}

/** A bucket that is a tenant's alone, so that nobody's calls count against another's; null for one that all share. */
function heldBy(tenant: string | null, bucket: string): string {
  return tenant === null ? bucket : `${bucket}:${tenant}`;
}

/**
 * The limits on calls of a function: those of its skill's credentials at its upstream, and the function's own. What a
 * tenant uploaded is counted apart from what others have of the same name.
 * @param url where its requests go; null for a function that sends none
 */
export function limitsOf(counted: Counted, definition: FunctionDefinition, url: string | null): CallLimit[] {
  const { skill, tenant } = counted;
  const { functionLimits } = skill.constraints;
  const own = functionLimits.find((entry) => entry.function === definition.name)?.limits ?? [];
  const bucket = heldBy(tenant, `function:${skill.name}/${definition.name}`);
  const label = `the function ${definition.name}`;
  if (url === null) return own.map((limit) => ({ ...limit, bucket, group: bucket, label }));
  const { group } = upstreamPlace(url, variablesOf(skill), counted);
  return [...limitsOfCredentials(counted, url), ...own.map((limit) => ({ ...limit, bucket, group, label }))];
}

/**
 * The skill's own limits hold for its credentials together, the operator's for each of them, whichever skill uses it
 * and with which others.
 */
function limitsOfCredentials(counted: Counted, url: string): CallLimit[] {
  const { skill, secrets } = counted;
  const variables = variablesOf(skill);
  const label = `the upstream of ${skill.name}`;
  const shared = (limit: RateLimit, users: readonly string[]): CallLimit => ({
    ...limit,
    ...upstreamPlace(url, users, counted),
    label,
  });
  const ofEach = variables.flatMap((variable) =>
    secrets.limitsOfSecret(variable, url).map((limit) => shared(limit, [variable])),
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
