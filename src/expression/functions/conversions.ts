import type { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isJsonObject, type JsonValue } from "../../json.ts";
import { toCel } from "../values.ts";
import { type AddedFunction, FunctionError } from "./function.ts";

/**
 * In place of the engine's own: `int` and `double` take only decimal digits and know unsigned numbers, and
 * `bytes.json()` works outside Node.
 */
export const conversionReplacements: AddedFunction[] = [
  { signature: "int(int): int", run: (value: bigint) => value },
  { signature: "int(uint): int", run: (value: UnsignedInt) => value.valueOf() },
  { signature: "int(double): int", run: intFromDouble },
  { signature: "int(string): int", run: intFromText },
  {
    signature: "int(google.protobuf.Timestamp): int",
    run: (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
  },
  { signature: "double(double): double", run: (value: number) => value },
  { signature: "double(int): double", run: (value: bigint) => Number(value) },
  { signature: "double(uint): double", run: (value: UnsignedInt) => Number(value.valueOf()) },
  { signature: "double(string): double", run: doubleFromText },
  { signature: "bytes.json(): map", run: json },
];

/** Towards zero. */
function intFromDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new FunctionError(`${value} is not a whole number`);
  return BigInt(Math.trunc(value));
}

function intFromText(text: string): bigint {
  if (!/^[+-]?\d{1,30}$/.test(text)) throw new FunctionError(`${quoted(text)} is not a whole number`);
  return BigInt(text.replace("+", ""));
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const ENDLESS = new Map([
  ["NaN", Number.NaN],
  ["Inf", Number.POSITIVE_INFINITY],
  ["+Inf", Number.POSITIVE_INFINITY],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Inf", Number.NEGATIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function doubleFromText(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  const value = ENDLESS.get(text);
  if (value === undefined) throw new FunctionError(`${quoted(text)} is not a number`);
  return value;
}

function quoted(text: string): string {
  return JSON.stringify(Array.from(text.slice(0, 60)).slice(0, 30).join(""));
}

/** The JSON object that stands in UTF-8. */
function json(bytes: Uint8Array): unknown {
  let value: JsonValue;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FunctionError("the bytes are not JSON");
  }
  if (!isJsonObject(value)) throw new FunctionError("the bytes are JSON, but no object");
  return toCel(value, "dyn");
}
