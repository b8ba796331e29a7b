/**
 * Gemini, function declarations, in the classic `parameters` form.
 *
 * Gemini has two fields for a schema (`FunctionDeclaration` in @google/genai 3.3.0, `genai.d.ts`).
 * `parameters` is a subset of OpenAPI 3.0; `parametersJsonSchema` takes JSON Schema and needs less lowering,
 * so SDKs that know which model they talk to have moved to it (2026-09). A tool list from a gateway does not
 * know that:
 * - the Live API ignores `parametersJsonSchema`, and the model calls with no arguments (2025-07 to 2026-04);
 *   models before Gemini 2.5 do not know it (2025-11);
 * - its keywords are documented for `responseJsonSchema` only, and `pattern`, lengths, `default` and `const`
 *   are not among them, so nobody can say what a model is shown of those. The classic form is a closed list
 *   of 22 fields, which the last check can hold every tool against.
 * The price is that maps, tuples and recursion are said in words. The JSON Schema form would be one more file.
 *
 * Where the rules come from:
 * - fields: `Schema` in @google/genai 3.3.0, the same 22 as the v1beta discovery document's; an unknown one
 *   is refused ("Unknown name … Cannot find field");
 * - names and property keys: the documentation of `FunctionDeclaration` there. It allows tool names of 128
 *   characters, the Vertex AI reference 64 and no colons: the stricter one is kept;
 * - enumerations are lists of strings, none empty, on STRING only: "enum: only allowed for STRING type",
 *   "enum[0]: cannot be empty" (2025-09 to 2026-09);
 * - one type a node, always given: "Proto field is not repeating", "didn't specify the schema type field";
 *   null is `nullable` (`processJsonSchema` in the SDK);
 * - "When using any_of, it must be the only field set" (Vertex AI with Gemini 3, 2026-02 to 2026-09);
 * - "items: missing field"; "properties: only allowed for OBJECT type"; `required` names declared properties
 *   only (2026-07);
 * - formats: "only 'enum' and 'date-time' are supported for STRING type" (2025-07); the SDK's documentation
 *   lists more by now, but a format in the description costs nothing and is never refused.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { NodeRule, ToolRules } from "../check.ts";
import { defineDialect } from "../dialect.ts";
import { type SchemaTarget, wholeJsonSchema } from "../lowering/target.ts";
import type { NameRule } from "../names.ts";
import { requiredIsDeclared } from "../rules.ts";
import { keywordsOfType, typedKeywords } from "../schema/keywords.ts";

const toolNames: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
  maxLength: 64,
  underscored: /^_*[0-9.-][A-Za-z0-9_.-]*$/,
  fallback: "tool",
};

const propertyKeys: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  maxLength: 64,
  underscored: null,
  fallback: "key",
};

/** The fields of `Schema` but for `example` and `propertyOrdering`, which JSON Schema has no keywords for. */
const fields = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "nullable",
  "pattern",
  "properties",
  "required",
  "title",
  "type",
]);

const refusedAtRoot = new Set(["anyOf", "enum"]);

const schemas: SchemaTarget = {
  ...wholeJsonSchema,
  keywords: fields,
  refusedAtRoot,
  propertyKeys,
  typeLists: false,
  booleanSchemas: false,
  enumValues: "strings",
  everyNodeTyped: true,
  unionsStandAlone: true,
  arraysDeclareItems: true,
  requiredIsDeclared: true,
  formats: new Map([
    ["string", new Set(["date-time"])],
    ["number", new Set(["float", "double"])],
    ["integer", new Set(["int32", "int64"])],
  ]),
};

const nodes: readonly NodeRule[] = [
  {
    says: "a node has one type, or is nothing but `anyOf`",
    holds: (schema) =>
      schema.anyOf === undefined ? typeof schema.type === "string" : Object.keys(schema).length === 1,
  },
  { says: "null is no type", holds: ({ type }) => type !== "null" },
  {
    says: "keywords belong to the type",
    holds: (schema) => Object.keys(schema).every((key) => belongs(key, schema)),
  },
  {
    says: "enumerations hold strings",
    holds: ({ type, enum: values }) => values === undefined || isStringEnum(type, values),
  },
  { says: "arrays have `items`", holds: ({ type, items }) => type !== "array" || isJsonObject(items) },
  requiredIsDeclared,
  {
    says: "formats are known",
    holds: ({ type, format }) => format === undefined || isKnownFormat(type, format),
  },
];

const rules: ToolRules = {
  name: toolNames.pattern,
  nameAt: "/name",
  schemaAt: "/parameters",
  outputAt: null,
  propertyKey: propertyKeys.pattern,
  keywords: fields,
  refusedAtRoot,
  nodes,
  whole: [],
};

function belongs(keyword: string, { type }: JsonObject): boolean {
  if (!typedKeywords.has(keyword)) return true;
  return typeof type === "string" && (keywordsOfType.get(type)?.includes(keyword) ?? false);
}

function isStringEnum(type: JsonValue | undefined, values: JsonValue): boolean {
  const isFilled = (value: JsonValue): boolean => typeof value === "string" && value !== "";
  return type === "string" && Array.isArray(values) && values.length > 0 && values.every(isFilled);
}

function isKnownFormat(type: JsonValue | undefined, format: JsonValue): boolean {
  if (typeof type !== "string" || typeof format !== "string") return false;
  return schemas.formats.get(type)?.has(format) ?? false;
}

export const gemini = defineDialect({
  name: "gemini",
  toolNames,
  schemas,
  rules,
  // `FunctionCallingConfigMode.VALIDATED` in the SDK.
  strict:
    "Gemini holds calls to their schemas by a setting of the request, not of a tool: toolConfig.functionCallingConfig.mode VALIDATED.",
  hasExamples: false,
  deferral: "Gemini has no functions that are loaded on demand.",
  maxTools: null,
  // A function without parameters has an empty object: without one it is refused in mode ANY (Gemini API, 2025).
  tool: ({ name, description, parameters }) => ({ name, description, parameters }),
  // A tool whose list of declarations is empty is refused; no tools at all is not.
  wrap: (tools) => (tools.length === 0 ? "[]" : `[{"functionDeclarations":[${tools.join(",")}]}]`),
});
