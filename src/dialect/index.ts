/** The providers' formats. A new one is a file beside this and a line in the table. */
import type { DialectName } from "../vocabulary.ts";
import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { mcp } from "./mcp.ts";
import { openai } from "./openai.ts";

export type { Dialect } from "./dialect.ts";
export { WRAPPED_RESULT_KEY, wrapsResult } from "./mcp.ts";

/** Every dialect by its name; the type checker asks for each name of `DialectName`. */
export const dialects: { readonly [Name in DialectName]: Dialect } = { openai, anthropic, gemini, mcp };
