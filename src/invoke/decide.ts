import { type Result, success } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Callable, InvokeDependencies } from "./call.ts";
import { prepareArguments } from "./checks/arguments.ts";
import { checkCoverage } from "./checks/coverage.ts";
import { type Plan, plan } from "./plan/plan.ts";
import { callValues, type PreparedFunction, prepare } from "./prepared.ts";

/** A call that passed every check which needs no I/O. */
export interface ReadyCall<Decided extends Plan = Plan> {
  prepared: PreparedFunction;
  /** Names the skill's document. */
  digest: string;
  /** The arguments, with defaults filled in. */
  args: JsonObject;
  /** What expressions see. */
  values: ReadonlyMap<string, JsonValue>;
  plan: Decided;
}

/** Arguments, coverage, plan: all that is decided before anything is counted or sent. */
export function decide(
  { skill, digest, definition }: Callable,
  given: JsonValue,
  id: string,
  dependencies: InvokeDependencies,
): Result<ReadyCall> {
  const prepared = prepare(skill, definition);
  const args = prepareArguments(prepared, given);
  if (!args.ok) return args;
  const scope = { id, time: dependencies.now(), skill: skill.name, function: definition.name };
  const values = callValues(args.value, { call: scope, vars: dependencies.vars });
  const coverage = checkCoverage(prepared, values);
  if (!coverage.ok) return coverage;
  const planned = plan(prepared, args.value, values, dependencies.baseUrlOf);
  return planned.ok ? success({ prepared, digest, args: args.value, values, plan: planned.value }) : planned;
}
