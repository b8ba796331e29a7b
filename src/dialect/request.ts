/** The tools of one request, with what was asked for beyond their plain form. */
import type { EncodedTool, FunctionDefinition } from "../ir.ts";
import type { JsonObject } from "../json.ts";
import { MAX_TOOL_EXAMPLE_CHARACTERS, MAX_TOOL_EXAMPLES } from "../limits.ts";
import { schemaValidator } from "../schema/index.ts";
import { type Encoding, encodedTool } from "./encode.ts";
import { argumentsShown } from "./examples.ts";
import type { ProviderFormat, StrictForm, ToolContent } from "./format.ts";
import { spend } from "./strict-budget.ts";

/** What may be asked for; with nothing of it, the tools are those that `encodeTool` gives. */
export interface ToolOptions {
  /** Hold the model to the schema where the provider can and the schema allows it. */
  strict: boolean;
  /** Show the functions' own examples. */
  examples: boolean;
  /** Load tools when the provider's search finds them. */
  defer: boolean;
}

/** What an option did not do, or what is left to the client. */
export interface ToolNote {
  option: keyof ToolOptions | "tools";
  /** Null where it is about the whole list. */
  function: string | null;
  note: string;
}

/** The tools of a request. */
export interface EncodedTools {
  /** The JSON text of the provider's `tools` parameter. */
  json: string;
  /** In the order of the functions. */
  tools: EncodedTool[];
  notes: ToolNote[];
}

/** Both forms of a function; the strict one is the reasons where its schema cannot have it. */
export interface Encodings {
  plain: (definition: FunctionDefinition) => Encoding;
  strict: (definition: FunctionDefinition) => Encoding | readonly string[];
}

/** Writes the tools of a request. The same functions give the same tools whatever their order. */
export function encodeRequest(
  definitions: readonly FunctionDefinition[],
  options: ToolOptions,
  format: ProviderFormat,
  encodings: Encodings,
): EncodedTools {
  const notes: ToolNote[] = [];
  const chosen = options.strict
    ? strictEncodings(definitions, format, encodings, notes)
    : definitions.map(encodings.plain);
  const deferral = options.defer && typeof format.deferral !== "string" ? format.deferral : null;
  if (options.defer && typeof format.deferral === "string") {
    notes.push({ option: "defer", function: null, note: format.deferral });
  }
  const hasField = format.hasExamples && deferral?.allowsExamples !== false;
  const tools = chosen.map((encoding) => {
    const content = { ...encoding.content, deferred: deferral !== null };
    const shown = options.examples ? withExamples(content, encoding, hasField, notes) : content;
    return encodedTool({ ...encoding, content: shown }, format);
  });
  noteCount(tools.length, deferral !== null, format, notes);
  const search = deferral === null || tools.length === 0 ? [] : [JSON.stringify(deferral.search)];
  return { json: format.wrap([...search, ...tools.map(({ json }) => json)]), tools, notes };
}

/** The strict form of the functions that can have it and that the budget reaches, the plain form of the others. */
function strictEncodings(
  definitions: readonly FunctionDefinition[],
  { strict: form }: ProviderFormat,
  encodings: Encodings,
  notes: ToolNote[],
): Encoding[] {
  if (typeof form === "string") {
    notes.push({ option: "strict", function: null, note: form });
    return definitions.map(encodings.plain);
  }
  const found = definitions.map((definition) => ({ definition, strict: encodings.strict(definition) }));
  const candidates = found.flatMap(({ definition: { name }, strict }) =>
    "content" in strict ? [{ name, schema: strict.content.parameters }] : [],
  );
  const chosen =
    form.budget === null ? new Set(candidates.map(({ name }) => name)) : spend(candidates, form.budget);
  if (chosen.size > 0) {
    const note = form.schemas.everyPropertyRequired ? `${CLOSED} ${ALL_REQUIRED}` : CLOSED;
    notes.push({ option: "strict", function: null, note });
  }
  return found.map(({ definition, strict }) => {
    if ("content" in strict && chosen.has(definition.name)) return strict;
    const note = "content" in strict ? overBudget(strict, form) : notStrict(strict);
    notes.push({ option: "strict", function: definition.name, note });
    const { content, lowered } = encodings.plain(definition);
    return { content: { ...content, strict: false }, lowered };
  });
}

const CLOSED =
  "In a strict tool, an object that does not say whether it may hold more than it declares may not.";
const ALL_REQUIRED = "Arguments that may be left out are null instead.";
const OVER_BUDGET =
  "It could be strict, but what the provider allows of strict tools in one request goes to tools that gain more.";

const TOO_MUCH =
  "It could be strict, but alone takes more than the provider allows of strict tools in one request.";

/** Reasons why a schema cannot be strict that are listed; one is enough to change it. */
const MAX_REASONS = 3;

function notStrict(reasons: readonly string[]): string {
  return `Its schema cannot be strict: ${reasons.slice(0, MAX_REASONS).join("; ")}.`;
}

function overBudget({ content: { name, parameters } }: Encoding, { budget }: StrictForm): string {
  const fitsAlone = budget === null || spend([{ name, schema: parameters }], budget).size > 0;
  return fitsAlone ? OVER_BUDGET : TOO_MUCH;
}

function withExamples(
  content: ToolContent,
  { lowered }: Encoding,
  hasField: boolean,
  notes: ToolNote[],
): ToolContent {
  const { definition, parameters } = content;
  const shown = definition.examples
    .slice(0, MAX_TOOL_EXAMPLES)
    .map((given) => argumentsShown(given, parameters, lowered.aliases));
  const fitting = shown.filter((example) => isShort(example) && (!hasField || isValid(example, parameters)));
  const omitted = definition.examples.length - fitting.length;
  if (omitted > 0) {
    const note = `${omitted} of its examples left out: beyond the first ${MAX_TOOL_EXAMPLES}, too long, or not valid by the schema as it is sent.`;
    notes.push({ option: "examples", function: definition.name, note });
  }
  if (fitting.length === 0) return content;
  if (hasField) return { ...content, examples: fitting };
  const told = `Examples of arguments: ${fitting.map((example) => JSON.stringify(example)).join(", ")}.`;
  return { ...content, description: [content.description, told].filter((part) => part !== "").join("\n") };
}

function isShort(example: JsonObject): boolean {
  return JSON.stringify(example).length <= MAX_TOOL_EXAMPLE_CHARACTERS;
}

function isValid(example: JsonObject, schema: JsonObject): boolean {
  return schemaValidator(schema).validate(example).length === 0;
}

function noteCount(count: number, isDeferred: boolean, format: ProviderFormat, notes: ToolNote[]): void {
  const { maxTools } = format;
  if (maxTools === null || isDeferred || count <= maxTools) return;
  const note = `The provider takes at most ${maxTools} tools in one request; these are ${count}.`;
  notes.push({ option: "tools", function: null, note });
}
