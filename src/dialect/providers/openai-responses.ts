/**
 * OpenAI Responses, function tools: what Chat Completions takes, in a flat shape.
 *
 * Where the rules come from:
 * - shape: `FunctionTool` and `ToolSearchTool` in openai 6.49.0, `resources/responses/responses.ts`;
 * - `strict` is always sent: the interface makes tools strict that say nothing of it (guide "Migrate to the
 *   Responses API", "Functions are strict by default"), and would then refuse or change most schemas;
 * - deferred loading: guide "Tool search" (`defer_loading: true`, and a tool of type `tool_search` beside it).
 *
 * `output_schema`, which describes the text of a result, is not sent: a result is advisory here, and what a reply
 * holds beside it is not the function's to describe.
 */
import type { ToolRules } from "../check.ts";
import { defineDialect } from "../dialect.ts";
import { openaiFormat, openaiStrict } from "./openai.ts";

const flat = { nameAt: "/name", schemaAt: "/parameters" } satisfies Partial<ToolRules>;

export const openaiResponses = defineDialect({
  ...openaiFormat,
  name: "openai-responses",
  rules: { ...openaiFormat.rules, ...flat },
  strict: {
    ...openaiStrict,
    rules: { ...openaiStrict.rules, ...flat },
    claimAt: "/strict",
  },
  deferral: { search: { type: "tool_search" }, allowsExamples: true },
  tool: ({ name, description, parameters, strict, deferred }) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: strict ?? false,
    ...(deferred ? { defer_loading: true } : {}),
  }),
});
