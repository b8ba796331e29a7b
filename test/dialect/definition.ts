import type { FunctionDefinition } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";

/** A function with the given parameters; everything else is as plain as can be. */
export function functionWith(
  parameters: JsonObject,
  more: Partial<FunctionDefinition> = {},
): FunctionDefinition {
  return {
    name: "look_up",
    title: null,
    description: "Looks something up.",
    category: null,
    parameters,
    returns: null,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    permission: null,
    cost: 1,
    timeoutMs: null,
    deprecated: false,
    examples: [],
    binding: { kind: "declaration" },
    ...more,
  };
}

/** A function whose one parameter, `value`, has the given schema. */
export function functionOf(schema: JsonObject, definitions: JsonObject = {}): FunctionDefinition {
  return functionWith({ type: "object", properties: { value: schema }, ...definitions });
}
