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
 *   words in the guide "Self-hosted sandboxes" (2026-09).
 *
 * `strict` is not sent, for the reasons given in openai.ts; here the grammar of all strict tools of a request
 * also has a common size limit that no single tool can know about.
 */
import type { JsonObject } from "../json.ts";
import type { ToolRules } from "./check.ts";
import { defineDialect, type ToolContent } from "./dialect.ts";
import { type SchemaTarget, wholeJsonSchema } from "./lowering/target.ts";
import type { NameRule } from "./names.ts";

const toolNames: NameRule = {
  pattern: /^[A-Za-z0-9_-]{1,64}$/,
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
  propertyKey: propertyKeys.pattern,
  keywords: "all",
  refusedAtRoot,
  nodes: [],
};

function tool({ name, description, parameters }: ToolContent): JsonObject {
  return { name, description, input_schema: parameters };
}

export const anthropic = defineDialect({
  name: "anthropic",
  toolNames,
  schemas,
  rules,
  tool,
  wrap: (tools) => `[${tools.join(",")}]`,
});
