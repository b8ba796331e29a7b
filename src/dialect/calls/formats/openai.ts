/**
 * OpenAI Chat Completions, and DeepSeek, which speaks the same: `ChatCompletionMessageToolCall` and
 * `ChatCompletionToolMessageParam` in openai 6.49.0, `resources/chat/completions/completions.ts`. Arguments are JSON
 * text ("the model does not always generate valid JSON"); some servers that speak this format send the object itself. Calls of custom tools
 * take free text, which no function does: they are the client's own.
 */
import * as z from "zod/mini";
import type { ArgumentFault } from "../../../errors.ts";
import { isJsonObject, type JsonValue } from "../../../json.ts";
import { readArguments } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { type Fitting, fitting, misplacedArguments, readItems, typeOf } from "../items.ts";

const toolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.optional(z.custom<JsonValue>()) }),
});

/** The content is looked at too, so that a message of another provider is not taken for one without calls. */
const assistantMessage = z.object({
  role: z.literal("assistant"),
  content: z.nullish(
    z.union([z.string(), z.array(z.object({ type: z.enum(["text", "refusal"]) }))], {
      error: "text, or parts of the types text and refusal",
    }),
  ),
  tool_calls: z.nullish(z.array(z.custom<JsonValue>())),
});

/** The form of a call before there were tools, whose results name no call. */
const withoutOldCall = z.extend(assistantMessage, {
  function_call: z.nullish(
    z.custom<never>(() => false, {
      error:
        "nothing: calls stand in `tool_calls`, which models make when they are given `tools`, not `functions`",
    }),
  ),
});

function readCalls(message: JsonValue): ReadCalls {
  if (Array.isArray(message)) return readItems(message, "", readToolCall);
  const read = fitting(withoutOldCall, message, "");
  return read.ok ? readItems(read.value.tool_calls ?? [], "/tool_calls", readToolCall) : read;
}

function readToolCall(item: JsonValue, path: string): Fitting<ModelCall | null> {
  if (typeOf(item) === "custom") return { ok: true, value: null };
  const read = fitting(toolCall, item, path);
  if (!read.ok) return read;
  const misplaced = misplacedIn(item, path);
  if (misplaced.length > 0) return { ok: false, faults: misplaced };
  const { id, function: called } = read.value;
  return { ok: true, value: { id, name: called.name, arguments: readArguments(called.arguments) } };
}

function misplacedIn(item: JsonValue, path: string): ArgumentFault[] {
  const called = isJsonObject(item) ? (item.function ?? null) : null;
  return [
    ...misplacedArguments(called, `${path}/function`, "arguments"),
    ...misplacedArguments(item, path, null, "function.arguments"),
  ];
}

function toolMessage({ call, content }: CallResult): Writable {
  return { role: "tool", tool_call_id: call.id, content: JSON.stringify(content) };
}

function isToolCall(item: JsonValue): boolean {
  return isJsonObject(item) && (isJsonObject(item.function) || isJsonObject(item.custom));
}

/** Whether a message is itself the call, in the form before there were tools. */
function isOldCall(item: JsonValue): boolean {
  return isJsonObject(item) && item.role === "assistant" && isJsonObject(item.function_call);
}

const signs: Signs = {
  isCall: (item) => isToolCall(item) || isOldCall(item),
  isItem: isToolCall,
  isMessage: (message) => fitting(assistantMessage, message, "").ok,
  list: "tool_calls",
  inResponse: ["choices", 0, "message"],
};

export const openai: CallCodec = {
  reads: "json",
  signs,
  readCalls,
  writeResults: (results) => results.map(toolMessage),
};
