/** What a provider's schema cannot say, in words for a model: short, and cut where a schema is long. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { MAX_SCHEMA_SENTENCE_CHARACTERS } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import type { Walk } from "./node.ts";
import { shownData, shownKeys, shownSchema } from "./shown.ts";

type Sentence = (value: JsonValue, say: Say, node: JsonObject) => string | null;

interface Say {
  /** A value as JSON text, cut to a readable length. */
  json: (value: JsonValue) => string;
  /** A schema as JSON text, cut to a readable length. */
  schema: (schema: JsonValue) => string;
  /** A list of property keys, quoted. */
  keys: (keys: readonly JsonValue[]) => string;
}

const sentences: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ["const", (value, { json }) => `Always ${json(value)}.`],
  ["contains", contains],
  ["contentEncoding", (value, { json }) => `Content encoding: ${json(value)}.`],
  ["contentMediaType", (value, { json }) => `Content type: ${json(value)}.`],
  ["contentSchema", (value, { schema }) => `The content matches ${schema(value)}.`],
  ["default", (value, { json }) => `Default: ${json(value)}.`],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["deprecated", (value) => (value === true ? "Deprecated." : null)],
  ["enum", (value, say) => (Array.isArray(value) ? oneOfValues(value, say) : null)],
  ["examples", (value, say) => (Array.isArray(value) ? `Examples: ${listed(value, say)}.` : null)],
  ["exclusiveMaximum", (value, { json }) => `Less than ${json(value)}.`],
  ["exclusiveMinimum", (value, { json }) => `Greater than ${json(value)}.`],
  ["format", (value, { json }) => `Format: ${json(value)}.`],
  ["if", conditional],
  ["maxItems", (value) => `At most ${counted(value, "item", "items")}.`],
  ["maxLength", (value) => `At most ${counted(value, "character", "characters")}.`],
  ["maxProperties", (value) => `At most ${counted(value, "property", "properties")}.`],
  ["maximum", (value, { json }) => `At most ${json(value)}.`],
  ["minItems", (value) => `At least ${counted(value, "item", "items")}.`],
  ["minLength", (value) => `At least ${counted(value, "character", "characters")}.`],
  ["minProperties", (value) => `At least ${counted(value, "property", "properties")}.`],
  ["minimum", (value, { json }) => `At least ${json(value)}.`],
  ["multipleOf", (value, { json }) => `A multiple of ${json(value)}.`],
  ["not", negation],
  ["pattern", (value, { json }) => `Matches the regular expression ${json(value)}.`],
  ["patternProperties", patternProperties],
  ["prefixItems", prefixItems],
  ["propertyNames", (value, { schema }) => `Property names match ${schema(value)}.`],
  ["readOnly", (value) => (value === true ? "Read-only." : null)],
  ["required", required],
  ["uniqueItems", (value) => (value === true ? "No two items are equal." : null)],
  ["writeOnly", (value) => (value === true ? "Write-only." : null)],
  ["additionalProperties", additionalProperties],
]);

/** A sentence for a keyword of a node, or null where the keyword needs none. */
export function sentenceFor(keyword: string, value: JsonValue, node: JsonObject, walk: Walk): string | null {
  return sentences.get(keyword)?.(value, sayWith(walk), node) ?? null;
}

/** A sentence for alternatives of which at least one, or exactly one, has to hold. */
export function sentenceForUnion(keyword: string, branches: readonly JsonValue[], walk: Walk): string {
  const say = sayWith(walk);
  const demands = branches.map(demandOf);
  const how = keyword === "oneOf" ? "Exactly one" : "At least one";
  if (demands.every((demand) => demand !== null)) {
    return `${how} of these must be given: ${demands.map((demand) => say.keys(demand)).join("; or ")}.`;
  }
  const numbered = branches.map((branch, index) => `(${index + 1}) ${say.schema(branch)}`);
  return `${how} of these must hold: ${numbered.join("; ")}.`;
}

/** A sentence for schemas that have to hold beside everything else. */
export function sentenceForConjuncts(schemas: readonly JsonValue[], walk: Walk): string {
  const said = schemas.map(sayWith(walk).schema).join("; ");
  const sentence = `Must also match ${schemas.length > 1 ? `all ${schemas.length} of ` : ""}${said}.`;
  return shorten(sentence, MAX_SCHEMA_SENTENCE_CHARACTERS);
}

