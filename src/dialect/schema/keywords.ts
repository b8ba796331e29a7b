/** The JSON Schema 2020-12 keywords, sorted by what a walk has to know about them. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";

/** A schema as JSON Schema 2020-12 defines one (core specification, section 4.3). */
export type Schema = JsonObject | boolean;

/** True for values that can stand where a schema is expected. */
export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** Keywords that hold schemas (core specification, section 10): one, a list, or one a key. */
export const schemaKeywords: ReadonlyMap<string, "one" | "list" | "map"> = new Map([
  ["additionalProperties", "one"],
  ["contains", "one"],
  ["contentSchema", "one"],
  ["else", "one"],
  ["if", "one"],
  ["items", "one"],
  ["not", "one"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["$defs", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["properties", "map"],
]);

/** Keywords that say nothing about which values are valid. */
export const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "nullable",
]);

/**
 * Keywords for whoever keeps the schema, not for whoever reads it. References are rewritten to `#/$defs/…`,
 * so a base (`$id`) would lead them astray, and the definitions themselves (OpenAPI: `components`) are
 * collected anew.
 */
export const housekeeping: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "$vocabulary",
  "$defs",
  "definitions",
  "components",
]);

const numeric = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/**
 * Keywords that constrain values of one type only, and hold for every value of another (validation, section
 * 6).
 */
export const keywordsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "object",
    [
      "properties",
      "required",
      "additionalProperties",
      "patternProperties",
      "propertyNames",
      "minProperties",
      "maxProperties",
      "dependentRequired",
      "dependentSchemas",
      "unevaluatedProperties",
    ],
  ],
  [
    "array",
    [
      "items",
      "prefixItems",
      "contains",
      "minContains",
      "maxContains",
      "minItems",
      "maxItems",
      "uniqueItems",
      "unevaluatedItems",
    ],
  ],
  [
    "string",
    ["minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema", "format"],
  ],
  ["number", [...numeric, "format"]],
  ["integer", [...numeric, "format"]],
  ["boolean", []],
  ["null", []],
]);

/** The keywords of every type together; a keyword outside holds for values of all types. */
export const typedKeywords: ReadonlySet<string> = new Set([...keywordsOfType.values()].flat());

/**
 * The keywords of the 2020-12 vocabularies that have a meaning of their own, beside those that hold schemas.
 */
export const plainKeywords: ReadonlySet<string> = new Set([
  ...annotations,
  ...typedKeywords,
  "$ref",
  "type",
  "enum",
  "const",
]);

/**
 * The order in which schemas are written: what people read first, then what belongs to a type. The order that an
 * author happens to write keywords in means nothing, so it must not change a byte of a tool.
 */
const keywordRanks: ReadonlyMap<string, number> = new Map(
  [
    ...["$ref", "type", "nullable", "title", "description", "const", "enum"],
    ...[...keywordsOfType.values()].flat(),
    ...schemaKeywords.keys(),
    ...annotations,
  ]
    .reverse()
    .map((keyword, index) => [keyword, -index]),
);

/** A copy of a schema with its keywords in the order in which schemas are written. */
export function ordered(schema: JsonObject): JsonObject {
  const rankOf = (keyword: string): number => keywordRanks.get(keyword) ?? 1;
  const keywords = Object.keys(schema).sort(
    (one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1),
  );
  const copy: JsonObject = Object.create(null);
  for (const keyword of keywords) copy[keyword] = schema[keyword] ?? null;
  return copy;
}

/** The `type` keyword as a list, empty where it is absent or malformed. */
export function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const list = Array.isArray(type) ? type : [type];
  return list.filter((entry) => typeof entry === "string");
}

/** A copy of an object without some of its keys. */
export function without(schema: JsonObject, ...keys: string[]): JsonObject {
  return copyOf(schema, (key) => !keys.includes(key));
}

/** A copy of an object with the keys that `keep` accepts. */
export function copyOf(schema: JsonObject, keep: (key: string) => boolean = () => true): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(schema)) {
    if (keep(key)) copy[key] = value;
  }
  return copy;
}

/** A text that two JSON values share exactly when they are equal, whatever the order of their keys. */
export function identityOf(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: JsonValue) => {
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
