import { encodePointer } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject, type JsonValue, jsonObject, pointerTokens } from "../json.ts";
import { pointerOfReference, schemaKeywords, schemaListKeywords, schemaTableKeywords } from "./walk.ts";

/** Keywords that are rules by themselves; schemas within are copied by their own keywords. */
const RULES = new Set(
  (
    "type enum const pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
    "minItems maxItems uniqueItems minProperties maxProperties required dependentRequired minContains maxContains"
  ).split(" "),
);

/**
 * A schema in the form that the library gets it: rules only, for it looks for schemas (and names of schemas) in
 * annotations too; references spelled as it spells them.
 */
export function libraryForm(schema: JsonObject): JsonObject {
  const form = jsonObject();
  for (const [keyword, value] of Object.entries(schema)) {
    if (RULES.has(keyword)) form[keyword] = value;
    else if (keyword === "$ref" && typeof value === "string") form[keyword] = reference(value);
    else if (keyword === "format" && typeof value === "string") form[keyword] = formatOf(value);
    else if (schemaKeywords.includes(keyword)) form[keyword] = member(value);
    else if (schemaListKeywords.includes(keyword) && Array.isArray(value)) form[keyword] = value.map(member);
    else if (schemaTableKeywords.includes(keyword) && isJsonObject(value)) {
      form[keyword] = jsonObject(Object.entries(value).map(([name, child]) => [name, member(child)]));
    }
  }
  return form;
}

function member(value: JsonValue): JsonValue {
  return isJsonObject(value) ? libraryForm(value) : value;
}

function reference(value: string): string {
  const pointer = pointerOfReference(value);
  return pointer === null
    ? value
    : `#${pointerTokens(pointer)
        .map((token) => `/${encodePointer(token)}`)
        .join("")}`;
}

/** `url` is no format of JSON Schema; the library's pattern for it takes exponential time on hostile text. */
function formatOf(format: string): string {
  return format === "url" ? "uri" : format;
}
