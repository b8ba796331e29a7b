/**
 * OpenAI Responses: `ResponseFunctionToolCall` and `ResponseInputItem.FunctionCallOutput` in openai 6.49.0,
 * `resources/responses/responses.ts`. The output of a response holds other items too (`reasoning`, `message`, calls
 * of OpenAI's own tools), which want no answer.
 */
import * as z from "zod/mini";
import type { JsonValue } from "../../json.ts";
import { readArguments } from "./arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Writable } from "./call.ts";
import { type Fitting, fitting, isOfType, readItems } from "./items.ts";

const functionCall = z.object({
  call_id: z.string(),
  name: z.string(),
  arguments: z.optional(z.custom<JsonValue>()),
});

const response = z.object({ output: z.array(z.custom<JsonValue>()) });

function readCalls(message: JsonValue): ReadCalls {
  if (Array.isArray(message)) return readItems(message, "", readItem);
  const read = fitting(response, message, "");
  return read.ok ? readItems(read.value.output, "/output", readItem) : read;
}

function readItem(item: JsonValue, path: string): Fitting<ModelCall | null> {
  if (!isOfType(item, "function_call")) return { ok: true, value: null };
  const read = fitting(functionCall, item, path);
  if (!read.ok) return read;
  const { call_id: id, name, arguments: given } = read.value;
  return { ok: true, value: { id, name, arguments: readArguments(given) } };
}

function outputItem({ call, content }: CallResult): Writable {
  return { type: "function_call_output", call_id: call.id, output: JSON.stringify(content) };
}

export const openaiResponses: CallCodec = {
  reads: "json",
  readCalls,
  writeResults: (results) => results.map(outputItem),
};
