import { failed, type Result, success } from "../errors.ts";
import type { CallLimit, InvokeDependencies } from "./call.ts";
import type { ReadyCall } from "./decide.ts";
import type { Plan } from "./plan/plan.ts";

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
  const cost = secretOf(ready.plan) === null ? declared : Math.max(1, declared);
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

function secretOf(decided: Plan): string | null {
  if (decided.kind !== "request" || decided.authentication.method === "none") return null;
  return decided.authentication.variable;
}

/**
 * The limits on a call: those of the credential at its upstream (the operator's too, whichever skill uses it), and
 * the function's own.
 */
function limitsOf({ prepared, plan: decided }: ReadyCall, dependencies: InvokeDependencies): CallLimit[] {
  const { skill, definition } = prepared;
  const { globalLimits, functionLimits } = skill.constraints;
  const own = functionLimits.find((entry) => entry.function === definition.name)?.limits ?? [];
  const name = `${skill.name}/${definition.name}`;
  const ofFunction = own.map((limit) => ({
    ...limit,
    bucket: `function:${name}`,
    label: `the function ${definition.name}`,
  }));
  if (decided.kind !== "request") return ofFunction;
  const { url } = decided.request;
  const variable = secretOf(decided);
  const bucket = `upstream:${new URL(url).host}:${variable ?? "none"}`;
  const label = `the upstream of ${skill.name}`;
  const ofCredential = variable === null ? [] : dependencies.limitsOfSecret(variable, url);
  const shared = new Map(
    [...globalLimits, ...ofCredential].map((limit) => [`${limit.max} ${limit.window}`, limit]),
  );
  return [...[...shared.values()].map((limit) => ({ ...limit, bucket, label })), ...ofFunction];
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
