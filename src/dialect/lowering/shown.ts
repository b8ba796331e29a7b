/** Schemas and values as a model should read them in a sentence. */
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";
import { ordered, schemaKeywords } from "../schema/keywords.ts";

/** Property keys that a model sees under another name. */
export type Aliases = ReadonlyMap<string, string>;

/** Only the first levels of a schema fit into a sentence. */
const MAX_SHOWN_DEPTH = 8;

/** A schema without `x-*` keywords, property keys under their aliases. */
export function shownSchema(schema: JsonValue, aliases: Aliases, depth = 0): JsonValue {
  if (depth > MAX_SHOWN_DEPTH) return "…";
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(ordered(schema))
    .filter(([keyword]) => !keyword.startsWith("x-"))
    .map(([keyword, value]): [string, JsonValue] => [keyword, shownKeyword(keyword, value, aliases, depth)]);
  return jsonObject(entries);
}

/** A value, the keys of its objects under their aliases. */
export function shownData(value: JsonValue, aliases: Aliases, depth = 0): JsonValue {
  if (aliases.size === 0 || depth > MAX_NESTING) return value;
  if (Array.isArray(value)) return value.map((part) => shownData(part, aliases, depth + 1));
  if (!isJsonObject(value)) return value;
  return jsonObject(
    Object.entries(value).map(([key, part]) => [
      aliases.get(key) ?? key,
      shownData(part, aliases, depth + 1),
    ]),
  );
}

/** A list of property keys, under their aliases. */
export function shownKeys(keys: readonly JsonValue[], aliases: Aliases): JsonValue[] {
  return keys.map((key) => (typeof key === "string" ? (aliases.get(key) ?? key) : key));
}

function shownKeyword(keyword: string, value: JsonValue, aliases: Aliases, depth: number): JsonValue {
  if (keyword === "required" && Array.isArray(value)) return shownKeys(value, aliases);
  if (["const", "default", "enum", "examples"].includes(keyword)) return shownData(value, aliases);
  const holds = schemaKeywords.get(keyword);
  if (holds === "one") return shownSchema(value, aliases, depth + 1);
  if (holds === "list" && Array.isArray(value))
    return value.map((part) => shownSchema(part, aliases, depth + 1));
  if (holds === "map" && isJsonObject(value)) {
    const isKeyed = keyword === "properties" || keyword === "dependentSchemas";
    const keyOf = (key: string): string => (isKeyed ? (aliases.get(key) ?? key) : key);
    const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => [
      keyOf(key),
      shownSchema(part, aliases, depth + 1),
    ]);
    return jsonObject(entries);
  }
  return value;
}
