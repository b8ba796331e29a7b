/**
 * Anthropic Messages: `ToolUseBlock` and `ToolResultBlockParam` in @anthropic-ai/sdk 1.14.0,
 * `resources/messages/messages.ts`. All results of a message stand in one user message, which has to follow at once.
 */
import * as z from "zod/mini";
import type { JsonValue } from "../../json.ts";
import { readArguments } from "./arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Writable } from "./call.ts";
import { type Fitting, fitting, isOfType, readItems } from "./items.ts";

const toolUse = z.object({
  id: z.string(),
  name: z.string(),
  input: z.optional(z.custom<JsonValue>()),
});

const message = z.object({
  content: z.union([z.string(), z.array(z.custom<JsonValue>())], { error: "text, or a list of blocks" }),
});

function readCalls(given: JsonValue): ReadCalls {
  if (Array.isArray(given)) return readItems(given, "", readBlock);
  const read = fitting(message, given, "");
  if (!read.ok) return read;
  const { content } = read.value;
  return readItems(typeof content === "string" ? [] : content, "/content", readBlock);
}

function readBlock(item: JsonValue, path: string): Fitting<ModelCall | null> {
  if (!isOfType(item, "tool_use")) return { ok: true, value: null };
  const read = fitting(toolUse, item, path);
  if (!read.ok) return read;
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

export const anthropic: CallCodec = {
  reads: "json",
  readCalls,
  writeResults: (results) =>
    results.length === 0 ? [] : [{ role: "user", content: results.map(resultBlock) }],
};
