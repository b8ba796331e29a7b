/** How providers write calls and read results. A new one is a file in `formats` and a line in the table. */
import type { ArgumentFault } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { parseJson } from "../../parse-json.ts";
import type { CallFormatName } from "../../vocabulary.ts";
import type { CallCodec, ModelCall } from "./call.ts";
import { anthropic } from "./formats/anthropic.ts";
import { executeSkill } from "./formats/execute-skill.ts";
import { gemini } from "./formats/gemini.ts";
import { openai } from "./formats/openai.ts";
import { openaiResponses } from "./formats/openai-responses.ts";
import { callInText, type Misfit, misfitOf } from "./recognition.ts";

export type { ReadArguments } from "./arguments.ts";
export type { CallCodec, CallResult, ModelCall, ReadCalls, Writable } from "./call.ts";
export type { KnownFormat, Misfit } from "./recognition.ts";

/** Every format of calls by its name; the type checker asks for each name of `CallFormatName`. */
export const callCodecs: { readonly [Name in CallFormatName]: CallCodec } = {
  openai,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
  deepseek: openai,
  text: executeSkill,
};

/** What a model wrote, also where the text was sent as JSON, in quotes. */
function unquoted(text: JsonValue): JsonValue {
  if (typeof text !== "string" || !/^\s*"/.test(text)) return text;
  const parsed = parseJson(text, 0);
  return parsed.ok && typeof parsed.value === "string" ? parsed.value : text;
}

/** The calls of a message, or what is wrong with it: what it is instead, or where it does not fit. */
export type ReadMessage =
  | { ok: true; calls: ModelCall[] }
  | { ok: false; misfit: Misfit | null; faults: ArgumentFault[] };

/** Reads an assistant's message, or the list of its calls alone, and takes no other format's for it. */
export function readMessage(format: CallFormatName, sent: JsonValue): ReadMessage {
  const codec = callCodecs[format];
  const message = codec.reads === "text" ? unquoted(sent) : sent;
  const misfit = misfitOf(message, format, callCodecs);
  if (misfit !== null) return { ok: false, misfit, faults: [] };
  const read = codec.readCalls(message);
  if (!read.ok) return { ok: false, misfit: null, faults: read.faults };
  if (read.calls.length > 0 || codec.reads === "text") return read;
  const inText = callInText(message, callCodecs);
  return inText === null ? read : { ok: false, misfit: inText, faults: [] };
}
