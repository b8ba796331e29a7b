import { type Result, success } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Callable, InvokeDependencies } from "./call.ts";
import { prepareArguments } from "./checks/arguments.ts";
import { checkCoverage } from "./checks/coverage.ts";
import { type Plan, plan } from "./plan/plan.ts";
import { callValues, type PreparedFunction, prepare } from "./prepared.ts";

/** A call whose arguments are right and covered. */
export interface CheckedCall extends Pick<Callable, "digest" | "uploaded"> {
  prepared: PreparedFunction;
  /** The arguments, with defaults filled in. */
  args: JsonObject;
  /** What expressions see. */
  values: ReadonlyMap<string, JsonValue>;
}

/** A call that passed every check which needs no I/O. */
export interface ReadyCall<Decided extends Plan = Plan> extends CheckedCall {
  plan: Decided;
}

/** Arguments and coverage: all that is asked of a call before a result of it may be given, a kept one too. */
export function check(
  { skill, digest, definition, uploaded, names }: Callable,
  given: JsonValue,
  id: string,
  dependencies: InvokeDependencies,
): Result<CheckedCall> {
  const prepared = prepare(skill, definition);
  const args = prepareArguments(prepared, given, names);
  if (!args.ok) return args;
  const scope = { id, time: dependencies.now(), skill: skill.name, function: definition.name };
  const values = callValues(args.value, { call: scope, vars: dependencies.vars });
  const coverage = checkCoverage(prepared, values);
  return coverage.ok ? success({ prepared, digest, uploaded, args: args.value, values }) : coverage;
}

/** What a call does, decided to the end before anything is counted or sent. */
export function decide(checked: CheckedCall, dependencies: InvokeDependencies): Result<ReadyCall> {
  const planned = plan(checked.prepared, checked.args, checked.values, dependencies.baseUrlOf);
  return planned.ok ? success({ ...checked, plan: planned.value }) : planned;
}
