import type { PromptPart, PromptPiece } from "../../ir.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { MAX_PROMPT_CHARACTERS } from "../../limits.ts";

/** A prompt as a model gets it, or why there is none. */
export type PromptRendering = { ok: true; text: string } | { ok: false; reason: string };

/**
 * Puts arguments into a prompt. A clause stands only where the value of its parameter has any text. What an
 * argument contains is never read as a template again.
 */
export function renderPrompt(parts: readonly PromptPart[], args: JsonObject): PromptRendering {
  const texts = new Map(Object.entries(args).map(([name, value]) => [name, promptText(value)]));
  let text = "";
  for (const piece of piecesOf(parts, texts)) {
    text += typeof piece === "string" ? piece : (texts.get(piece.parameter) ?? "");
    // A long argument may stand in thousands of places.
    if (text.length > MAX_PROMPT_CHARACTERS) {
      return { ok: false, reason: `the prompt has more than ${MAX_PROMPT_CHARACTERS} characters` };
    }
  }
  return { ok: true, text };
}

function piecesOf(parts: readonly PromptPart[], texts: ReadonlyMap<string, string>): PromptPiece[] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || !("clause" in part)) return [part];
    return (texts.get(part.clause) ?? "") === "" ? [] : part.pieces;
  });
}

/**
 * A value as it reads within a prompt: null is nothing, a number stands in full digits, the items of a list
 * are set apart by commas. What has a structure of its own is JSON.
 */
export function promptText(value: JsonValue): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.some(isStructured) ? JSON.stringify(value) : joined(value);
  return typeof value === "object" ? JSON.stringify(value) : scalarText(value);
}

function isStructured(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** A null in a list is as good as none. */
function joined(items: readonly JsonValue[]): string {
  return items
    .filter((item) => item !== null)
    .map(promptText)
    .join(", ");
}

function scalarText(value: string | number | boolean): string {
  return typeof value === "number" ? numberText(value) : String(value);
}

/** A number without an exponent: `0.0000001` where JavaScript writes `1e-7`. */
function numberText(value: number): string {
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${"0".repeat(-shift - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction.padEnd(shift, "0")}`;
}
