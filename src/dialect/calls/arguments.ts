import type { ArgumentFault } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import { type JsonScan, scanJson } from "./json-syntax.ts";

/** The arguments of a call, whatever they are, or why their text is none. */
export type ReadArguments = { ok: true; value: JsonValue } | { ok: false; fault: ArgumentFault };

/**
 * Arguments as a call has them: JSON text, as OpenAI sends them, or the object itself. Nothing, null and blank text
 * are no arguments; what is JSON but no object is left for the check of the arguments to refuse. Numbers that would
 * be rounded become text.
 */
export function readArguments(given: JsonValue | undefined): ReadArguments {
  if (given === undefined || given === null) return { ok: true, value: {} };
  if (typeof given !== "string") return { ok: true, value: given };
  const parsed = parseJson(given, MAX_NESTING);
  if (parsed.ok) return { ok: true, value: parsed.value ?? {} };
  return { ok: false, fault: syntaxFault(given, scanJson(given, 0, MAX_NESTING)) };
}

/** A fault that says where a text stops being JSON, what would have to stand there, and what does. */
export function syntaxFault(text: string, scan: JsonScan): ArgumentFault {
  const at = scan.ok ? scan.end : scan.at;
  const expected = scan.ok ? "nothing more" : scan.expected;
  const got = at >= text.length ? "the end of the text" : excerpt(text, at);
  return { path: "", rule: "json", expected: `one JSON object; at character ${at + 1} ${expected}`, got };
}

const AROUND = 40;

/** The place in its surroundings, marked, as one JSON text so that it stays on a line. */
function excerpt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - AROUND), at).toWellFormed();
  const after = text.slice(at, at + AROUND).toWellFormed();
  return `${JSON.stringify(after)} after ${JSON.stringify(before)}`;
}
