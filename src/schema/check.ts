import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_ENUM_VALUES } from "../limits.ts";
import { probablyMeant } from "../nearest.ts";
import { PatternChecks } from "./patterns.ts";
import { quoteValue } from "./quote.ts";
import { checkReferences } from "./references.ts";
import {
  isSchema,
  type SchemaFault,
  type SchemaPath,
  schemaKeywords,
  schemaListKeywords,
  schemaTableKeywords,
  walkSchema,
} from "./walk.ts";

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
const UNSUPPORTED = new Set(
  "$id $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary dependencies".split(" "),
);

/** The keywords that mean something; others (`x-…` among them) are annotations. */
export const knownKeywords: ReadonlySet<string> = new Set([...shapes.keys(), "const", "default", "$schema"]);

/**
 * Every fault of a schema: keywords of the wrong kind, patterns that do not compile, references that lead
 * nowhere.
 */
export function checkSchema(root: JsonObject): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const patterns = new PatternChecks();
  walkSchema(root, (subschema, path) => {
    faults.push(...keywordFaults(subschema, path), ...patterns.faults(subschema, path));
  });
  return faults.length > 0 ? faults : checkReferences(root);
}

function keywordFaults(subschema: JsonObject, path: SchemaPath): SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [keyword, value] of Object.entries(subschema)) {
    const shape = shapes.get(keyword);
    if (UNSUPPORTED.has(keyword)) {
      const message = `${keyword} is not supported here`;
      faults.push({ kind: "keyword", path: [...path, keyword], message, fix: null });
    } else if (shape !== undefined && !shape.holds(value))
      faults.push(keywordFault(keyword, value, subschema, [...path, keyword], shape));
    else if (shape === schemaTable) faults.push(...nameFaults(value, [...path, keyword]));
    else if (keyword === "enum") faults.push(...enumFaults(value, [...path, keyword]));
    else if (keyword === "required") faults.push(...repeatedNames(value, [...path, keyword]));
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
  return keyword === "type" ? typeFix(value) : null;
}

/** Types as programming languages and other notations name them. */
const TYPES_ELSEWHERE = new Map(
  Object.entries({
    string: "str text char varchar uuid url uri email enum",
    integer: "int int32 int64 long short uint bigint",
    number: "float double decimal numeric num",
    boolean: "bool",
    array: "list tuple set vector sequence arr",
    object: "dict map hash record struct json dictionary obj mapping",
    null: "none nil void nulltype undefined",
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

const DATES = new Map([
  ["date", "date"],
  ["datetime", "date-time"],
  ["date-time", "date-time"],
  ["timestamp", "date-time"],
  ["time", "time"],
]);

/** What to write for a type of other notations, or for the YAML value null among the types. */
function typeFix(written: JsonValue): string | null {
  if (Array.isArray(written)) {
    const types = written.map((one) => (one === null || typeof one === "string" ? typeMeant(one) : null));
    return types.includes(null) || types.length === 0 ? null : `type: [${types.join(", ")}]`;
  }
  if (written !== null && typeof written !== "string") return null;
  const name = written?.toLowerCase() ?? "null";
  if (name === "any" || name === "mixed" || name === "unknown") return "remove type";
  const format = DATES.get(name);
  if (format !== undefined) return `type: string, format: ${format}`;
  const type = typeMeant(name);
  return type === null ? null : `type: ${type}`;
}

function typeMeant(written: string | null): string | null {
  const name = written?.toLowerCase() ?? "null";
  const type = TYPES.includes(name) ? name : (TYPES_ELSEWHERE.get(name) ?? probablyMeant(name, TYPES));
  return type === "null" ? '"null"' : type;
}

function enumFaults(values: JsonValue, path: SchemaPath): SchemaFault[] {
  if (!Array.isArray(values) || values.length <= MAX_ENUM_VALUES) return [];
  const message = `enum has ${MAX_ENUM_VALUES} values at most, not ${values.length}`;
  return [{ kind: "keyword", path, message, fix: null }];
}

/** Validation, section 6.5.3: the names of `required` are unique. */
function repeatedNames(names: JsonValue, path: SchemaPath): SchemaFault[] {
  if (!Array.isArray(names)) return [];
  const seen = new Set<JsonValue>();
  return names.flatMap((name, index): SchemaFault[] => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `required names ${quoteValue(name)} twice`;
    return [{ kind: "keyword", path: [...path, index], message, fix: "remove it" }];
  });
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
