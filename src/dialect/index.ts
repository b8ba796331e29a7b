/** The providers' formats. A new one is a file in `providers` and a line in the table. */
import type { DialectName } from "../vocabulary.ts";
import type { Dialect } from "./dialect.ts";
import { anthropic } from "./providers/anthropic.ts";
import { deepseek } from "./providers/deepseek.ts";
import { gemini } from "./providers/gemini.ts";
import { mcp } from "./providers/mcp.ts";
import { openai } from "./providers/openai.ts";
import { openaiResponses } from "./providers/openai-responses.ts";

export type { Dialect } from "./dialect.ts";
export { WRAPPED_RESULT_KEY, wrapsResult } from "./providers/mcp.ts";
export type { EncodedTools, ToolNote, ToolOptions } from "./request.ts";

/** Every dialect by its name; the type checker asks for each name of `DialectName`. */
export const dialects: { readonly [Name in DialectName]: Dialect } = {
  openai,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
  mcp,
  deepseek,
};
