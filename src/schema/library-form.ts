import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json.ts";
import { formatOfNames, formatOfPattern, knownFormats } from "./pattern-format.ts";
import { boundedUniqueItems } from "./unique-items.ts";
import { schemaKeywords, schemaListKeywords, schemaTableKeywords } from "./walk.ts";

/** Keywords that are rules by themselves; schemas within are copied by their own keywords. */
const RULES = new Set(
  (
    "$ref type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
    "minItems maxItems minProperties maxProperties required dependentRequired minContains maxContains"
  ).split(" "),
);

/**
 * A schema in the form that the library gets it: rules only, for it looks for schemas (and names of schemas)
 * in annotations too.
 */
export function libraryForm(schema: JsonObject): JsonObject {
  const form = jsonObject();
  for (const [keyword, value] of Object.entries(schema)) {
    if (RULES.has(keyword)) form[keyword] = value;
    else if (keyword === "format" && typeof value === "string") addFormat(form, value);
    else if (schemaKeywords.includes(keyword)) form[keyword] = member(value);
    else if (schemaListKeywords.includes(keyword) && Array.isArray(value)) form[keyword] = value.map(member);
    else if (schemaTableKeywords.includes(keyword) && isJsonObject(value)) {
      form[keyword] = jsonObject(Object.entries(value).map(([name, child]) => [name, member(child)]));
    }
  }
  if (typeof schema.pattern === "string") addPattern(form, schema.pattern);
  if (isJsonObject(schema.patternProperties)) addNames(form, Object.keys(schema.patternProperties));
  if (schema.uniqueItems === true) addBehind(form, boundedUniqueItems());
  return form;
}

/** Adds a schema behind those of `allOf`, so that they keep their places. */
function addBehind(form: JsonObject, schema: JsonObject): void {
  form.allOf = [...(Array.isArray(form.allOf) ? form.allOf : []), schema];
}

/** A pattern that the linear engine reads is handed over as a format. */
function addPattern(form: JsonObject, pattern: string): void {
  const format = formatOfPattern(pattern);
  if (format === null) form.pattern = pattern;
  else addBehind(form, jsonObject([["format", format]]));
}

/** The library looks at `allOf` first, so names have paid when it gets to `patternProperties`. */
function addNames(form: JsonObject, patterns: readonly string[]): void {
  const format = jsonObject([["format", formatOfNames(patterns)]]);
  addBehind(form, jsonObject([["propertyNames", format]]));
}

function member(value: JsonValue): JsonValue {
  return isJsonObject(value) ? libraryForm(value) : value;
}

/**
 * Formats that the library does not know mean nothing to it. `url` is no format of JSON Schema; the library's
 * pattern for it takes exponential time on hostile text.
 */
function addFormat(form: JsonObject, format: string): void {
  if (format === "url") form.format = "uri";
  else if (knownFormats.has(format)) form.format = format;
}
