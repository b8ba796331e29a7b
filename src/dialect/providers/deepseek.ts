/**
 * DeepSeek, function tools: OpenAI's Chat Completions.
 *
 * Where the rules come from: DeepSeek's guide "Tool calls" (2026-09). Its strict mode is a beta at another address
 * (`/beta`), where every function of a request has to be strict, and null is not among the types of its schemas, so
 * that optional arguments could not be left out. A list of tools does not know the address it is sent to.
 */
import { defineDialect } from "../dialect.ts";
import { openaiFormat } from "./openai.ts";

export const deepseek = defineDialect({
  ...openaiFormat,
  name: "deepseek",
  strict:
    "DeepSeek's strict mode is a beta at another address, where every tool has to be strict and none may have optional arguments; no tool claims it.",
  deferral: "DeepSeek has no tools that are loaded on demand.",
});
