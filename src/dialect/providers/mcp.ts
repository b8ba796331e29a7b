/**
 * Model Context Protocol tools.
 *
 * Where the rules come from: the specification, "Tools" (the input schema is JSON Schema 2020-12 with an
 * object at the root; names have 1 to 128 characters out of A-Z, a-z, 0-9, `_`, `-` and `.`), and
 * `ToolSchema` in
 * @modelcontextprotocol/core 2.4.0, which serves the revisions 2025-11-25 and 2026-07-28.
 */
import type { Annotations } from "../../ir.ts";
import type { JsonObject } from "../../json.ts";
import type { ToolRules } from "../check.ts";
import { defineDialect } from "../dialect.ts";
import type { ToolContent } from "../format.ts";
import { lowerParameters, lowerSchema } from "../lowering/lower.ts";
import { type SchemaTarget, wholeJsonSchema } from "../lowering/target.ts";
import type { NameRule } from "../names.ts";
import { without } from "../schema/keywords.ts";

/**
 * The key under which a result that is no object stands in `structuredContent`, as the output schema says.
 */
export const WRAPPED_RESULT_KEY = "result";

const toolNames: NameRule = {
  pattern: /^[A-Za-z0-9_.-]{1,128}$/,
  maxLength: 128,
  underscored: null,
  fallback: "tool",
};

const rules: ToolRules = {
  name: toolNames.pattern,
  nameAt: "/name",
  schemaAt: "/inputSchema",
  outputAt: "/outputSchema",
  propertyKey: null,
  keywords: "all",
  refusedAtRoot: new Set(),
  nodes: [],
  whole: [],
};

/**
 * An output schema describes what an upstream usually answers, and clients refuse results that do not fit it,
 * so it must not turn a good result into an error: it keeps the structure and lets every value be null or
 * absent; what else the author states about values is said in words.
 */
const advisory: SchemaTarget = {
  ...wholeJsonSchema,
  keywords: new Set(["$ref", "deprecated", "description", "items", "properties", "title", "type"]),
  booleanSchemas: false,
  nullsEverywhere: true,
};

function tool({ name, description, parameters, definition }: ToolContent): JsonObject {
  const { title, returns, annotations } = definition;
  return {
    name,
    ...(title === null ? {} : { title }),
    description,
    inputSchema: parameters,
    ...(returns === null ? {} : { outputSchema: outputSchema(definition.name, returns) }),
    annotations: hints(annotations),
  };
}

/**
 * Whether results of a function that returns this stand under `WRAPPED_RESULT_KEY` in `structuredContent`.
 */
export function wrapsResult(returns: JsonObject): boolean {
  return returns.type !== "object";
}

/** The specification wants an object at the root. */
function outputSchema(functionName: string, returns: JsonObject): JsonObject {
  if (!wrapsResult(returns)) {
    const { schema, sentences } = lowerParameters(functionName, returns, advisory);
    const description = [schema.description, ...sentences]
      .filter((part) => typeof part === "string")
      .join("\n");
    return description === "" ? schema : { ...schema, description };
  }
  const { schema } = lowerSchema(functionName, returns, advisory);
  const { $defs: definitions } = schema;
  return {
    type: "object",
    properties: { [WRAPPED_RESULT_KEY]: without(schema, "$defs") },
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}

function hints({ readOnly, destructive, idempotent, openWorld }: Annotations): JsonObject {
  return {
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}

export const mcp = defineDialect({
  name: "mcp",
  toolNames,
  schemas: wholeJsonSchema,
  rules,
  strict: "The Model Context Protocol has no strict tools; whoever shows them to a model decides that.",
  hasExamples: false,
  deferral: "In the Model Context Protocol, loading tools on demand is up to the client.",
  maxTools: null,
  tool,
  wrap: (tools) => `[${tools.join(",")}]`,
});
