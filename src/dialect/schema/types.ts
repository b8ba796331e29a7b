/** Which values a schema's own `type` lets through, by JSON Schema's rule that whole numbers are numbers. */
import { isJsonObject, type JsonValue, jsonKind } from "../../json.ts";
import { typesOf } from "./keywords.ts";

/** Whether a value is of one of the types; any value is, where none are named. */
export function isOfType(value: JsonValue, types: readonly string[]): boolean {
  const kind = jsonKind(value);
  return types.length === 0 || types.includes(kind) || (kind === "integer" && types.includes("number"));
}

/**
 * Whether null may be valid, judged by types, values, alternatives and conjuncts. What a reference leads to is not
 * looked at: null may be valid there.
 */
export function admitsNull(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  const { enum: values, const: constant, allOf } = schema;
  if (schema.nullable !== true && !isOfType(null, typesOf(schema))) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if (constant !== undefined && constant !== null) return false;
  const unions = [schema.anyOf, schema.oneOf].filter(Array.isArray);
  return (
    unions.every((union) => union.some(admitsNull)) && (!Array.isArray(allOf) || allOf.every(admitsNull))
  );
}
