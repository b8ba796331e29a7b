import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_ENUM_VALUES, MAX_SCHEMAS_FOR_ONE_VALUE } from "../limits.ts";
import { quoteValue } from "./quote.ts";
import {
  isSchema,
  pointerOfReference,
  pointerTo,
  type SchemaPath,
  schemaKeywords,
  schemaListKeywords,
  schemaTableKeywords,
  subschemas,
  walkSchema,
} from "./walk.ts";

/** What is wrong with a schema itself, and where. */
export interface SchemaFault {
  kind: "keyword" | "pattern" | "reference";
  path: SchemaPath;
  message: string;
  /** What to write instead, where that is certain. */
  fix: string | null;
}

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

type Holds = (value: JsonValue) => boolean;
interface Shape {
  holds: Holds;
  is: string;
}

const isText: Holds = (value) => typeof value === "string";
const isTexts: Holds = (value) => Array.isArray(value) && value.every(isText);
const isType: Holds = (value) => typeof value === "string" && TYPES.includes(value);

const text: Shape = { holds: isText, is: "a text" };
const boolean: Shape = { holds: (value) => typeof value === "boolean", is: "true or false" };
const number: Shape = { holds: (value) => typeof value === "number", is: "a number" };
const list: Shape = { holds: Array.isArray, is: "a list" };
const count: Shape = {
  holds: (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
  is: "a whole number, 0 or more",
};
const schema: Shape = { holds: isSchema, is: "a schema" };
const schemaList: Shape = {
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  is: "a list of schemas, with one at least",
};
const schemaTable: Shape = {
  holds: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  is: "a mapping of names to schemas",
};

/** What each keyword of JSON Schema 2020-12 holds (the meta-schema, as far as validation goes by it). */
const shapes = new Map<string, Shape>([
  ...schemaKeywords.map((keyword) => [keyword, schema] as const),
  ...schemaListKeywords.map((keyword) => [keyword, schemaList] as const),
  ...schemaTableKeywords.map((keyword) => [keyword, schemaTable] as const),
  ...each("minimum maximum exclusiveMinimum exclusiveMaximum", number),
  ...each("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", count),
  ...each("uniqueItems deprecated readOnly writeOnly", boolean),
  ...each("$ref pattern format title description $comment", text),
  ...each("enum examples", list),
  ["multipleOf", { holds: (value) => typeof value === "number" && value > 0, is: "a number above 0" }],
  ["required", { holds: isTexts, is: "a list of names" }],
  [
    "dependentRequired",
    {
      holds: (value) => isJsonObject(value) && Object.values(value).every(isTexts),
      is: "a mapping of names to lists of names",
    },
  ],
  [
    "type",
    {
      holds: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      is: `${TYPES.join(", ")}, or a list of these`,
    },
  ],
]);

function each(keywords: string, shape: Shape): [string, Shape][] {
  return keywords.split(" ").map((keyword) => [keyword, shape]);
}

/**
 * Keywords that would move the ground under references; a schema of a skill is one document without a name.
 */
const UNSUPPORTED =
  "$id $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary dependencies".split(" ");

/** The keywords that mean something; others (`x-…` among them) are annotations. */
export const knownKeywords: readonly string[] = [...shapes.keys(), "const", "default", "$schema"];

/**
 * Every fault of a schema: keywords of the wrong kind, patterns that do not compile, references that lead
 * nowhere.
 */
export function checkSchema(root: JsonObject): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const places = new Map<string, JsonObject | boolean>([["", root]]);
  walkSchema(root, (subschema, path) => {
    for (const [child, where] of subschemas(subschema)) places.set(pointerTo([...path, ...where]), child);
    faults.push(...keywordFaults(subschema, path), ...patternFaults(subschema, path));
  });
  if (faults.length > 0) return faults;
  walkSchema(root, (subschema, path) => {
    faults.push(...referenceFaults(subschema, path, root, places));
  });
  return faults.length > 0 ? faults : combinationFaults(root, places);
}

function keywordFaults(subschema: JsonObject, path: SchemaPath): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [keyword, value] of Object.entries(subschema)) {
    const at = [...path, keyword];
    if (UNSUPPORTED.includes(keyword)) {
      faults.push({ kind: "keyword", path: at, message: `${keyword} is not supported here`, fix: null });
      continue;
    }
    const shape = shapes.get(keyword);
    if (shape !== undefined && !shape.holds(value))
      faults.push(keywordFault(keyword, value, subschema, at, shape));
    else if (shape === schemaTable) faults.push(...nameFaults(value, at));
    else if (keyword === "enum") faults.push(...enumFaults(value, at));
  }
  return faults;
}

function keywordFault(
  keyword: string,
  value: JsonValue,
  owner: JsonObject,
  path: SchemaPath,
  shape: Shape,
): SchemaFault {
  const got = isJsonObject(value) ? "a mapping" : Array.isArray(value) ? "a list" : quoteValue(value);
  return {
    kind: "keyword",
    path,
    message: `${keyword} is ${shape.is}, not ${got}`,
    fix: fixOf(keyword, value, owner),
  };
}