function sayWith(walk: Walk): Say {
  return {
    json: (value) => shorten(JSON.stringify(shownData(value, walk.aliases)), MAX_SCHEMA_SENTENCE_CHARACTERS),
    schema: (schema) =>
      shorten(JSON.stringify(shownSchema(schema, walk.aliases)), MAX_SCHEMA_SENTENCE_CHARACTERS),
    keys: (keys) =>
      shownKeys(keys, walk.aliases)
        .map((key) => JSON.stringify(key))
        .join(" and "),
  };
}

/** The keys that a branch requires, where that is all it says. */
function demandOf(branch: JsonValue): JsonValue[] | null {
  if (!isJsonObject(branch) || !Array.isArray(branch.required)) return null;
  const saysMore = Object.keys(branch).some((key) => key !== "required" && key !== "type");
  return saysMore || branch.required.length === 0 ? null : branch.required;
}

function listed(values: readonly JsonValue[], { json }: Say): string {
  return shorten(values.map(json).join(", "), MAX_SCHEMA_SENTENCE_CHARACTERS);
}

function counted(count: JsonValue, one: string, many: string): string {
  return `${JSON.stringify(count)} ${count === 1 ? one : many}`;
}

/** Of all that is required, what stands here could not be named beside the properties. */
function required(value: JsonValue, { keys }: Say, { required: all }: JsonObject): string | null {
  if (!Array.isArray(value)) return null;
  const isAll = Array.isArray(all) && all.length === value.length;
  return `${isAll ? "Required" : "Also required"}: ${keys(value)}.`;
}

function prefixItems(value: JsonValue, { schema }: Say): string | null {
  return Array.isArray(value) ? `Items in this order: ${value.map(schema).join(", ")}.` : null;
}

function oneOfValues(values: readonly JsonValue[], say: Say): string {
  return values.length === 0 ? "No value is valid." : `One of: ${listed(values, say)}.`;
}

function contains(value: JsonValue, { json, schema }: Say, { minContains, maxContains }: JsonObject): string {
  const most = maxContains === undefined ? "" : ` and at most ${json(maxContains)}`;
  return `At least ${json(minContains ?? 1)}${most} of the items match ${schema(value)}.`;
}

function dependentRequired(value: JsonValue, { keys }: Say): string | null {
  if (!isJsonObject(value)) return null;
  return Object.entries(value)
    .map(([key, needed]) => `If ${keys([key])} is given, so is ${keys(Array.isArray(needed) ? needed : [])}.`)
    .join(" ");
}

function dependentSchemas(value: JsonValue, { keys, schema }: Say): string | null {
  if (!isJsonObject(value)) return null;
  return Object.entries(value)
    .map(([key, part]) => `If ${keys([key])} is given, the object matches ${schema(part)}.`)
    .join(" ");
}

function conditional(
  value: JsonValue,
  { schema }: Say,
  { then: consequence, else: alternative }: JsonObject,
): string | null {
  const parts = [
    consequence === undefined ? null : `it also matches ${schema(consequence)}`,
    alternative === undefined ? null : `otherwise it matches ${schema(alternative)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `If the value matches ${schema(value)}, ${parts.join("; ")}.`;
}

function negation(value: JsonValue, { schema }: Say): string {
  const rejectsAll = value === true || (isJsonObject(value) && Object.keys(value).length === 0);
  return rejectsAll ? "No value is valid here." : `Must not match ${schema(value)}.`;
}

function patternProperties(value: JsonValue, { json, schema }: Say): string | null {
  if (!isJsonObject(value)) return null;
  return Object.entries(value)
    .map(([pattern, part]) => `Properties whose names match ${json(pattern)} are ${schema(part)}.`)
    .join(" ");
}

/**
 * Closed objects need no sentence: a model sends what is declared unless it is told that it may send more.
 */
function additionalProperties(value: JsonValue, { schema }: Say, { properties }: JsonObject): string | null {
  if (value === false) return null;
  const which = isJsonObject(properties) && Object.keys(properties).length > 0 ? "Other" : "Any";
  const saysNothing = value === true || (isJsonObject(value) && Object.keys(value).length === 0);
  return `${which} properties may be given${saysNothing ? "" : `, each ${schema(value)}`}.`;
}
