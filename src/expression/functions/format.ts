import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import type { Meter } from "../meter.ts";
import { durationText } from "./durations.ts";
import { type AddedFunction, FunctionError } from "./function.ts";
import { timeText } from "./times.ts";

/** Digits behind the point, at most (what `toFixed` takes). */
const MAX_PRECISION = 100;

/** `text.format([values])` as cel-go has it; `%s` takes single values, no lists or maps. */
export const formatAdditions: AddedFunction[] = [
  { signature: "string.format(list): string", run: format, cost: payForFormat },
];

const CLAUSE = /%(?:(%)|(?:\.(\d{1,3}))?([a-zA-Z]))/g;

function format(text: string, values: unknown[]): string {
  let used = 0;
  const done = text.replace(CLAUSE, (clause, percent, precision, kind: string) => {
    if (percent !== undefined) return "%";
    if (used >= values.length) throw new FunctionError(`there is no value for ${clause}`);
    const places = precision === undefined ? 6 : Number(precision);
    if (places > MAX_PRECISION) throw new FunctionError(`${clause} has more than ${MAX_PRECISION} digits`);
    const writer = WRITERS.get(kind);
    if (writer === undefined) throw new FunctionError(`there is no ${clause} in a format`);
    return writer(values[used++], places, clause);
  });
  if (used < values.length) throw new FunctionError(`of ${values.length} values the format takes ${used}`);
  return done;
}

type Writer = (value: unknown, places: number, clause: string) => string;

const WRITERS = new Map<string, Writer>([
  ["s", single],
  ["d", (value, _places, clause) => wholeOf(value, clause).toString()],
  ["b", (value, _places, clause) => wholeOf(value, clause).toString(2)],
  ["o", (value, _places, clause) => wholeOf(value, clause).toString(8)],
  ["x", (value, _places, clause) => wholeOf(value, clause).toString(16)],
  ["X", (value, _places, clause) => wholeOf(value, clause).toString(16).toUpperCase()],
  ["f", (value, places, clause) => decimalOf(value, clause).toFixed(places)],
  ["e", (value, places, clause) => exponentForm(decimalOf(value, clause), places)],
]);

/** A value as `string()` gives it. */
function single(value: unknown, _places: number, clause: string): string {
  if (value instanceof Date) return timeText(value);
  if (value instanceof Duration) return durationText(value);
  if (typeof value !== "object" || value === null || value instanceof UnsignedInt) return String(value);
  throw new FunctionError(`${clause} takes a single value`);
}

/** JSON's numbers are decimal, also where they are whole. */
function wholeOf(value: unknown, clause: string): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof UnsignedInt) return value.valueOf();
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  throw new FunctionError(`${clause} takes a whole number`);
}

function decimalOf(value: unknown, clause: string): number {
  if (typeof value === "number") return value;
  return Number(wholeOf(value, clause));
}

/** At least two digits of exponent, as Go writes them. */
function exponentForm(value: number, places: number): string {
  return value.toExponential(places).replace(/e([+-])(\d)$/, "e$10$2");
}

/** Characters of a decimal number with all its places, and of any other value but a text, at most. */
const DECIMAL_CHARACTERS = 420;
const SINGLE_CHARACTERS = 64;

/** Each value stands in the result once. */
function payForFormat([text, values]: readonly unknown[], meter: Meter): void {
  if (typeof text !== "string" || !Array.isArray(values)) return;
  let size = text.length;
  for (const value of values) size += longest(value);
  meter.allow(size);
  meter.pay(text.length >> 2);
}

function longest(value: unknown): number {
  if (typeof value === "string") return value.length;
  return typeof value === "number" ? DECIMAL_CHARACTERS : SINGLE_CHARACTERS;
}