/** The older drafts' way of writing the same thing (OpenAPI 3.0 still has it). */
function fixOf(keyword: string, value: JsonValue, owner: JsonObject): string | null {
  const bound = keyword === "exclusiveMinimum" ? owner.minimum : owner.maximum;
  if (/^exclusiveM/.test(keyword) && typeof value === "boolean")
    return value && typeof bound === "number" ? `${keyword}: ${bound}` : `remove ${keyword}`;
  if (keyword === "items" && Array.isArray(value)) return "prefixItems: […]";
  return null;
}

function enumFaults(values: JsonValue, path: SchemaPath): SchemaFault[] {
  if (!Array.isArray(values) || values.length <= MAX_ENUM_VALUES) return [];
  const message = `enum has ${MAX_ENUM_VALUES} values at most, not ${values.length}`;
  return [{ kind: "keyword", path, message, fix: null }];
}

/** Names are written into JSON Pointers, which half a surrogate pair cannot be. */
function nameFaults(table: JsonValue, path: SchemaPath): SchemaFault[] {
  const names = isJsonObject(table) ? Object.keys(table) : [];
  return names
    .filter((name) => !name.isWellFormed())
    .map((name) => ({
      kind: "keyword",
      path,
      message: `${JSON.stringify(name)} is not a text that can be sent`,
      fix: null,
    }));
}

function patternFaults(subschema: JsonObject, path: SchemaPath): SchemaFault[] {
  const { pattern, patternProperties } = subschema;
  const patterns: [string, SchemaPath][] = isJsonObject(patternProperties)
    ? Object.keys(patternProperties).map((name) => [name, [...path, "patternProperties", name]])
    : [];
  if (typeof pattern === "string") patterns.push([pattern, [...path, "pattern"]]);
  return patterns.flatMap(([source, at]) => {
    const reason = whyNoPattern(source);
    return reason === null
      ? []
      : [
          {
            kind: "pattern" as const,
            path: at,
            message: `the pattern ${source} is not valid: ${reason}`,
            fix: null,
          },
        ];
  });
}

/** Why a text is no regular expression of ECMA-262 in Unicode mode, as JSON Schema recommends, or null. */
function whyNoPattern(source: string): string | null {
  try {
    new RegExp(source, "u");
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^.*\/u?: /s, "").toLowerCase();
  }
}

type Places = ReadonlyMap<string, JsonObject | boolean>;

function referenceFaults(
  subschema: JsonObject,
  path: SchemaPath,
  root: JsonObject,
  places: Places,
): SchemaFault[] {
  const { $ref: reference } = subschema;
  if (typeof reference !== "string") return [];
  const pointer = pointerOfReference(reference);
  if (pointer !== null && places.has(pointer)) return [];
  const names = isJsonObject(root.$defs) ? Object.keys(root.$defs).map((name) => `#/$defs/${name}`) : [];
  const known = names.length === 0 ? "" : `; there are ${names.join(", ")}`;
  const message =
    pointer === null
      ? `${quoteValue(reference)} is not a place in this schema, such as #/$defs/name`
      : `no schema stands at ${reference}${known}`;
  return [{ kind: "reference", path: [...path, "$ref"], message, fix: null }];
}

/** Keywords whose schemas are about the same value as the schema that they stand in. */
const SAME_VALUE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);

/**
 * A schema that comes back to itself without a step into the value could be checked for ever; one that names
 * others twice, and those again others, takes twice as long at every level.
 */
function combinationFaults(root: JsonObject, places: Places): SchemaFault[] {
  const costs = new Map<string, number>();
  const faults: SchemaFault[] = [];
  walkSchema(root, (_schema, path) => {
    const cost = costOf(pointerTo(path), places, costs);
    if (cost <= MAX_SCHEMAS_FOR_ONE_VALUE || faults.length > 0) return;
    const message =
      cost === Number.POSITIVE_INFINITY
        ? "this schema refers to itself without a step into the value"
        : `this schema combines more than ${MAX_SCHEMAS_FOR_ONE_VALUE} schemas for one value`;
    faults.push({ kind: "reference", path, message, fix: null });
  });
  return faults;
}

/**
 * How many schemas one value is checked against; infinite where the way comes back to a schema that it began
 * in.
 */
function costOf(
  pointer: string,
  places: Places,
  costs: Map<string, number>,
  way: readonly string[] = [],
): number {
  const known = costs.get(pointer);
  if (known !== undefined) return known;
  if (way.includes(pointer)) return Number.POSITIVE_INFINITY;
  if (way.length > MAX_SCHEMAS_FOR_ONE_VALUE) return way.length;
  let cost = 1;
  for (const next of sameValue(pointer, places)) cost += costOf(next, places, costs, [...way, pointer]);
  costs.set(pointer, cost);
  return cost;
}

/** The places of the schemas that a schema applies to the very value that it is about. */
function sameValue(pointer: string, places: Places): string[] {
  const subschema = places.get(pointer);
  if (!isJsonObject(subschema)) return [];
  const within = [...subschemas(subschema)].flatMap(([, where]) =>
    SAME_VALUE.has(String(where[0])) ? [pointer + pointerTo(where)] : [],
  );
  const target = typeof subschema.$ref === "string" ? pointerOfReference(subschema.$ref) : null;
  return target === null ? within : [...within, target];
}
