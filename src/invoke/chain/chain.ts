import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { Step } from "../../ir.ts";
import { type JsonValue, jsonObject } from "../../json.ts";
import type { Callable, Made, Outcome, StepReport } from "../call.ts";
import type { ReadyCall } from "../decide.ts";
import type { ChainPlan } from "../plan/plan.ts";
import { pagesTogether } from "../result/pages-report.ts";
import type { Run } from "../run.ts";
import { inStep, planStep, type StepCall, type StepPlan, stepValues } from "./step.ts";

/** Calls a function exactly as a caller would: with all checks, limits and secrets of its own. */
export type CallFunction = (callable: Callable, given: JsonValue, run: Run) => Promise<Result<Outcome>>;

/**
 * Runs a chain: each step as soon as those that it waits for are done, and steps that do not wait for each other side
 * by side. The first failure ends the chain, and what is under way then is called off.
 */
export async function runChain(
  ready: ReadyCall<ChainPlan>,
  run: Run,
  callFunction: CallFunction,
): Promise<Result<Made>> {
  const controller = new AbortController();
  const callOff = () => controller.abort();
  if (run.signal?.aborted === true) callOff();
  run.signal?.addEventListener("abort", callOff, { once: true });
  const path = [...run.path, ready.prepared.definition.name];
  const chain = new Chain(ready, { ...run, path, signal: controller.signal }, callFunction, callOff);
  try {
    return await chain.outcome();
  } finally {
    run.signal?.removeEventListener("abort", callOff);
  }
}

function faultsIn(returns: Outcome["returns"]): number {
  return returns === null ? 0 : returns.faults.length + returns.unlisted;
}

/** What goes with several results goes with what is made of them: it is no newer than the oldest, and no more complete. */
function together(
  parts: readonly Pick<Made, "attempts" | "pages" | "stale" | "ageMs">[],
): Pick<Made, "attempts" | "pages" | "stale" | "ageMs"> {
  return {
    attempts: parts.reduce((total, { attempts }) => total + attempts, 0),
    pages: pagesTogether(parts.map(({ pages }) => pages)),
    stale: parts.some(({ stale }) => stale),
    ageMs: parts.reduce((oldest, { ageMs }) => Math.max(oldest, ageMs), 0),
  };
}

class Chain {
  readonly #ready: ReadyCall<ChainPlan>;
  readonly #run: Run;
  readonly #callFunction: CallFunction;
  readonly #callOff: () => void;
  readonly #results: Map<string, JsonValue>;
  readonly #reports = new Map<string, StepReport>();
  #failure: Failure | null = null;

  constructor(ready: ReadyCall<ChainPlan>, run: Run, callFunction: CallFunction, callOff: () => void) {
    this.#ready = ready;
    this.#run = run;
    this.#callFunction = callFunction;
    this.#callOff = callOff;
    this.#results = new Map(ready.plan.steps.map(({ id }) => [id, null]));
  }

  async outcome(): Promise<Result<Made>> {
    const { steps } = this.#ready.plan;
    const running = new Map<string, Promise<void>>();
    for (const step of steps) {
      const before = step.after.map((id) => running.get(id));
      running.set(step.id, this.#runAfter(before, step));
    }
    await Promise.all(running.values());
    if (this.#failure !== null) return failed(this.#failure);
    const data = this.#data();
    if (!data.ok) return data;
    const reports = steps.flatMap(({ id }) => this.#reports.get(id) ?? []);
    return success({ data: data.value, ...together(reports), steps: reports });
  }

  #data(): Result<JsonValue> {
    const { prepared, plan } = this.#ready;
    if (plan.result === null) return success(jsonObject(this.#results));
    const result = prepared.evaluateSteps(plan.result, stepValues(this.#ready, this.#results));
    if (result.ok) return success(result.value);
    return failed({ code: "EXPRESSION_FAILED", where: prepared.definition.name, reason: result.reason });
  }

  async #runAfter(before: readonly (Promise<void> | undefined)[], step: Step): Promise<void> {
    await Promise.all(before);
    if (this.#failure !== null) return;
    const planned = await planStep(this.#ready, step, this.#results, this.#run);
    if (!planned.ok) this.#end(planned.failure);
    else await this.#perform(step, planned.value);
  }

  async #perform(step: Step, planned: StepPlan | null): Promise<void> {
    const outcomes = await Promise.all((planned?.calls ?? []).map((call) => this.#call(call)));
    const done = outcomes.filter((outcome) => outcome !== null);
    if (planned !== null && done.length === outcomes.length) {
      const data = done.map((outcome) => outcome.data);
      this.#results.set(step.id, planned.isList ? data : (data[0] ?? null));
    }
    this.#reports.set(step.id, {
      id: step.id,
      function: step.call,
      calls: done.length,
      skipped: planned === null,
      ...together(done),
      returnsFaults: done.reduce((total, { returns }) => total + faultsIn(returns), 0),
    });
  }

  /** What a call of a step came to; null where it failed, which has then ended the chain. */
  async #call({ callable, arguments: given, name }: StepCall): Promise<Outcome | null> {
    const outcome = await this.#callFunction(callable, given, this.#run);
    if (outcome.ok) return outcome.value;
    this.#end(inStep(outcome.failure, name));
    return null;
  }

  /** The first failure is the chain's; those that follow are mostly of calls that it called off. */
  #end(failure: Failure): void {
    this.#failure ??= failure;
    this.#callOff();
  }
}
