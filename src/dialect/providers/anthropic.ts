/**
 * Anthropic Messages, client tools.
 *
 * Where the rules come from:
 * - shape: `Tool` and `Tool.InputSchema` in @anthropic-ai/sdk 1.14.0, `resources/messages/messages.ts` (JSON
 *   Schema draft 2020-12, `type: "object"` at the root);
 * - references: `transformJSONSchema` of the same SDK keeps `$ref` and `$defs`;
 * - names: the API's answer "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'" (2026); clients in between
 *   stop at 64 characters, so that is the limit here;
 * - the root: its answer "input_schema does not support oneOf, allOf, or anyOf at the top level" (2025-06 to
 *   2026-09);
 * - property keys: its answer "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", and the same in
 *   words in the guide "Self-hosted sandboxes" (2026-09);
 * - strict tools: guide "Structured outputs", "JSON Schema limitations" (closed objects; no recursion, no bounds of
 *   numbers or lengths, `minItems` 0 or 1, no enumerated objects; 20 strict tools, 24 optional parameters and 16
 *   parameters of several types in a request), and `transformJSONSchema`, which also keeps patterns out. There are
 *   limits on the compiled grammar besides that nobody outside can compute;
 * - deferred loading: guide "Tool search tool" (a search tool has to be among the tools, one tool at least must not
 *   be deferred, and examples are not taken beside it).
 */
import type { NodeRule, ToolRules } from "../check.ts";
import { defineDialect } from "../dialect.ts";
import type { StrictForm } from "../format.ts";
import { closedJsonSchema, type SchemaTarget, wholeJsonSchema } from "../lowering/target.ts";
import type { NameRule } from "../names.ts";
import { arraysDeclareItems, objectsAreClosed, requiredIsDeclared, valuesHaveTypes } from "../rules.ts";

const SEARCH_TOOL = "tool_search_tool_bm25";

/** Two tools of one name are refused, so no function has that of the search tool, whether or not that is there. */
const toolNames: NameRule = {
  pattern: new RegExp(`^(?!${SEARCH_TOOL}$)[A-Za-z0-9_-]{1,64}$`),
  maxLength: 64,
  underscored: null,
  fallback: "tool",
};

const propertyKeys: NameRule = {
  pattern: /^[a-zA-Z0-9_.-]{1,64}$/,
  maxLength: 64,
  underscored: null,
  fallback: "key",
};

/** A reference at the root is followed too: nobody documents what becomes of one. */
const refusedAtRoot = new Set(["$ref", "allOf", "anyOf", "oneOf"]);

const schemas: SchemaTarget = { ...wholeJsonSchema, refusedAtRoot, propertyKeys, booleanSchemas: false };

const rules: ToolRules = {
  name: toolNames.pattern,
  nameAt: "/name",
  schemaAt: "/input_schema",
  outputAt: null,
  propertyKey: propertyKeys.pattern,
  keywords: "all",
  refusedAtRoot,
  nodes: [],
  whole: [],
};

const strictKeywords = new Set([
  "additionalProperties",
  "anyOf",
  "description",
  "enum",
  "format",
  "items",
  "minItems",
  "properties",
  "required",
  "title",
  "type",
]);

const strictFormats = new Set("date date-time duration email hostname ipv4 ipv6 time uri uuid".split(" "));

const strictNodes: readonly NodeRule[] = [
  valuesHaveTypes,
  objectsAreClosed,
  arraysDeclareItems,
  requiredIsDeclared,
  {
    says: "enumerations hold neither objects nor lists",
    holds: ({ enum: values }) =>
      !Array.isArray(values) || values.every((value) => value === null || typeof value !== "object"),
  },
  { says: "`minItems` is 0 or 1", holds: ({ minItems }) => minItems === undefined || Number(minItems) <= 1 },
  {
    says: "formats are known",
    holds: ({ format }) => format === undefined || (typeof format === "string" && strictFormats.has(format)),
  },
];

const strict: StrictForm = {
  schemas: {
    ...closedJsonSchema,
    keywords: strictKeywords,
    refusedAtRoot,
    propertyKeys,
    largestMinItems: 1,
    formats: new Map([
      ["string", strictFormats],
      ["number", new Set()],
      ["integer", new Set()],
    ]),
  },
  rules: { ...rules, keywords: strictKeywords, nodes: strictNodes },
  claimAt: "/strict",
  budget: { tools: 20, optional: 24, unions: 16 },
};

export const anthropic = defineDialect({
  name: "anthropic",
  toolNames,
  schemas,
  rules,
  strict,
  hasExamples: true,
  deferral: {
    search: { type: "tool_search_tool_bm25_20251119", name: SEARCH_TOOL },
    allowsExamples: false,
  },
  maxTools: null,
  tool: ({ name, description, parameters, strict: isStrict, examples, deferred }) => ({
    name,
    description,
    input_schema: parameters,
    // A tool that does not claim to be strict is not.
    ...(isStrict === true ? { strict: true } : {}),
    ...(examples.length === 0 ? {} : { input_examples: [...examples] }),
    ...(deferred ? { defer_loading: true } : {}),
  }),
  wrap: (tools) => `[${tools.join(",")}]`,
});
