import { failed, type Result, success } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { MAX_CHAIN_CALLS } from "../limits.ts";
import { cacheKey } from "./cache/key.ts";
import type { Call, Callable, InvokeDependencies, Made, Outcome } from "./call.ts";
import { runChain } from "./chain/chain.ts";
import { type CheckedCall, check, decide, type ReadyCall } from "./decide.ts";
import { admissionOf, callerAdmission } from "./limits/admission.ts";
import { CallerBudget } from "./limits/caller-budget.ts";
import type { AnswerPlan, ChainPlan } from "./plan/plan.ts";
import type { RequestPlan } from "./plan/request-plan.ts";
import { Patience, type Run, type Share, startShare } from "./run.ts";
import { Exchange } from "./upstream/exchange.ts";
import { gatherPages } from "./upstream/pages/gather.ts";

/** Runs a call to its end: checks, plan, limits, credential, requests with retries, result. */
export async function invoke(call: Call, dependencies: InvokeDependencies): Promise<Result<Outcome>> {
  return invokeTogether(call, startShare(dependencies.now()), dependencies);
}

/** The same for one of several calls that are made together: they share their time and what they may lead to. */
export async function invokeTogether(
  call: Call,
  share: Share,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const run = startRun(call, share);
  return callFunction(call, call.arguments, run, dependencies);
}

/** Counts one of the calls that are made together; fails where they are more than may be made. */
export function admitTogether(name: string, { budget }: Share): Result<null> {
  if (budget.takeCalls(1)) return success(null);
  return failed({ code: "TOO_MANY_CALLS", function: name, max: MAX_CHAIN_CALLS });
}

/** What a call starts with. */
export function startRun(call: Call, share: Share): Run {
  const { id, tenant, view, find, budget, limits, signal } = call;
  const caller = new CallerBudget(budget);
  return {
    ...share,
    id,
    tenant,
    view,
    find,
    caller,
    limits,
    patience: new Patience(),
    traffic: { sent: 0 },
    signal,
    path: [],
  };
}

/** One call of one function, of a caller's or of a chain's. */
async function callFunction(
  callable: Callable,
  given: JsonValue,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const checked = check(callable, given, run.id, dependencies);
  if (!checked.ok) return checked;
  const key = await cacheKey(checked.value, run, dependencies);
  return key === null
    ? makeOutcome(checked.value, run, dependencies)
    : serve(key, checked.value, run, dependencies);
}

/** Gives a result that is kept, or one that is made for somebody else at this moment, or makes it. */
async function serve(
  key: string,
  checked: CheckedCall,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const { skill, definition } = checked.prepared;
  const make = (within: Run) => makeOutcome(checked, within, dependencies);
  if (definition.cache === null) return make(run);
  // Apart from the other limits: whoever waits for the same result must not be refused for another caller's sake.
  const admission = callerAdmission(checked, run, dependencies);
  const admitted = await admission.admit();
  if (!admitted.ok) return admitted;
  const sentBefore = run.traffic.sent;
  // Chains are not joined: two that call each other would wait for one another.
  const isShared = definition.binding.kind === "request";
  const called = { skill: skill.name, function: definition.name };
  const result = await dependencies.results.serve(
    { ...called, key, rule: definition.cache, run, isShared },
    make,
  );
  // A failure that was kept is an answer like a result that was: it costs the same.
  const isMade = !result.ok && result.failure.ageMs === undefined;
  if (isMade && run.traffic.sent === sentBefore) admission.release();
  return result;
}

async function makeOutcome(
  checked: CheckedCall,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const ready = decide(checked, dependencies);
  const made = ready.ok ? await perform(ready.value, run, dependencies) : ready;
  if (!made.ok) return made;
  const { data } = made.value;
  const returns = dependencies.returns.check(checked.prepared.definition, data);
  return success({ ...made.value, json: null, cached: false, returns });
}

function perform(ready: ReadyCall, run: Run, dependencies: InvokeDependencies): Promise<Result<Made>> {
  const { plan } = ready;
  switch (plan.kind) {
    case "answer":
      return answer({ ...ready, plan }, run, dependencies);
    case "request":
      return run.budget.requestSlots.run(() => request({ ...ready, plan }, run, dependencies));
    case "steps":
      return chain({ ...ready, plan }, run, dependencies);
  }
}

const JUST_MADE = { stale: false, ageMs: 0, steps: null };

async function answer(
  ready: ReadyCall<AnswerPlan>,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Made>> {
  const admission = await admissionOf(ready, run, dependencies).admit();
  return admission.ok
    ? success({ ...JUST_MADE, data: ready.plan.value, attempts: 0, pages: null })
    : admission;
}

async function request(
  ready: ReadyCall<RequestPlan>,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Made>> {
  const { prepared, values, plan } = ready;
  const { uploaded } = ready;
  const secrets = uploaded === null ? success(dependencies.secrets) : await uploaded.secrets();
  if (!secrets.ok) return secrets;
  const exchange = new Exchange(ready, run, { ...dependencies, secrets: secrets.value });
  const got =
    plan.paginate === null
      ? await wholeReply(exchange, plan)
      : await gatherPages(plan.paginate, plan.request, {
          prepared,
          values,
          answer: (page) => exchange.answer(page),
          isOver: () => dependencies.now() >= run.deadline,
        });
  if (!got.ok) return got;
  const { data, report } = got.value;
  return success({ ...JUST_MADE, data, attempts: exchange.attempts, pages: report });
}

async function wholeReply(
  exchange: Exchange,
  plan: RequestPlan,
): Promise<Result<{ data: JsonValue; report: null }>> {
  const got = await exchange.answer(plan.request);
  return got.ok ? success({ data: got.value.data, report: null }) : got;
}

async function chain(
  ready: ReadyCall<ChainPlan>,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Made>> {
  const admission = admissionOf(ready, run, dependencies);
  const admitted = await admission.admit();
  if (!admitted.ok) return admitted;
  const sentBefore = run.traffic.sent;
  const made = await runChain(ready, run, (callable, given, within) =>
    callOfStep(callable, given, within, dependencies),
  );
  if (!made.ok && run.traffic.sent === sentBefore) admission.release();
  return made;
}

/**
 * A chain's call counts as a caller's own does: at its own cost, and not at all where nothing is sent for it, whatever
 * is sent for the calls beside it.
 */
async function callOfStep(
  callable: Callable,
  given: JsonValue,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const traffic = { sent: 0 };
  const within = { ...run, caller: run.caller.forAnotherCall(), traffic };
  const outcome = await callFunction(callable, given, within, dependencies);
  run.traffic.sent += traffic.sent;
  return outcome;
}
