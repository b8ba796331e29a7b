import { failed, type Result, success } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { MAX_CHAIN_CALLS } from "../limits.ts";
import { admissionOf } from "./admission.ts";
import { cacheKey } from "./cache/key.ts";
import type { Call, Callable, InvokeDependencies, Made, Outcome } from "./call.ts";
import { runChain } from "./chain/chain.ts";
import { decide, type ReadyCall } from "./decide.ts";
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
  const reason = `at most ${MAX_CHAIN_CALLS} calls are made together`;
  return failed({ code: "CHAIN_REFUSED", function: name, reason });
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
  const ready = decide(callable, given, run.id, dependencies);
  if (!ready.ok) return ready;
  const make = async (): Promise<Result<Outcome>> => {
    const made = await perform(ready.value, run, dependencies);
    if (!made.ok) return made;
    const returns = dependencies.returns.check(callable.definition, made.value.data);
    return success({ ...made.value, cached: false, ageMs: 0, returns });
  };
  const key = await cacheKey(ready.value, run.tenant);
  if (key === null) return make();
  const ttlMs = callable.definition.cache?.ttlMs ?? 0;
  // Chains are not joined: two that call each other would wait for one another.
  const isShared = ready.value.plan.kind === "request";
  const hasGone = () => run.signal?.aborted === true;
  return dependencies.results.serve({ key, ttlMs, isShared, hasGone }, make);
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
