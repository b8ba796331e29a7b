/**
 * OpenAI Chat Completions, function tools.
 *
 * Where the rules come from:
 * - shape and names: `FunctionDefinition` in openai 6.49.0, `resources/shared.ts` ("a-z, A-Z, 0-9, or contain
 *   underscores and dashes, with a maximum length of 64"); at most 128 functions (API reference of `tools`);
 * - the root: the API's answer "schema must have type 'object' and not have
 *   'oneOf'/'anyOf'/'allOf'/'enum'/'const'/ 'not' at the top level" (2025-06 to 2026-08);
 * - objects and arrays: its answers "object schema missing properties" and "array schema missing items" (to
 *   2026-03);
 * - patterns: its answer "regex lookaround is not supported", since 2026-05 and for tools that are not strict
 *   as well; and `\p{…}`, which its engine cannot compile (2026-09);
 * - strict tools: the guide "Structured outputs", "Supported schemas" (properties, formats, at most 5,000 properties
 *   and 10 levels, 1,000 enumerated values, 120,000 characters of names and values, 15,000 in an enumeration of more
 *   than 250 texts); its answer "Objects provided via 'anyOf' must not share identical first keys"; and
 *   `toStrictJsonSchema` in openai 6.49.0, `lib/transform.ts`, which refuses none of the keywords that are kept.
 *
 * `strict` is claimed on request only, and only for a schema that can honour it: every object closed, every
 * property required (an optional one may be null instead). To claim it for another gets the whole request refused.
 * Arguments are validated against the full schema before a call in any case.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { NodeRule, SchemaPlace, ToolRules, WholeRule } from "../check.ts";
import { defineDialect } from "../dialect.ts";
import type { ProviderFormat, StrictForm } from "../format.ts";
import { closedJsonSchema, type SchemaTarget, wholeJsonSchema } from "../lowering/target.ts";
import type { NameRule } from "../names.ts";
import {
  arraysDeclareItems,
  objectsAreClosed,
  objectsDeclareProperties,
  requiredIsDeclared,
  valuesHaveTypes,
} from "../rules.ts";
import { lookAroundFault } from "../schema/pattern.ts";

const toolNames: NameRule = {
  pattern: /^[A-Za-z0-9_-]{1,64}$/,
  maxLength: 64,
  underscored: null,
  fallback: "tool",
};

const refusedAtRoot = new Set(["$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"]);

const schemas: SchemaTarget = {
  ...wholeJsonSchema,
  refusedAtRoot,
  booleanSchemas: false,
  objectsDeclareProperties: true,
  arraysDeclareItems: true,
  patternFault: lookAroundFault,
};

const nodes: readonly NodeRule[] = [
  objectsDeclareProperties,
  arraysDeclareItems,
  {
    says: "patterns have no look-around",
    holds: ({ pattern }) => typeof pattern !== "string" || lookAroundFault(pattern) === null,
  },
];

const rules: ToolRules = {
  name: toolNames.pattern,
  nameAt: "/function/name",
  schemaAt: "/function/parameters",
  outputAt: null,
  propertyKey: null,
  keywords: "all",
  refusedAtRoot,
  nodes,
  whole: [],
};

const strictKeywords = new Set([
  "additionalProperties",
  "anyOf",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "multipleOf",
  "pattern",
  "properties",
  "required",
  "title",
  "type",
]);

const strictFormats = "date date-time duration email hostname ipv4 ipv6 time uuid".split(" ");

const strictSchemas: SchemaTarget = {
  ...closedJsonSchema,
  keywords: strictKeywords,
  refusedAtRoot,
  everyPropertyRequired: true,
  formats: new Map([
    ["string", new Set(strictFormats)],
    ["number", new Set()],
    ["integer", new Set()],
  ]),
  patternFault: lookAroundFault,
};

const strictNodes: readonly NodeRule[] = [
  ...nodes,
  valuesHaveTypes,
  objectsAreClosed,
  requiredIsDeclared,
  { says: "every property is required", holds: requiresAll },
  { says: "alternatives can be told apart by their first property", holds: beginsDifferently },
];

const strictLimits: readonly WholeRule[] = [
  { says: "schemas have at most 10 levels", holds: (places) => places.every(({ depth }) => depth <= 10) },
  {
    says: "all objects together have at most 5,000 properties",
    holds: (places) => namesIn(places).length <= 5_000,
  },
  {
    says: "all enumerations together have at most 1,000 values",
    holds: (places) => valuesIn(places).flat().length <= 1_000,
  },
  {
    says: "names and enumerated values have at most 120,000 characters",
    holds: (places) => charactersOf([...namesIn(places), ...valuesIn(places).flat()]) <= 120_000,
  },
  {
    says: "an enumeration of more than 250 values has at most 15,000 characters",
    holds: (places) =>
      valuesIn(places).every((values) => values.length <= 250 || charactersOf(values) <= 15_000),
  },
];

function requiresAll({ properties, required }: JsonObject): boolean {
  if (!isJsonObject(properties)) return true;
  const demanded = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).every((key) => demanded.has(key));
}

/** Of two alternatives that begin with the same key, each must allow other values of it than the other. */
function beginsDifferently({ anyOf }: JsonObject): boolean {
  const taken = new Map<string, JsonValue[]>();
  for (const branch of Array.isArray(anyOf) ? anyOf : []) {
    const properties = isJsonObject(branch) && isJsonObject(branch.properties) ? branch.properties : {};
    const [first] = Object.entries(properties);
    if (first === undefined) continue;
    const [key, schema] = first;
    const values = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];
    const others = taken.get(key);
    const isDistinct =
      values.length > 0 && others?.length !== 0 && !values.some((value) => others?.includes(value));
    if (others !== undefined && !isDistinct) return false;
    taken.set(key, [...(others ?? []), ...values]);
  }
  return true;
}

function namesIn(places: readonly SchemaPlace[]): string[] {
  return places.flatMap(({ schema: { properties } }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
}

function valuesIn(places: readonly SchemaPlace[]): JsonValue[][] {
  return places.flatMap(({ schema }) => (Array.isArray(schema.enum) ? [schema.enum] : []));
}

function charactersOf(values: readonly JsonValue[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value : JSON.stringify(value)).length,
    0,
  );
}

export const openaiStrict: StrictForm = {
  schemas: strictSchemas,
  rules: { ...rules, keywords: strictKeywords, nodes: strictNodes, whole: strictLimits },
  claimAt: "/function/strict",
  budget: null,
};

/** What OpenAI's two interfaces, and those that follow them, have in common. */
export const openaiFormat: ProviderFormat = {
  name: "openai",
  toolNames,
  schemas,
  rules,
  strict: openaiStrict,
  hasExamples: false,
  deferral: "Chat Completions has no tools that are loaded on demand; the Responses interface has.",
  maxTools: 128,
  tool: ({ name, description, parameters, strict: isStrict }) => ({
    type: "function",
    function: { name, description, parameters, ...(isStrict === null ? {} : { strict: isStrict }) },
  }),
  wrap: (tools) => `[${tools.join(",")}]`,
};

export const openai = defineDialect(openaiFormat);
