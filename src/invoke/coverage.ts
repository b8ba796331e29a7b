import { failed, type Result, success } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { PreparedFunction } from "./prepared.ts";

/**
 * Refuses a call for data that does not exist, by the skill's exclusions, before anything is sent or counted.
 */
export function checkCoverage(
  prepared: PreparedFunction,
  values: ReadonlyMap<string, JsonValue>,
): Result<null> {
  for (const { when, message } of prepared.skill.constraints.coverage.exclusions) {
    if (when === null) continue;
    const verdict = prepared.evaluate(when, values);
    if (!verdict.ok) return failed({ code: "EXPRESSION_FAILED", where: when, reason: verdict.reason });
    if (verdict.value === true)
      return failed({ code: "NOT_COVERED", function: prepared.definition.name, message });
  }
  return success(null);
}
