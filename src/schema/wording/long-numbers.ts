import type { JsonObject } from "../../json.ts";
import { isNumberInText } from "../../parse-json.ts";
import { INT64 } from "../keywords/large-integers.ts";

/** Decimal digits that a double always holds (IEEE 754). */
const SAFE_DIGITS = 15;

/**
 * Where a number is wanted and a text was got that is one, only longer than a double holds: what more is to be
 * expected of it, as the end of the words for its type; null for any other text.
 */
export function longNumberWords(text: string, { type, format }: JsonObject): string | null {
  const types = Array.isArray(type) ? type : [type];
  const isWhole = types.includes("integer");
  const isWanted = isWhole || types.includes("number");
  if (!isWanted || !isNumberInText(text)) return null;
  if (isWhole && format === INT64) return ` from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`;
  if (!types.includes("number"))
    return `, no further from 0 than ${Number.MAX_SAFE_INTEGER}: of a longer one digits would be lost`;
  const value = Number(text);
  if (!Number.isFinite(value)) return `, no further from 0 than ${Number.MAX_VALUE}`;
  return ` of at most ${SAFE_DIGITS} digits, ${value.toPrecision(SAFE_DIGITS)}: further ones would be lost`;
}
