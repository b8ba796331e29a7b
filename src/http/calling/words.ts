/** Failures in the words of a provider's tools, which are all that a model knows. */
import type { FoundFunction } from "../../catalog/index.ts";
import type { Failure } from "../../errors.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import type { DialectName } from "../../vocabulary.ts";
import type { Gateway } from "../gateway.ts";

/** Where the name of a function is not known: the names of the tools that there are. */
export function namesInWords(format: DialectName | null, failure: Failure, gateway: Gateway): Failure {
  if (format === null || failure.code !== "UNKNOWN_FUNCTION") return failure;
  return { ...failure, known: failure.known.map((name) => gateway.toolName(format, name)) };
}

/** Where arguments do not fit: the name of the tool, and the paths in the arguments as they were given. */
export function argumentsInWords(
  format: DialectName | null,
  failure: Failure,
  { definition }: FoundFunction,
  given: JsonValue,
  gateway: Gateway,
): Failure {
  // What a step of a chain was given, no model wrote.
  const isGiven = failure.code === "INVALID_ARGUMENTS" && failure.step === undefined;
  if (!isGiven || format === null || !isJsonObject(given)) return failure;
  return {
    ...failure,
    function: gateway.toolName(format, failure.function),
    faults: failure.faults.map((fault) => ({
      ...fault,
      path: gateway.pathAsGiven(format, definition, given, fault.path),
    })),
  };
}
