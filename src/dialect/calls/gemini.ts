/**
 * Gemini: `FunctionCall` and `FunctionResponse` in @google/genai 3.3.0, `types.ts`. A call need not have an id; one
 * that has comes back with it. In a response `error` holds "error details"; without that key (and `output`) "whole
 * response is treated as function output".
 */
import * as z from "zod/mini";
import { isJsonObject, type JsonValue } from "../../json.ts";
import { readArguments } from "./arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Writable } from "./call.ts";
import { type Fitting, fitting, readItems } from "./items.ts";

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
      isCall(item) ? readCall(item, path) : readPart(item, path),
    );
  const read = fitting(content, message, "");
  return read.ok ? readItems(read.value.parts ?? [], "/parts", readPart) : read;
}

function isCall(item: JsonValue): boolean {
  return isJsonObject(item) && item.name !== undefined;
}

function readPart(part: JsonValue, path: string): Fitting<ModelCall | null> {
  const call = isJsonObject(part) ? part.functionCall : undefined;
  return call === undefined ? { ok: true, value: null } : readCall(call, `${path}/functionCall`);
}

function readCall(item: JsonValue, path: string): Fitting<ModelCall> {
  const read = fitting(functionCall, item, path);
  if (!read.ok) return read;
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

export const gemini: CallCodec = {
  reads: "json",
  readCalls,
  writeResults: (results) =>
    results.length === 0 ? [] : [{ role: "user", parts: results.map(responsePart) }],
};
