/**
 * OpenAI Chat Completions, function tools.
 *
 * Where the rules come from:
 * - shape and names: `FunctionDefinition` in openai 7.59.0, `resources/shared.ts` ("a-z, A-Z, 0-9, or contain
 *   underscores and dashes, with a maximum length of 64");
 * - the root: the API's answer "schema must have type 'object' and not have
 *   'oneOf'/'anyOf'/'allOf'/'enum'/'const'/ 'not' at the top level" (2025-06 to 2026-08);
 * - objects and arrays: its answers "object schema missing properties" and "array schema missing items" (to
 *   2026-03);
 * - patterns: its answer "regex lookaround is not supported", since 2026-05 and for tools that are not strict
 *   as well; and `\p{…}`, which its engine cannot compile (2026-09).
 *
 * `strict` is not sent. In a strict tool every property is required and every object closed, and there are no
 * maps, no `allOf`, `not` or `if` (`toStrictJsonSchema` in openai 7.59.0, `lib/transform.ts`). To claim it
 * for a schema that cannot honour it gets the request refused; to honour it makes a nullable parameter of
 * every optional one. Arguments are validated against the full schema before a call in any case.
 */
import type { JsonObject } from "../json.ts";
import type { NodeRule, ToolRules } from "./check.ts";
import { defineDialect, type ToolContent } from "./dialect.ts";
import { type SchemaTarget, wholeJsonSchema } from "./lowering/target.ts";
import type { NameRule } from "./names.ts";
import { typesOf } from "./schema/keywords.ts";
import { lookAroundFault } from "./schema/pattern.ts";

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
  {
    says: "objects have `properties`",
    holds: (schema) => !typesOf(schema).includes("object") || schema.properties !== undefined,
  },
  {
    says: "arrays have `items`",
    holds: (schema) => !typesOf(schema).includes("array") || schema.items !== undefined,
  },
  {
    says: "patterns have no look-around",
    holds: ({ pattern }) => typeof pattern !== "string" || lookAroundFault(pattern) === null,
  },
];

const rules: ToolRules = {
  name: toolNames.pattern,
  nameAt: "/function/name",
  schemaAt: "/function/parameters",
  propertyKey: null,
  keywords: "all",
  refusedAtRoot,
  nodes,
};

function tool({ name, description, parameters }: ToolContent): JsonObject {
  return { type: "function", function: { name, description, parameters } };
}

export const openai = defineDialect({
  name: "openai",
  toolNames,
  schemas,
  rules,
  tool,
  wrap: (tools) => `[${tools.join(",")}]`,
});
