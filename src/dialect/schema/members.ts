/** The members of objects, where two schemas that speak of them have to hold together. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { copyOf, without } from "./keywords.ts";

/**
 * `schema`, its members as `judge` lets them be: those that `judge` does not declare follow its `additionalProperties`.
 * Null where that cannot be written, or where `judge` refuses what has to be given.
 */
export function membersUnder(judge: JsonObject, schema: JsonObject): JsonObject | null {
  const { additionalProperties: rule, properties: declared, patternProperties: patterns } = judge;
  if (rule === undefined || rule === true) return schema;
  // Which keys a pattern matches is not looked at.
  const others = keysOf(schema.patternProperties).filter((pattern) => !has(patterns, pattern));
  const judged = keysOf(schema.properties).filter((key) => !has(declared, key));
  if (others.length > 0 || (judged.length > 0 && keysOf(patterns).length > 0)) return null;
  if (judged.length === 0) return schema;
  const demanded = new Set([judge.required, schema.required].filter(Array.isArray).flat());
  if (rule === false && judged.some((key) => demanded.has(key))) return null;
  const copy = copyOf(schema);
  copy.properties = judgedProperties(schema.properties, new Set(judged), rule);
  return copy;
}

/** Keywords by which members may be evaluated beside a schema's own `properties`. */
const inPlace = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/**
 * A conjunct with `additionalProperties` for `unevaluatedProperties` where both mean the same: merged, the latter would
 * see members that it does not see in a schema of its own.
 */
export function closedByItself(conjunct: JsonObject): JsonObject {
  const { unevaluatedProperties: rule, additionalProperties } = conjunct;
  const isOther = additionalProperties !== undefined || inPlace.some((keyword) => keyword in conjunct);
  if (rule === undefined || isOther) return conjunct;
  const copy = without(conjunct, "unevaluatedProperties");
  copy.additionalProperties = rule;
  return copy;
}

/** The keys that `all` declares and `some` does not. */
export function keysLeftOut(all: JsonObject, some: JsonObject): string[] {
  return all === some ? [] : keysOf(all.properties).filter((key) => !has(some.properties, key));
}

function judgedProperties(
  properties: JsonValue | undefined,
  judged: ReadonlySet<string>,
  rule: JsonValue,
): JsonObject {
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  const kept = rule === false ? entries.filter(([key]) => !judged.has(key)) : entries;
  return jsonObject(kept.map(([key, schema]) => [key, judged.has(key) ? { allOf: [schema, rule] } : schema]));
}

function keysOf(table: JsonValue | undefined): string[] {
  return isJsonObject(table) ? Object.keys(table) : [];
}

function has(table: JsonValue | undefined, key: string): boolean {
  return isJsonObject(table) && Object.hasOwn(table, key);
}
