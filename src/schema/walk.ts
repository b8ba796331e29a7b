import { atPointer, escapePointerToken, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Where a schema stands within another: keywords, names and indexes from the root on. */
export type SchemaPath = readonly (string | number)[];

/** What is wrong with a schema itself, and where. */
export interface SchemaFault {
  kind: "keyword" | "pattern" | "reference";
  path: SchemaPath;
  message: string;
  /** What to write instead, where that is certain. */
  fix: string | null;
}

/** Keywords of 2020-12 that hold a schema, a list of schemas or a table of schemas. */
export const schemaKeywords =
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  );
export const schemaListKeywords = "allOf anyOf oneOf prefixItems".split(" ");
export const schemaTableKeywords = "properties patternProperties $defs definitions dependentSchemas".split(
  " ",
);

/** Visits a schema and all schemas in it, each with its path; values and annotations are not schemas. */
export function walkSchema(
  schema: JsonObject,
  action: (schema: JsonObject, path: SchemaPath) => void,
  path: SchemaPath = [],
): void {
  action(schema, path);
  for (const [child, where] of subschemas(schema))
    if (isJsonObject(child)) walkSchema(child, action, [...path, ...where]);
}

/**
 * The schemas directly within a schema, `true` and `false` among them. Every pass over a schema comes through here
 * once for each schema in it, most of which hold no others: a generator would take longer than all the rest.
 */
export function subschemas(schema: JsonObject): [JsonObject | boolean, SchemaPath][] {
  const found: [JsonObject | boolean, SchemaPath][] = [];
  for (const keyword of schemaKeywords) {
    const child = schema[keyword];
    if (isSchema(child)) found.push([child, [keyword]]);
  }
  for (const keyword of schemaListKeywords) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    list.forEach((child, index) => {
      if (isSchema(child)) found.push([child, [keyword, index]]);
    });
  }
  for (const keyword of schemaTableKeywords) {
    const table = schema[keyword];
    if (!isJsonObject(table)) continue;
    for (const [name, child] of Object.entries(table))
      if (isSchema(child)) found.push([child, [keyword, name]]);
  }
  return found;
}

/** Whether a value can be a schema: an object, or `true` (anything) or `false` (nothing). */
export function isSchema(value: JsonValue | undefined): value is JsonObject | boolean {
  return isJsonObject(value) || typeof value === "boolean";
}

/** A path as a JSON Pointer. */
export function pointerTo(path: SchemaPath): string {
  return path.map((token) => `/${escapePointerToken(String(token))}`).join("");
}

/**
 * The JSON Pointer that a `$ref` names (a URI fragment, RFC 6901, section 6), or null where it is no
 * reference to a place in the same schema.
 */
export function pointerOfReference(reference: string): string | null {
  if (reference !== "#" && !reference.startsWith("#/")) return null;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
}

/** The schema that a `$ref` names, or undefined where there is none. */
export function referenced(root: JsonObject, reference: JsonValue | undefined): JsonValue | undefined {
  const pointer = typeof reference === "string" ? pointerOfReference(reference) : null;
  return pointer === null ? undefined : atPointer(root, pointer);
}

/** References to references are followed this far; more of them are a circle, which no skill may hold. */
const MAX_REFERENCES = 10;

/** The schema that a schema means: itself, or the one that its `$ref` leads to at last. */
export function resolved(root: JsonObject, schema: JsonObject): JsonObject {
  let target = schema;
  for (let count = 0; count < MAX_REFERENCES && target.$ref !== undefined; count++) {
    const next = referenced(root, target.$ref);
    if (!isJsonObject(next)) return target;
    target = next;
  }
  return target;
}
