/**
 * OpenAI Responses: `ResponseFunctionToolCall` and `ResponseInputItem.FunctionCallOutput` in openai 6.49.0,
 * `resources/responses/responses.ts`. The output of a response holds other items too (`reasoning`, `message`, calls
 * of OpenAI's own tools), which want no answer.
 */
import * as z from "zod/mini";
import type { JsonValue } from "../../../json.ts";
import { readArguments } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { type Fitting, fitting, readTypedItems, typeOf } from "../items.ts";

const functionCall = z.object({
  call_id: z.string(),
  name: z.string(),
  arguments: z.optional(z.custom<JsonValue>()),
});

const FUNCTION_CALL = "function_call";

const response = z.object({ output: z.array(z.custom<JsonValue>()) });

function readCalls(message: JsonValue): ReadCalls {
  if (Array.isArray(message)) return readTypedItems(message, "", FUNCTION_CALL, readFunctionCall);
  const read = fitting(response, message, "");
  if (!read.ok) return read;
  return readTypedItems(read.value.output, "/output", FUNCTION_CALL, readFunctionCall);
}

function readFunctionCall(item: JsonValue, path: string): Fitting<ModelCall> {
  const read = fitting(functionCall, item, path);
  if (!read.ok) return read;
  const { call_id: id, name, arguments: given } = read.value;
  return { ok: true, value: { id, name, arguments: readArguments(given) } };
}

function outputItem({ call, content }: CallResult): Writable {
  return { type: "function_call_output", call_id: call.id, output: JSON.stringify(content) };
}

/** The types of the items that the output of a response may have, but for a few that have no word in common. */
const ITEM = /^(?:message|reasoning|program)$|_(?:call|output)$/;

function isItem(item: JsonValue): boolean {
  return ITEM.test(typeOf(item));
}

const signs: Signs = {
  isCall: (item) => typeOf(item) === FUNCTION_CALL,
  isItem,
  isMessage: ({ output, object }) =>
    Array.isArray(output) && (object === "response" || output.some((item) => isItem(item))),
  list: "output",
  inResponse: null,
};

export const openaiResponses: CallCodec = {
  reads: "json",
  signs,
  readCalls,
  writeResults: (results) => results.map(outputItem),
};
