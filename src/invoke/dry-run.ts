import { type Result, success } from "../errors.ts";
import type { Step } from "../ir.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Call, Callable, InvokeDependencies } from "./call.ts";
import { inStep, planStep } from "./chain/step.ts";
import { maskedCredentials } from "./credential/credentials.ts";
import { check, decide, type ReadyCall } from "./decide.ts";
import { startRun } from "./invoke.ts";
import type { ChainPlan } from "./plan/plan.ts";
import type { RequestPlan } from "./plan/request-plan.ts";
import { type Run, startShare } from "./run.ts";

/**
 * What a live call would do, with secrets shown by name only; nothing is counted or sent. Of a chain, the steps that
 * need no other's result are shown with the plans of their calls, the others with what they wait for.
 */
export function dryRun(call: Call, dependencies: InvokeDependencies): Promise<Result<JsonObject>> {
  return describe(call, call.arguments, startRun(call, startShare(dependencies.now())), dependencies);
}

async function describe(
  callable: Callable,
  given: JsonValue,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<JsonObject>> {
  const checked = check(callable, given, run.id, dependencies);
  const ready = checked.ok ? decide(checked.value, dependencies) : checked;
  if (!ready.ok) return ready;
  const { plan } = ready.value;
  switch (plan.kind) {
    case "answer":
      return success({ kind: plan.by, data: plan.value });
    case "request":
      return success(describeRequest(plan));
    case "steps":
      return describeChain({ ...ready.value, plan }, run, dependencies);
  }
}

function describeRequest({ request, authentication, repeatable, paginate }: RequestPlan): JsonObject {
  const masked = maskedCredentials(authentication);
  return {
    kind: "request",
    method: request.method,
    url: request.url,
    headers: [...request.headers, ...masked.headers].map(([name, value]) => [name, value]),
    query_added: masked.query.map(([name, value]) => [name, value]),
    body: request.body,
    timeout_ms: request.timeoutMs,
    repeatable,
    max_pages: paginate === null ? null : paginate.maxPages,
  };
}

async function describeChain(
  ready: ReadyCall<ChainPlan>,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<JsonObject>> {
  const within = { ...run, path: [...run.path, ready.prepared.definition.name] };
  const steps: JsonObject[] = [];
  for (const step of ready.plan.steps) {
    const calls = step.after.length === 0 ? await describeCalls(ready, step, within, dependencies) : null;
    if (calls?.ok === false) return calls;
    steps.push({
      id: step.id,
      function: step.call,
      waits_for: [...step.after],
      skipped: calls !== null && calls.value === null,
      calls: calls === null ? null : calls.value,
    });
  }
  return success({ kind: "steps", steps });
}

/** The plans of a step's calls; null where its condition does not hold. */
async function describeCalls(
  ready: ReadyCall<ChainPlan>,
  step: Step,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<JsonObject[] | null>> {
  const planned = await planStep(ready, step, new Map(), run);
  if (!planned.ok || planned.value === null) return planned.ok ? success(null) : planned;
  const calls: JsonObject[] = [];
  for (const { callable, arguments: given, name } of planned.value.calls) {
    const described = await describe(callable, given, run, dependencies);
    if (!described.ok) return { ok: false, failure: inStep(described.failure, name) };
    calls.push(described.value);
  }
  return success(calls);
}
