/** One step of a chain: whether it runs, for what, and with which arguments. Shared by live calls and dry runs. */
import { type Failure, failed, type Result, success } from "../../errors.ts";
import { renderTemplate } from "../../expression/index.ts";
import type { Step } from "../../ir.ts";
import { type JsonValue, jsonKind, jsonObject } from "../../json.ts";
import { MAX_CHAIN_CALLS, MAX_CHAIN_DEPTH, MAX_STEP_ELEMENTS } from "../../limits.ts";
import type { Callable } from "../call.ts";
import type { ReadyCall } from "../decide.ts";
import type { ChainPlan } from "../plan/plan.ts";
import type { Run } from "../run.ts";

/** A call that a step makes. */
export interface StepCall {
  callable: Callable;
  arguments: JsonValue;
  /** How a failure of it is named: the step, and which of its elements. */
  name: string;
}

/** What a step comes to before its calls are made. */
export interface StepPlan {
  calls: StepCall[];
  /** Whether the calls are one for each element of a list, so that the result is a list too. */
  isList: boolean;
}

/** The results of the steps so far by their ids; null for those that have none. */
export type StepResults = ReadonlyMap<string, JsonValue>;

/** The values that a chain's expressions see. */
export function stepValues({ values }: ReadyCall, results: StepResults): Map<string, JsonValue> {
  return new Map(values).set("steps", jsonObject(results));
}

/**
 * Decides on the calls of a step, all but their plans; null where its condition does not hold. Calls are taken out of
 * the run's budget.
 */
export async function planStep(
  ready: ReadyCall<ChainPlan>,
  step: Step,
  results: StepResults,
  run: Run,
): Promise<Result<StepPlan | null>> {
  const values = stepValues(ready, results);
  const elements = elementsOf(ready, step, values);
  if (!elements.ok || elements.value === null) return elements.ok ? success(null) : elements;
  const refusal = countRefusal(ready, step, elements.value.length, run);
  if (refusal !== null) return failed(inStep(refusal, step.id));
  const found = await run.find(step.call);
  if (!found.ok) return failed(inStep(found.failure, step.id));
  const loop = loopRefusal(found.value, run);
  if (loop !== null) return failed(inStep(loop, step.id));
  const isList = step.forEach !== null;
  const calls: StepCall[] = [];
  for (const [index, element] of elements.value.entries()) {
    const name = isList ? `${step.id}[${index}]` : step.id;
    const args = stepArguments(
      ready,
      step,
      isList ? new Map([...values, ["item", element], ["index", index]]) : values,
    );
    if (!args.ok) return failed(inStep(args.failure, name));
    calls.push({ callable: found.value, arguments: args.value, name });
  }
  return success({ calls, isList });
}

/** A failure with the step that it is of; that of a chain within a chain is named after both. */
export function inStep(failure: Failure, step: string): Failure {
  return { ...failure, step: failure.step === undefined ? step : `${step}.${failure.step}` };
}

/** What the step is run for: one thing of no matter what, or the elements of its list; null for nothing at all. */
function elementsOf(
  { prepared }: ReadyCall,
  { id, when, forEach }: Step,
  values: ReadonlyMap<string, JsonValue>,
): Result<JsonValue[] | null> {
  const unable = (field: string, reason: string) =>
    failed(inStep({ code: "EXPRESSION_FAILED", where: field, reason }, id));
  const condition = when === null ? null : prepared.evaluateSteps(when, values);
  if (condition?.ok === false) return unable("when", condition.reason);
  if (condition !== null && condition.value !== true) return success(null);
  if (forEach === null) return success([null]);
  const list = prepared.evaluateSteps(forEach, values);
  if (!list.ok) return unable("for_each", list.reason);
  if (!Array.isArray(list.value))
    return unable("for_each", `it gives a value of type ${jsonKind(list.value)}`);
  return success(list.value);
}

function countRefusal({ prepared }: ReadyCall, { id }: Step, count: number, run: Run): Failure | null {
  const { name } = prepared.definition;
  const refused = (reason: string): Failure => ({ code: "CHAIN_REFUSED", function: name, reason });
  if (count > MAX_STEP_ELEMENTS)
    return refused(
      `the list of ${id} has ${count} elements, and a step is run for at most ${MAX_STEP_ELEMENTS}`,
    );
  return run.budget.takeCalls(count) ? null : refused(`a chain makes at most ${MAX_CHAIN_CALLS} calls`);
}

/** Chains that call themselves are refused where skills are compiled, but a caller's own skill may make one. */
function loopRefusal({ definition }: Callable, { path }: Run): Failure | null {
  const [name = ""] = path;
  const way = [...path, definition.name].join(" → ");
  if (path.includes(definition.name))
    return { code: "CHAIN_REFUSED", function: name, reason: `it calls itself: ${way}` };
  if (definition.binding.kind !== "steps" || path.length < MAX_CHAIN_DEPTH) return null;
  return {
    code: "CHAIN_REFUSED",
    function: name,
    reason: `chains call chains more than ${MAX_CHAIN_DEPTH} deep: ${way}`,
  };
}

function stepArguments(
  { prepared, args }: ReadyCall,
  { with: template, forEach }: Step,
  values: ReadonlyMap<string, JsonValue>,
): Result<JsonValue> {
  const rendering = renderTemplate(template, {
    argument: (name) => args[name] ?? null,
    evaluate: (source) =>
      forEach === null ? prepared.evaluateSteps(source, values) : prepared.evaluateElement(source, values),
  });
  if (rendering.ok) return success(rendering.value);
  return failed({ code: "EXPRESSION_FAILED", where: rendering.source, reason: rendering.reason });
}
