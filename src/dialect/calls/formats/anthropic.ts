/**
 * Anthropic Messages: `ToolUseBlock` and `ToolResultBlockParam` in @anthropic-ai/sdk 1.14.0,
 * `resources/messages/messages.ts`. All results of a message stand in one user message, which has to follow at once.
 */
import * as z from "zod/mini";
import { isJsonObject, type JsonValue } from "../../../json.ts";
import { readArguments } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { type Fitting, fitting, fittingCall, fragment, readTypedItems, typeOf } from "../items.ts";

const toolUse = z.object({
  id: z.string(),
  name: z.string(),
  input: z.optional(z.custom<JsonValue>()),
});

const TOOL_USE = "tool_use";

/** The events of a stream are `RawMessageStreamEvent`, what they add to a block `RawContentBlockDelta`. */
const TYPES = { call: TOOL_USE, event: /^(?:message_(?:start|delta|stop)|content_block_\w+|\w+_delta)$/ };

/** Where clients gather the JSON text of an input whose stream has not ended. */
const PARTIAL_INPUT = ["partial_json", "input_json", "__json_buf"];

const message = z.object({
  role: z.optional(z.literal("assistant")),
  content: z.union([z.string(), z.array(z.custom<JsonValue>())], { error: "text, or a list of blocks" }),
});

function readCalls(given: JsonValue): ReadCalls {
  if (Array.isArray(given)) return readTypedItems(given, "", TYPES, readToolUse);
  const read = fitting(message, given, "");
  if (!read.ok) return read;
  const { content } = read.value;
  return readTypedItems(typeof content === "string" ? [] : content, "/content", TYPES, readToolUse);
}

function readToolUse(item: JsonValue, path: string): Fitting<ModelCall> {
  const read = fittingCall(toolUse, item, path, "input");
  if (!read.ok) return read;
  const partial = PARTIAL_INPUT.find((name) => isJsonObject(item) && Object.hasOwn(item, name));
  if (partial !== undefined) return { ok: false, faults: [fragment(`${path}/${partial}`, item)] };
  const { id, name, input } = read.value;
  return { ok: true, value: { id, name, arguments: readArguments(input) } };
}

function resultBlock({ call, content, isFailure }: CallResult): Writable {
  return {
    type: "tool_result",
    tool_use_id: call.id,
    content: JSON.stringify(content),
    ...(isFailure ? { is_error: true } : {}),
  };
}

/** The types of the blocks that a model's message may have. */
const BLOCK = /^(?:text|(?:redacted_)?thinking|(?:\w+_)?tool_(?:use|result)|container_upload)$/;

const signs: Signs = {
  isCall: (item) => typeOf(item) === TOOL_USE,
  isItem: (item) => BLOCK.test(typeOf(item)),
  isMessage: (given) => given.role !== undefined && fitting(message, given, "").ok,
  list: "content",
  inResponse: null,
};

export const anthropic: CallCodec = {
  reads: "json",
  signs,
  readCalls,
  writeResults: (results) =>
    results.length === 0 ? [] : [{ role: "user", content: results.map(resultBlock) }],
};
