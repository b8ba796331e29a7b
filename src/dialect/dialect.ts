/**
 * One provider's format for tools: what it is to the rest of the program, and how a format's data becomes
 * one.
 */
import type { EncodedTool, FunctionDefinition, Loss } from "../ir.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json.ts";
import { MAX_SCHEMA_SENTENCE_CHARACTERS } from "../limits.ts";
import { shorten } from "../shorten.ts";
import type { DialectName } from "../vocabulary.ts";
import { problemsOf, type ToolRules } from "./check.ts";
import { type LoweredSchema, lowerParameters } from "./lowering/lower.ts";
import { shownSchema } from "./lowering/shown.ts";
import type { SchemaTarget } from "./lowering/target.ts";
import { type NameRule, safeName } from "./names.ts";

/** A provider's format for tools. Everything here is a pure function. */
export interface Dialect {
  readonly name: DialectName;
  /**
   * One function as this provider's tool: JSON text, and what got lost. The same function gives the same
   * bytes.
   */
  encodeTool(definition: FunctionDefinition): EncodedTool;
  /** The JSON text of the provider's `tools` parameter, from the JSON texts of tools. */
  wrapTools(tools: readonly string[]): string;
  /** The name under which the provider knows a function. */
  toolName(functionName: string): string;
  /** The function, out of `known` ones, that the provider calls `toolName`; null where none is. */
  functionName(toolName: string, known: ReadonlySet<string>): string | null;
  /** Arguments as the function declares them, from arguments as the provider's tool declares them. */
  restoreArguments(definition: FunctionDefinition, given: JsonObject): JsonObject;
  /** What this provider would refuse in a tool's JSON text, one sentence each. */
  problemsOf(tool: string): string[];
}

/** What there is to say about a function, ready to be put into a provider's shape. */
export interface ToolContent {
  name: string;
  description: string;
  parameters: JsonObject;
  definition: FunctionDefinition;
}

/** A provider's format as data; the only thing that a provider's file has to state. */
interface ProviderFormat {
  name: DialectName;
  toolNames: NameRule;
  schemas: SchemaTarget;
  rules: ToolRules;
  /** Puts a tool into the provider's shape. */
  tool: (content: ToolContent) => JsonObject;
  /** Puts the JSON texts of tools into the provider's `tools` parameter. */
  wrap: (tools: readonly string[]) => string;
}

interface Encoding {
  tool: JsonObject;
  lowered: LoweredSchema;
}

/** Makes a dialect of a provider's data. */
export function defineDialect(format: ProviderFormat): Dialect {
  const toolName = (name: string): string => safeName(name, format.toolNames);
  // A call needs the way back that encoding found; both come from one lowering, kept as long as the function
  // is.
  const encodings = new WeakMap<FunctionDefinition, Encoding>();
  const encodingOf = (definition: FunctionDefinition): Encoding => {
    const known = encodings.get(definition);
    if (known !== undefined) return known;
    const encoding = encode(definition, format);
    encodings.set(definition, encoding);
    return encoding;
  };
  return {
    name: format.name,
    toolName,
    wrapTools: format.wrap,
    encodeTool: (definition) => {
      const { tool, lowered } = encodingOf(definition);
      return {
        json: JSON.stringify(tool),
        losses: [...nameLoss(definition.name, toolName), ...lowered.losses],
      };
    },
    functionName: (name, known) => {
      if (known.has(name) && toolName(name) === name) return name;
      for (const candidate of known) if (toolName(candidate) === name) return candidate;
      return null;
    },
    restoreArguments: (definition, given) => {
      const restored = encodingOf(definition).lowered.restore?.(given, 0) ?? given;
      return isJsonObject(restored) ? restored : given;
    },
    problemsOf: (tool) => {
      const parsed: JsonValue = JSON.parse(tool);
      return problemsOf(parsed, format.rules);
    },
  };
}

function encode(definition: FunctionDefinition, format: ProviderFormat): Encoding {
  const lowered = lowerParameters(definition.name, definition.parameters, format.schemas);
  const tool = assemble(definition, lowered, format);
  const problems = problemsOf(tool, format.rules);
  if (problems.length === 0) return { tool, lowered };
  const plain = plainly(definition, format, problems);
  return { tool: assemble(definition, plain, format), lowered: plain };
}

function assemble(
  definition: FunctionDefinition,
  lowered: LoweredSchema,
  format: ProviderFormat,
): JsonObject {
  const sentences = [...lowered.sentences, ...(definition.deprecated ? ["Deprecated."] : [])].join(" ");
  return format.tool({
    name: safeName(definition.name, format.toolNames),
    description: [definition.description, sentences].filter((part) => part !== "").join("\n"),
    parameters: lowered.schema,
    definition,
  });
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
  const open = jsonObject([
    ["type", "object"],
    ["additionalProperties", true],
  ]);
  const lowered = lowerParameters(name, open, schemas);
  const note = `The provider would refuse the schema (${problems.join("; ")}).`;
  const text = shorten(JSON.stringify(shownSchema(parameters, new Map())), MAX_SCHEMA_SENTENCE_CHARACTERS);
  const loss: Loss = { function: name, path: "", keyword: "properties", outcome: "described", note };
  return { ...lowered, sentences: [`Arguments: ${text}.`], losses: [loss] };
}

function nameLoss(functionName: string, toolName: (name: string) => string): Loss[] {
  const name = toolName(functionName);
  if (name === functionName) return [];
  const note = `The tool is called ${JSON.stringify(name)}; calls find the function again.`;
  return [{ function: functionName, path: "", keyword: "name", outcome: "renamed", note }];
}
