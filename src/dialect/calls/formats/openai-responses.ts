/**
 * OpenAI Responses: `ResponseFunctionToolCall` and `ResponseInputItem.FunctionCallOutput` in openai 6.49.0,
 * `resources/responses/responses.ts`. The output of a response holds other items too (`reasoning`, `message`, calls
 * of OpenAI's own tools), which want no answer.
 */
import * as z from "zod/mini";
import type { JsonValue } from "../../../json.ts";
import { type ReadArguments, readArguments } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { type Fitting, fitting, fittingCall, fragment, readTypedItems, typeOf } from "../items.ts";

const functionCall = z.object({
  call_id: z.string(),
  name: z.string(),
  arguments: z.optional(z.custom<JsonValue>()),
  status: z.nullish(z.string()),
});

const FUNCTION_CALL = "function_call";

/** The events of a stream are `ResponseStreamEvent`, all but `error` of a name that begins alike. */
const TYPES = { call: FUNCTION_CALL, event: /^response\./ };

const response = z.object({ output: z.array(z.custom<JsonValue>()) });

function readCalls(message: JsonValue): ReadCalls {
  if (Array.isArray(message)) return readTypedItems(message, "", TYPES, readFunctionCall);
  const read = fitting(response, message, "");
  if (!read.ok) return read;
  return readTypedItems(read.value.output, "/output", TYPES, readFunctionCall);
}

function readFunctionCall(item: JsonValue, path: string): Fitting<ModelCall> {
  const read = fittingCall(functionCall, item, path, "arguments");
  if (!read.ok) return read;
  const { call_id: id, name, arguments: given, status } = read.value;
  if (status === "in_progress") return { ok: false, faults: [fragment(`${path}/status`, status)] };
  return {
    ok: true,
    value: { id, name, arguments: status === "incomplete" ? CUT_OFF : readArguments(given) },
  };
}

/** A response that came to its end within a call: that cannot be made, but wants its answer. */
const CUT_OFF: ReadArguments = {
  ok: false,
  fault: {
    path: "",
    rule: "json",
    expected: "the arguments of a call that is whole; make it again, with less text before it or in it",
    got: "a call that was cut off (status incomplete)",
  },
};

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
