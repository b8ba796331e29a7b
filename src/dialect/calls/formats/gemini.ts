/**
 * Gemini: `FunctionCall` and `FunctionResponse` in @google/genai 3.3.0, `genai.d.ts`. A call need not have an id; one
 * that has comes back with it. In a response `error` holds "error details"; without that key (and `output`) "whole
 * response is treated as function output".
 */
import * as z from "zod/mini";
import { isJsonObject, type JsonValue } from "../../../json.ts";
import { readArguments } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { type Fitting, fitting, fittingCall, fragment, readItems } from "../items.ts";

/** Members are written as JSON has them, or in snake case, as objects of the Python SDK have them (`model_dump`). */
const functionCall = z.object({
  id: z.nullish(z.string()),
  name: z.string(),
  args: z.optional(z.custom<JsonValue>()),
});

/** A model that stopped without a word sends a content that has no parts. */
const content = z.object({ role: z.literal("model"), parts: z.nullish(z.array(z.custom<JsonValue>())) });

/** The list alone is of parts, or of the calls in them, as the SDK's `response.functionCalls` has them. */
function readCalls(message: JsonValue): ReadCalls {
  if (Array.isArray(message))
    return readItems(message, "", (item, path) =>
      isJsonObject(item) && item.name !== undefined ? readCall(item, path) : readPart(item, path),
    );
  const read = fitting(content, message, "");
  return read.ok ? readItems(read.value.parts ?? [], "/parts", readPart) : read;
}

const part = z.object({
  functionCall: z.nullish(z.custom<JsonValue>()),
  function_call: z.nullish(z.custom<JsonValue>()),
});

function readPart(item: JsonValue, path: string): Fitting<ModelCall | null> {
  const read = fitting(part, item, path);
  if (!read.ok) return read;
  const { functionCall: call, function_call: sameCall } = read.value;
  if (call !== undefined && call !== null) return readCall(call, `${path}/functionCall`);
  if (sameCall !== undefined && sameCall !== null) return readCall(sameCall, `${path}/function_call`);
  return { ok: true, value: null };
}

/** What a call has that a stream has not sent the whole of: "the last part of the FunctionCall" has none of it. */
const PARTIAL = ["partialArgs", "willContinue", "partial_args", "will_continue"];

function readCall(item: JsonValue, path: string): Fitting<ModelCall> {
  const read = fittingCall(functionCall, item, path, "args");
  if (!read.ok) return read;
  const partial = isJsonObject(item) ? PARTIAL.find((name) => (item[name] ?? false) !== false) : undefined;
  if (partial !== undefined) return { ok: false, faults: [fragment(`${path}/${partial}`, item)] };
  const { id = null, name, args } = read.value;
  return { ok: true, value: { id, name, arguments: readArguments(args) } };
}

function responsePart({ call, content: said, isFailure }: CallResult): Writable {
  const { id, name } = call;
  return {
    functionResponse: {
      ...(id === null ? {} : { id }),
      name,
      response: isFailure ? { error: said } : said,
    },
  };
}

/** The members of a part that hold an object. */
const HELD = [
  "functionCall",
  "function_call",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
];

function isCall(item: JsonValue): boolean {
  // A message of OpenAI's old form has a role beside its `function_call`.
  if (!isJsonObject(item) || item.type !== undefined || item.role !== undefined) return false;
  if (isJsonObject(item.functionCall) || isJsonObject(item.function_call)) return true;
  return typeof item.name === "string" && isJsonObject(item.args);
}

function isPart(item: JsonValue): boolean {
  if (!isJsonObject(item) || item.type !== undefined) return false;
  return typeof item.text === "string" || HELD.some((member) => isJsonObject(item[member]));
}

const signs: Signs = {
  isCall,
  isItem: (item) => isCall(item) || isPart(item),
  isMessage: ({ role, parts = [] }) => role === "model" && Array.isArray(parts),
  list: "parts",
  inResponse: ["candidates", 0, "content"],
};

export const gemini: CallCodec = {
  reads: "json",
  signs,
  readCalls,
  writeResults: (results) =>
    results.length === 0 ? [] : [{ role: "user", parts: results.map(responsePart) }],
};
