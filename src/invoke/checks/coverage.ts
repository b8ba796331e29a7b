import { failed, type Result, success } from "../../errors.ts";
import { argumentsUsed } from "../../expression/index.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import type { PreparedFunction } from "../prepared.ts";

/**
 * Refuses a call for data that does not exist, by the skill's exclusions, before anything is sent or counted.
 * An exclusion may name a parameter that was not given, or that only another function of the skill has; it is null
 * then, by its name and as a member of `args`, and an exclusion that cannot be computed so is not about this call.
 */
export function checkCoverage(
  prepared: PreparedFunction,
  values: ReadonlyMap<string, JsonValue>,
): Result<null> {
  const { exclusions } = prepared.skill.constraints.coverage;
  const foreign = exclusions.some(({ when }) => when?.includes("args") === true)
    ? prepared.foreignParameters
    : NO_PARAMETERS;
  const ruleValues = withForeign(foreign, values);
  for (const { when, message } of exclusions) {
    if (when === null) continue;
    const verdict = prepared.evaluateRule(when, ruleValues);
    if (!verdict.ok && !namesAbsent(when, values))
      return failed({ code: "EXPRESSION_FAILED", where: when, reason: verdict.reason });
    if (verdict.ok && verdict.value === true)
      return failed({ code: "NOT_COVERED", function: prepared.definition.name, message });
  }
  return success(null);
}

const NO_PARAMETERS: ReadonlySet<string> = new Set();

function withForeign(
  foreign: ReadonlySet<string>,
  values: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> {
  const args = values.get("args");
  if (foreign.size === 0 || !isJsonObject(args)) return values;
  const nulls = [...foreign].map((name): [string, JsonValue] => [name, null]);
  // What was given stands: a function may take members that it does not declare.
  return new Map(values).set("args", jsonObject([...nulls, ...Object.entries(args)]));
}

/** Whether a rule names a parameter that this call does not have. */
function namesAbsent(source: string, values: ReadonlyMap<string, JsonValue>): boolean {
  const args = values.get("args");
  const given = isJsonObject(args) ? args : jsonObject();
  return [...argumentsUsed(source).names].some((name) => (given[name] ?? null) === null);
}
