import { failed, type Result, success } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { fillDefaults, quoteValue } from "../schema/index.ts";
import { coerceArguments } from "./coerce.ts";
import type { PreparedFunction } from "./prepared.ts";

/**
 * Undoes what models habitually get wrong, fills in defaults and checks the arguments against the function's whole
 * schema; every fault is listed.
 */
export function prepareArguments(prepared: PreparedFunction, given: JsonValue): Result<JsonObject> {
  const { definition, validator } = prepared;
  if (!isJsonObject(given)) {
    const fault = { path: "", rule: "type", expected: "an object of arguments", got: quoteValue(given) };
    return failed({ code: "INVALID_ARGUMENTS", function: definition.name, faults: [fault] });
  }
  const args = fillDefaults(definition.parameters, coerceArguments(definition.parameters, given));
  const faults = validator.validate(args);
  return faults.length === 0
    ? success(args)
    : failed({ code: "INVALID_ARGUMENTS", function: definition.name, faults });
}
