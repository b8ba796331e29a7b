import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isJsonObject, type JsonValue, jsonObject } from "../json.ts";
import { MAX_EXPRESSION_OUTPUT, MAX_EXPRESSION_RESULT_CHARACTERS } from "../limits.ts";
import { durationText } from "./functions/durations.ts";
import { timeText } from "./functions/times.ts";
import { type CelType, holdsInts, type ListType } from "./types.ts";

/** A value inside an expression: JSON, and what CEL knows beyond it (int as bigint, timestamps, bytes, …). */
export type CelValue = unknown;

/**
 * Hands a JSON value to an expression: whole numbers of an `int` variable, and of lists of `int`, become CEL's int.
 * The engine tells objects apart by their `constructor`, so objects that have a key of that name are handed on as maps.
 */
export function toCel(value: JsonValue, type: CelType): CelValue {
  if (typeof type === "object" && "present" in type) return toCel(value, type.present);
  if (typeof value === "number") return type === "int" && Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value) && isListOfInts(type)) return value.map((item) => toCel(item, type.elements));
  return typeof value === "object" && value !== null && hidesItsKind(value) ? asMaps(value) : value;
}

function isListOfInts(type: CelType): type is ListType {
  return typeof type === "object" && "elements" in type && holdsInts(type);
}

/** Values that were looked through already; a reply's body is seen by several expressions. */
const plain = new WeakSet<object>();

function hidesItsKind(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null || plain.has(value)) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, "constructor")) return true;
  if (Object.values(value).some(hidesItsKind)) return true;
  plain.add(value);
  return false;
}

function asMaps(value: JsonValue): CelValue {
  if (Array.isArray(value)) return value.map(asMaps);
  if (!isJsonObject(value)) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, asMaps(member)]));
}

/** Says that a result has no JSON form. */
export class NotJsonError extends Error {}

/**
 * Brings a result back to JSON. Whole numbers are whole numbers; those beyond 2^53 become text, because JSON
 * readers would round them. Timestamps are ISO 8601, bytes are base64, durations are CEL's text (`90s`).
 * @throws NotJsonError for infinities, NaN and types, and for a result too large to be written out
 */
export function fromCel(value: CelValue): JsonValue {
  return new JsonWriter().write(value);
}

/** A list may stand many times in a result that names it, and in JSON each of them is written. */
class JsonWriter {
  #values = MAX_EXPRESSION_OUTPUT;
  #characters = MAX_EXPRESSION_RESULT_CHARACTERS;

  write(value: CelValue): JsonValue {
    if (--this.#values < 0)
      throw new NotJsonError(`the result has more than ${MAX_EXPRESSION_OUTPUT} values`);
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return this.#text(value).toWellFormed();
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return finite(value);
    if (typeof value === "bigint")
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    return this.#object(value);
  }

  #text(text: string): string {
    this.#characters -= text.length;
    if (this.#characters < 0)
      throw new NotJsonError(`the result has more than ${MAX_EXPRESSION_RESULT_CHARACTERS} characters`);
    return text;
  }

  #object(value: object): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.write(item));
    if (value instanceof Set) return [...value].map((item) => this.write(item));
    if (value instanceof Date) return timeText(value);
    if (value instanceof UnsignedInt) return this.write(value.valueOf());
    if (value instanceof Duration) return durationText(value);
    if (value instanceof Optional) return value.hasValue() ? this.write(value.value()) : null;
    if (value instanceof Uint8Array) return this.#text(base64(value));
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    const prototype = Object.getPrototypeOf(value);
    if (!(value instanceof Map) && prototype !== Object.prototype && prototype !== null) {
      throw new NotJsonError("the result is a type, which has no JSON form");
    }
    return jsonObject(entries.map(([key, member]) => [this.#text(String(key)), this.write(member)]));
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new NotJsonError(`the result is ${value}, which has no JSON form`);
  return Object.is(value, -0) ? 0 : value;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
