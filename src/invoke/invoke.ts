import { failed, type Result, success } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { MAX_CHAIN_CALLS } from "../limits.ts";
import { admissionOf } from "./admission.ts";
import { cacheKey } from "./cache/key.ts";
import type { Call, Callable, InvokeDependencies, Made, Outcome } from "./call.ts";
import { runChain } from "./chain/chain.ts";
import { type CheckedCall, check, decide, type ReadyCall } from "./decide.ts";
import type { AnswerPlan, ChainPlan } from "./plan/plan.ts";
import type { RequestPlan } from "./plan/request-plan.ts";
import { type Run, type Share, startShare } from "./run.ts";
import { Exchange } from "./upstream/exchange.ts";
import { gatherPages } from "./upstream/pages/gather.ts";

/** Runs a call to its end: checks, plan, limits, credential, requests with retries, result. */
export async function invoke(call: Call, dependencies: InvokeDependencies): Promise<Result<Outcome>> {
  const run = startRun(call, startShare(dependencies.now()));
  return callFunction(call, call.arguments, run, dependencies);
}

/** The same for one of several calls that are made together: they share their time and what they may lead to. */
export async function invokeTogether(
  call: Call,
  share: Share,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  return callFunction(call, call.arguments, startRun(call, share), dependencies);
}

/** Counts one of the calls that are made together; fails where they are more than may be made. */
export function admitTogether(name: string, { budget }: Share): Result<null> {
  if (budget.takeCalls(1)) return success(null);
  return failed({ code: "TOO_MANY_CALLS", function: name, max: MAX_CHAIN_CALLS });
}

/** What a call starts with. */
export function startRun({ id, tenant, find, signal }: Call, share: Share): Run {
  return { ...share, id, tenant, find, signal, path: [] };
}

/** One call of one function, of a caller's or of a chain's. */
async function callFunction(
  callable: Callable,
  given: JsonValue,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Outcome>> {
  const { definition, skill } = callable;
  const checked = check(callable, given, run.id, dependencies);
  if (!checked.ok) return checked;
  const make = (within: Run) => makeOutcome(checked.value, within, dependencies);
  const key = await cacheKey(checked.value, run, dependencies);
  if (definition.cache === null || key === null) return make(run);
  // Chains are not joined: two that call each other would wait for one another.
  const isShared = definition.binding.kind === "request";
  const called = { skill: skill.name, function: definition.name };
  return dependencies.results.serve({ ...called, key, rule: definition.cache, run, isShared }, make);
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
  return success({ ...made.value, json: null, cached: false, stale: false, ageMs: 0, returns });
}

function perform(ready: ReadyCall, run: Run, dependencies: InvokeDependencies): Promise<Result<Made>> {
  const { plan } = ready;
  switch (plan.kind) {
    case "answer":
      return answer({ ...ready, plan }, dependencies);
    case "request":
      return run.budget.requestSlots.run(() => request({ ...ready, plan }, run, dependencies));
    case "steps":
      return chain({ ...ready, plan }, run, dependencies);
  }
}

const NOTHING_SENT = { attempts: 0, pages: null, steps: null };

async function answer(ready: ReadyCall<AnswerPlan>, dependencies: InvokeDependencies): Promise<Result<Made>> {
  const admission = await admissionOf(ready, dependencies).admit();
  return admission.ok ? success({ ...NOTHING_SENT, data: ready.plan.value }) : admission;
}

async function request(
  ready: ReadyCall<RequestPlan>,
  run: Run,
  dependencies: InvokeDependencies,
): Promise<Result<Made>> {
  const { prepared, values, plan } = ready;
  const exchange = new Exchange(ready, run, dependencies);
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
  return success({ data, attempts: exchange.attempts, pages: report, steps: null });
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
  const admission = await admissionOf(ready, dependencies).admit();
  if (!admission.ok) return admission;
  return runChain(ready, run, (callable, given, within) =>
    callFunction(callable, given, within, dependencies),
  );
}
