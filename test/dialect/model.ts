/** A model that goes by the schema it was shown: what it sends, and what of its arguments a schema accepts. */
import { Validator, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";

/** Original keys and the keys that a model sees, read off the descriptions as a model would. */
export function aliasesIn(value: JsonValue, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) for (const part of value) aliasesIn(part, found);
  if (!isJsonObject(value)) return found;
  for (const [alias, property] of Object.entries(value)) {
    const own = isJsonObject(property) ? firstDescription(property) : "";
    const name = /Original name: ("(?:[^"\\]|\\.)*")\./.exec(own)?.[1];
    if (name !== undefined) found.set(JSON.parse(name), alias);
    aliasesIn(property, found);
  }
  return found;
}

function firstDescription(schema: JsonObject): string {
  const { description, anyOf } = schema;
  if (typeof description === "string") return description;
  const [first] = Array.isArray(anyOf) ? anyOf : [];
  return isJsonObject(first) && typeof first.description === "string" ? first.description : "";
}

/** The arguments as a model sends them that goes by the schema it was shown. */
export function sent(given: JsonObject, shown: JsonObject): JsonValue {
  return sentValue(given, shown, shown, aliasesIn(shown));
}

function sentValue(
  value: JsonValue,
  shown: JsonValue | undefined,
  root: JsonObject,
  aliases: Map<string, string>,
): JsonValue {
  const schema = dereferenced(shown, root);
  const { enum: values, type, items, prefixItems, properties, required } = schema;
  const text = JSON.stringify(value);
  if (type === "string" && typeof value !== "string" && Array.isArray(values) && values.includes(text))
    return text;
  if (Array.isArray(value)) {
    const at = (index: number): JsonValue | undefined =>
      Array.isArray(prefixItems) ? prefixItems[index] : items;
    return value.map((part, index) => sentValue(part, at(index) ?? items, root, aliases));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => {
    const alias = aliases.get(key) ?? key;
    const property =
      isJsonObject(properties) && Object.hasOwn(properties, alias) ? properties[alias] : undefined;
    return [alias, sentValue(part, property, root, aliases)];
  });
  const given = new Set(entries.map(([key]) => key));
  const absent = (Array.isArray(required) ? required : []).filter((key) => !given.has(String(key)));
  return Object.fromEntries([...entries, ...absent.map((key): [string, JsonValue] => [String(key), null])]);
}

function dereferenced(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === "string" ? dereferenced(atPointer(root, $ref.slice(1)), root) : schema;
}

/** OpenAPI's `nullable`, which no JSON Schema validator knows, written out. */
export function withNull(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => [key, withNull(value)]);
  const copy = Object.fromEntries(entries.filter(([key]) => key !== "nullable" || isJsonObject(schema[key])));
  return schema.nullable === true ? { anyOf: [copy, { type: "null" }] } : copy;
}

/** Whether a validator of JSON Schema 2020-12 accepts a value. */
export function isValid(value: JsonValue, schema: JsonValue): boolean {
  return new Validator(schema as ValidatorSchema, "2020-12").validate(value).valid;
}

/** Whether the validator knows all spellings of a schema; those of OpenAPI 3.0 are beyond it. */
export function isSpoken(schema: JsonObject): boolean {
  return !/"nullable"|"exclusiveMinimum":(?:true|false)/.test(JSON.stringify(schema));
}
