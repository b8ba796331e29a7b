/** How providers write calls and read results. A new one is a file beside this and a line in the table. */
import type { CallFormatName } from "../../vocabulary.ts";
import { anthropic } from "./anthropic.ts";
import type { CallCodec } from "./call.ts";
import { executeSkill } from "./execute-skill.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { openaiResponses } from "./openai-responses.ts";

export type { ReadArguments } from "./arguments.ts";
export type { CallCodec, CallResult, ModelCall, ReadCalls, Writable } from "./call.ts";

/** Every format of calls by its name; the type checker asks for each name of `CallFormatName`. */
export const callCodecs: { readonly [Name in CallFormatName]: CallCodec } = {
  openai,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
  deepseek: openai,
  text: executeSkill,
};
