import type { JsonValue } from "../../json.ts";

/** The format of whole numbers of 64 bits (OpenAPI's format registry), of which a double holds 53. */
export const INT64 = "int64";

/** Whether a value is a whole number of 64 bits that no double holds, as the text of its decimal digits. */
export function isLargeInteger(value: JsonValue): boolean {
  if (typeof value !== "string" || !/^-?[1-9]\d{15,18}$/.test(value)) return false;
  return !Number.isSafeInteger(Number(value)) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}
