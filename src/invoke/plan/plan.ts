import { failed, type Result, success } from "../../errors.ts";
import type { Step } from "../../ir.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { PreparedFunction } from "../prepared.ts";
import type { BaseUrlLookup } from "./base-url.ts";
import { renderPrompt } from "./prompt.ts";
import { planRequest, type RequestPlan } from "./request-plan.ts";

/** A call decided to the end before any I/O. */
export type Plan = AnswerPlan | RequestPlan | ChainPlan;

/** A call that is answered here. */
export interface AnswerPlan {
  kind: "answer";
  by: "compute" | "prompt";
  value: JsonValue;
}

/** A call that is a chain of other calls, whose arguments are decided step by step. */
export interface ChainPlan {
  kind: "steps";
  steps: readonly Step[];
  /** What the chain comes to; null for the results of all steps by their ids. */
  result: string | null;
}

/**
 * Decides what a call does. Pure: the same arguments give the same plan, which a dry run shows and a live
 * call sends.
 * @param values what expressions see (see `callValues`)
 */
export function plan(
  prepared: PreparedFunction,
  args: JsonObject,
  values: ReadonlyMap<string, JsonValue>,
  baseUrlOf: BaseUrlLookup,
): Result<Plan> {
  const { binding, name } = prepared.definition;
  switch (binding.kind) {
    case "declaration":
      return failed({ code: "UNKNOWN_FUNCTION", function: name, known: [] });
    case "compute": {
      const result = prepared.evaluate(binding.expression, values);
      if (result.ok) return success({ kind: "answer", by: "compute", value: result.value });
      return failed({ code: "EXPRESSION_FAILED", where: name, reason: result.reason });
    }
    case "prompt": {
      const prompt = renderPrompt(binding.parts, args);
      if (prompt.ok) return success({ kind: "answer", by: "prompt", value: prompt.text });
      return failed({ code: "EXPRESSION_FAILED", where: name, reason: prompt.reason });
    }
    case "request":
      return planRequest(prepared, binding, args, values, baseUrlOf);
    case "steps":
      return success({ kind: "steps", steps: binding.steps, result: binding.result });
  }
}
