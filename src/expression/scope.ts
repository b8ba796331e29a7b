import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** The CEL types that variables are declared with; `dyn` is checked when it is used. */
export type CelType = "string" | "int" | "double" | "bool" | "list" | "map" | "dyn";

/** What an expression may name, and of which type each thing is. */
export type Scope = ReadonlyMap<string, CelType>;

/**
 * In scope of every expression: `args` (all arguments), `call` (id, time, skill, function), `vars` (SKILL_*
 * variables).
 */
export const COMMON_SCOPE: Scope = new Map([
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

const TYPES_BY_SCHEMA = new Map<JsonValue | undefined, CelType>([
  ["string", "string"],
  ["integer", "int"],
  ["number", "double"],
  ["boolean", "bool"],
  ["array", "list"],
  ["object", "map"],
]);

/**
 * The scope that a function's parameters make. A parameter that may be absent (neither required nor with a
 * default) may be null, so it is `dyn`; so is one whose schema gives no single type.
 */
export function parameterScope(parameters: JsonObject): Scope {
  const scope = new Map(COMMON_SCOPE);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {};
  for (const [name, schema] of Object.entries(properties)) {
    if (!isExpressionName(name) || scope.has(name)) continue;
    const present = isJsonObject(schema) && (required.includes(name) || schema.default !== undefined);
    scope.set(name, (present ? TYPES_BY_SCHEMA.get(schema.type) : undefined) ?? "dyn");
  }
  return scope;
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
    "__proto__ prototype constructor cel google optional"
  ).split(" "),
);

/** Whether a parameter of this name can be named directly; any other is reached by `args["its name"]`. */
export function isExpressionName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name);
}
