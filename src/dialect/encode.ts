/** One function in one provider's words, in the plain form and in the strict one. */
import type { FunctionDefinition, Loss } from "../ir.ts";
import { type JsonObject, jsonObject } from "../json.ts";
import { MAX_SCHEMA_SENTENCE_CHARACTERS } from "../limits.ts";
import { shorten } from "../shorten.ts";
import { problemsOf, type ToolRules } from "./check.ts";
import type { ProviderFormat, StrictForm, ToolContent } from "./format.ts";
import { type LoweredSchema, lowerParameters } from "./lowering/lower.ts";
import { shownSchema } from "./lowering/shown.ts";
import { safeName } from "./names.ts";

/** A function in a provider's words. */
export interface Encoding {
  content: ToolContent;
  lowered: LoweredSchema;
}

/** A function as a tool that the provider takes, whatever becomes of its schema. */
export function encode(definition: FunctionDefinition, format: ProviderFormat): Encoding {
  const lowered = lowerParameters(definition.name, definition.parameters, format.schemas);
  const encoding = encodingWith(definition, lowered, format);
  const problems = problemsIn(encoding, format, format.rules);
  if (problems.length === 0) return encoding;
  const plain = { ...definition, returns: null };
  return encodingWith(plain, plainly(definition, format, problems), format);
}

/** A function as a strict tool, or why its schema cannot be one. */
export function encodeStrict(
  definition: FunctionDefinition,
  format: ProviderFormat,
  form: StrictForm,
): Encoding | string[] {
  const lowered = lowerParameters(definition.name, definition.parameters, form.schemas);
  if (lowered.isCut) return ["it is too large, or nested too far, to be written out"];
  const encoding = encodingWith(definition, lowered, format);
  encoding.content.strict = true;
  const problems = problemsIn(encoding, format, form.rules);
  return problems.length === 0 ? encoding : problems;
}

/** A tool as JSON text, and what got lost on the way to it. */
export function encodedTool(
  { content, lowered }: Encoding,
  format: ProviderFormat,
): { json: string; losses: Loss[] } {
  const { definition, name } = content;
  const renaming: Loss = {
    function: definition.name,
    path: "",
    keyword: "name",
    outcome: "renamed",
    note: `The tool is called ${JSON.stringify(name)}; calls find the function again.`,
  };
  return {
    json: JSON.stringify(format.tool(content)),
    losses: [...(name === definition.name ? [] : [renaming]), ...lowered.losses],
  };
}

function problemsIn({ content }: Encoding, format: ProviderFormat, rules: ToolRules): string[] {
  return problemsOf(format.tool(content), rules);
}

function encodingWith(
  definition: FunctionDefinition,
  lowered: LoweredSchema,
  format: ProviderFormat,
): Encoding {
  const sentences = [...lowered.sentences, ...(definition.deprecated ? ["Deprecated."] : [])].join(" ");
  const content: ToolContent = {
    name: safeName(definition.name, format.toolNames),
    description: [definition.description, sentences].filter((part) => part !== "").join("\n"),
    parameters: lowered.schema,
    definition,
    strict: null,
    examples: [],
    deferred: false,
  };
  return { content, lowered };
}

/**
 * The form of last resort, for schemas so malformed that lowering cannot save them: an open object, and the
 * schema as text. One tool is worse for it; the request that it is part of is not refused.
 */
function plainly(
  { name, parameters }: FunctionDefinition,
  { schemas }: ProviderFormat,
  problems: readonly string[],
): LoweredSchema {
  const open: JsonObject = jsonObject([
    ["type", "object"],
    ["additionalProperties", true],
  ]);
  const lowered = lowerParameters(name, open, schemas);
  const note = `The provider would refuse the schema (${problems.join("; ")}).`;
  const text = shorten(JSON.stringify(shownSchema(parameters, new Map())), MAX_SCHEMA_SENTENCE_CHARACTERS);
  const loss: Loss = { function: name, path: "", keyword: "properties", outcome: "described", note };
  return { ...lowered, sentences: [`Arguments: ${text}.`], losses: [loss] };
}
