import { type ArgumentFault, failed, type Result, success } from "../../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { MAX_LISTED_FAULTS, MAX_QUOTED_CHARACTERS } from "../../limits.ts";
import { fillDefaults, quoteValue } from "../../schema/index.ts";
import { shorten } from "../../shorten.ts";
import type { PreparedFunction } from "../prepared.ts";
import { coerceArguments } from "./coerce.ts";

/**
 * Undoes what models habitually get wrong, fills in defaults and checks the arguments against the function's
 * whole schema. The first `MAX_LISTED_FAULTS` faults are listed, and of the others how many there are.
 * @param names what the caller calls members that it knows by another name, as faults are to say it, but for their paths
 */
export function prepareArguments(
  prepared: PreparedFunction,
  given: JsonValue,
  names: ReadonlyMap<string, string> = new Map(),
): Result<JsonObject> {
  const { definition, validator } = prepared;
  if (!isJsonObject(given)) {
    const fault = { path: "", rule: "type", expected: "an object of arguments", got: quoteValue(given) };
    return refused(definition.name, [fault]);
  }
  const args = fillDefaults(definition.parameters, coerceArguments(definition.parameters, given));
  const faults = validator.validateNamed(args, names);
  return faults.length === 0 ? success(args) : refused(definition.name, faults);
}

function refused(name: string, faults: readonly ArgumentFault[]): Result<never> {
  // A path is made of the caller's own names, each of which may be as long as the whole body.
  const listed = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map((fault) => ({ ...fault, path: shorten(fault.path, MAX_QUOTED_CHARACTERS) }));
  const unlisted = faults.length - listed.length;
  return failed({ code: "INVALID_ARGUMENTS", function: name, faults: listed, unlisted });
}
