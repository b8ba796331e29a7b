import { isJsonObject, type JsonObject } from "../json.ts";
import { type CelType, optionalType, typeOfSchema } from "./types.ts";

/** What an expression may name, and of which type each thing is. */
export type Scope = ReadonlyMap<string, CelType>;

/**
 * In scope of every expression: `args` (all arguments), `call` (id, time, skill, function), `vars` (SKILL_*
 * variables).
 */
export const COMMON_SCOPE: Scope = new Map<string, CelType>([
  ["args", "map"],
  ["call", "map"],
  ["vars", "map"],
]);

/** In scope of `response`: the parsed body, the HTTP status, the headers by lower-case name. */
export const RESPONSE_SCOPE: Scope = new Map([
  ["body", "dyn"],
  ["status", "int"],
  ["headers", "map"],
]);

/** In scope of a chain's expressions: the results of its steps by their ids. */
export const STEPS_SCOPE: Scope = new Map([["steps", "map"]]);

/** In scope of the arguments of a step that is run for each element of a list: the element, and which it is. */
export const ELEMENT_SCOPE: Scope = new Map([
  ["item", "dyn"],
  ["index", "int"],
]);

/**
 * The scope that a function's parameters make. A parameter that may be absent (neither required nor with a
 * default) may be null, so it is checked like `dyn`; so is one whose schema gives no single type. Where no other arguments
 * than the parameters may be given, `args` has no other members.
 */
export function parameterScope(parameters: JsonObject): Scope {
  const scope = new Map(COMMON_SCOPE);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {};
  if (parameters.additionalProperties === false && parameters.patternProperties === undefined) {
    const members = Object.keys(properties).map((name): [string, CelType] => [name, "dyn"]);
    scope.set("args", { members: new Map(members), isClosed: true });
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (!isExpressionName(name) || COMMON_SCOPE.has(name)) continue;
    const present = isJsonObject(schema) && (required.includes(name) || schema.default !== undefined);
    const type = typeOfSchema(schema);
    scope.set(name, present ? type : optionalType(type));
  }
  return scope;
}

/**
 * The scope of a rule that holds for several functions, each with parameters of its own: one that some of them lack
 * may be null there.
 */
export function sharedScope(parametersOfEach: readonly JsonObject[]): Scope {
  const scopes = parametersOfEach.map(parameterScope);
  const names = new Set(scopes.flatMap((scope) => [...scope.keys()]));
  const shared = [...names].map((name): [string, CelType] => {
    const types = new Set(scopes.map((scope) => scope.get(name) ?? "dyn"));
    const [type = "dyn"] = types;
    return [name, types.size === 1 ? type : "dyn"];
  });
  return joinScopes(new Map(shared), COMMON_SCOPE);
}

/** Joins scopes; a later one wins over an earlier one. */
export function joinScopes(...scopes: Scope[]): Scope {
  return new Map(scopes.flatMap((scope) => [...scope]));
}

/**
 * CEL's reserved words (cel-spec, "Syntax"), the names of its types, and the few more that cel-js keeps for
 * itself.
 */
const RESERVED = new Set(
  (
    "true false null in as break const continue else for function if import let loop package namespace return var " +
    "void while bool bytes double dyn int list map null_type string type uint " +
    "__proto__ prototype constructor cel google lists math optional"
  ).split(" "),
);

/** Whether a parameter of this name can be named directly; any other is reached by `args["its name"]`. */
export function isExpressionName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name);
}
