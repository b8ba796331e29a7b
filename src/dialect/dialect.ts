/**
 * One provider's format for tools: what it is to the rest of the program, and how a format's data becomes
 * one.
 */
import type { EncodedTool, FunctionDefinition } from "../ir.ts";
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { DialectName } from "../vocabulary.ts";
import { problemsOf } from "./check.ts";
import { type Encoding, encode, encodedTool, encodeStrict } from "./encode.ts";
import type { ProviderFormat } from "./format.ts";
import type { LoweredSchema } from "./lowering/lower.ts";
import { pathAsGiven } from "./lowering/restore.ts";
import { safeName } from "./names.ts";
import { type EncodedTools, encodeRequest, type ToolOptions } from "./request.ts";

/** A provider's format for tools. Everything here is a pure function. */
export interface Dialect {
  readonly name: DialectName;
  /**
   * One function as this provider's tool: JSON text, and what got lost. The same function gives the same
   * bytes.
   */
  encodeTool(definition: FunctionDefinition): EncodedTool;
  /** All tools of one request, since what a provider allows of strict tools it allows them together. */
  encodeTools(definitions: readonly FunctionDefinition[], options: ToolOptions): EncodedTools;
  /** The JSON text of the provider's `tools` parameter, from the JSON texts of tools. */
  wrapTools(tools: readonly string[]): string;
  /** The name under which the provider knows a function. */
  toolName(functionName: string): string;
  /** The function, out of `known` ones, that the provider calls `toolName`; null where none is. */
  functionName(toolName: string, known: ReadonlySet<string>): string | null;
  /**
   * Arguments as the function declares them, from arguments as the provider's tool declares them, strict or not: a
   * call does not say which it was.
   */
  restoreArguments(definition: FunctionDefinition, given: JsonObject): JsonObject;
  /** What the provider calls members of the arguments, by their own names, where those are others. */
  memberNames(definition: FunctionDefinition): ReadonlyMap<string, string>;
  /**
   * Where something stands in the arguments as they were given, from where it stands in the restored ones; both are
   * JSON Pointers.
   */
  pathAsGiven(definition: FunctionDefinition, given: JsonObject, path: string): string;
  /** What this provider would refuse in a tool's JSON text, one sentence each. */
  problemsOf(tool: string): string[];
}

/** Makes a dialect of a provider's data. */
export function defineDialect(format: ProviderFormat): Dialect {
  const form = typeof format.strict === "string" ? null : format.strict;
  const toolName = (name: string): string => safeName(name, format.toolNames);
  // A call needs the way back that encoding found; both come from one lowering, kept as long as the function
  // is.
  const plain = remembered((definition) => encode(definition, format));
  const strict = remembered((definition): Encoding | readonly string[] =>
    form === null ? [] : encodeStrict(definition, format, form),
  );
  // The way back from the strict form is the one from the plain form, and drops what stands for absence.
  const wayBack = (definition: FunctionDefinition): LoweredSchema => {
    const strictly = strict(definition);
    return ("content" in strictly ? strictly : plain(definition)).lowered;
  };
  return {
    name: format.name,
    toolName,
    wrapTools: format.wrap,
    encodeTool: (definition) => encodedTool(plain(definition), format),
    encodeTools: (definitions, options) => encodeRequest(definitions, options, format, { plain, strict }),
    functionName: (name, known) => {
      if (known.has(name) && toolName(name) === name) return name;
      for (const candidate of known) if (toolName(candidate) === name) return candidate;
      return null;
    },
    restoreArguments: (definition, given) => {
      const restored = wayBack(definition).restore?.(given, 0) ?? given;
      return isJsonObject(restored) ? restored : given;
    },
    memberNames: (definition) => wayBack(definition).aliases,
    pathAsGiven: (definition, given, path) => pathAsGiven(path, given, wayBack(definition).aliases),
    problemsOf: (tool) => {
      const parsed: JsonValue = JSON.parse(tool);
      const isStrict = form !== null && atPointer(parsed, form.claimAt) === true;
      return problemsOf(parsed, isStrict ? form.rules : format.rules);
    },
  };
}

function remembered<Result extends object>(
  make: (definition: FunctionDefinition) => Result,
): (definition: FunctionDefinition) => Result {
  const made = new WeakMap<FunctionDefinition, Result>();
  return (definition) => {
    const known = made.get(definition);
    if (known !== undefined) return known;
    const result = make(definition);
    made.set(definition, result);
    return result;
  };
}
