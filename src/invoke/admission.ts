import { failed, type Result, success } from "../errors.ts";
import type { RateLimit, Skill } from "../ir.ts";
import type { CallLimit, InvokeDependencies } from "./call.ts";
import type { ReadyCall } from "./decide.ts";
import type { Plan } from "./plan/plan.ts";
import type { RequestPlan } from "./plan/request-plan.ts";

/** How a call is counted. Each request to an upstream is one for it, so each is admitted by itself. */
export interface Admission {
  admit(): Promise<Result<null>>;
  /** Gives the last one back. */
  release(): void;
}

/** How a call is counted: at its function's cost, by all limits that hold for it. */
export function admissionOf(ready: ReadyCall, dependencies: InvokeDependencies): Admission {
  const { cost: declared } = ready.prepared.definition;
  // A request that carries a secret is one for the upstream, whatever the skill says that it costs.
  const cost = variablesOf(ready.plan).length === 0 ? declared : Math.max(1, declared);
  let known: CallLimit[] | undefined;
  // Only at the first admission is it certain that the request goes to a URL at all.
  const limits = () => {
    known ??= cost === 0 ? [] : limitsOf(ready, dependencies);
    return known;
  };
  return {
    admit: () => admit(limits(), cost, dependencies),
    release: () => dependencies.limiter.release(limits(), cost),
  };
}

/** The variables of all secrets that go with a call, each once, in an order that no document decides. */
function variablesOf(decided: Plan): string[] {
  if (decided.kind !== "request") return [];
  return [...new Set(decided.authentication.map(({ variable }) => variable))].sort();
}

/** The limits on a call: those of its credentials at its upstream, and the function's own. */
function limitsOf(ready: ReadyCall, dependencies: InvokeDependencies): CallLimit[] {
  const { prepared, plan: decided } = ready;
  const { skill, definition } = prepared;
  const { functionLimits } = skill.constraints;
  const own = functionLimits.find((entry) => entry.function === definition.name)?.limits ?? [];
  const ofFunction = own.map((limit) => ({
    ...limit,
    bucket: `function:${skill.name}/${definition.name}`,
    label: `the function ${definition.name}`,
  }));
  if (decided.kind !== "request") return ofFunction;
  return [...limitsOfCredentials(skill, decided, dependencies), ...ofFunction];
}

/**
 * The skill's own limits hold for its credentials together, the operator's for each of them, whichever skill uses it
 * and with which others.
 */
function limitsOfCredentials(
  { name, constraints }: Skill,
  decided: RequestPlan,
  { limitsOfSecret }: InvokeDependencies,
): CallLimit[] {
  const { url } = decided.request;
  const { host } = new URL(url);
  const variables = variablesOf(decided);
  const shared = (limit: RateLimit, users: readonly string[]): CallLimit => ({
    ...limit,
    bucket: `upstream:${host}:${users.length === 0 ? "none" : users.join("+")}`,
    label: `the upstream of ${name}`,
  });
  const ofEach = variables.flatMap((variable) =>
    limitsOfSecret(variable, url).map((limit) => shared(limit, [variable])),
  );
  // What counts against credentials together counts against each of them as well.
  const isCounted = ({ max, window }: RateLimit): boolean =>
    ofEach.some((limit) => limit.max === max && limit.window === window);
  const ofAll = constraints.globalLimits
    .filter((limit) => !isCounted(limit))
    .map((limit) => shared(limit, variables));
  return distinct([...ofAll, ...ofEach]);
}

/** Several skills may put the same limit on a secret. */
function distinct(limits: readonly CallLimit[]): CallLimit[] {
  const keyOf = ({ bucket, max, window }: CallLimit): string => JSON.stringify([bucket, max, window]);
  return [...new Map(limits.map((limit) => [keyOf(limit), limit])).values()];
}

async function admit(
  limits: readonly CallLimit[],
  cost: number,
  { limiter }: InvokeDependencies,
): Promise<Result<null>> {
  if (limits.length === 0) return success(null);
  const decision = await limiter.admit(limits, cost);
  if (decision.admitted) return success(null);
  const { refusedBy, retryAfterMs } = decision;
  const { label, max, window } = refusedBy;
  return window === "day"
    ? failed({ code: "DAILY_QUOTA_EXCEEDED", bucket: label, max, retryAfterMs })
    : failed({ code: "RATE_LIMIT_EXCEEDED", bucket: label, max, window, retryAfterMs });
}
