import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { FunctionError } from "./function.ts";

/** Below zero where the left text comes first. Characters count: UTF-16 units would put 😀 before ！. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Moves the halves of characters beyond U+FFFF behind all other units. */
function rank(unit: number): number {
  if (unit < 0xd8_00) return unit;
  return unit < 0xe0_00 ? unit + 0x20_00 : unit - 0x08_00;
}

/**
 * Below zero where the left value comes first: numbers of any kind, texts, times, durations, and false before true.
 * @throws FunctionError for values of two kinds, and for those that have no order
 */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  const [a, b] = [orderedForm(left), orderedForm(right)];
  if (a.kind !== b.kind) throw new FunctionError(`a ${a.kind} and a ${b.kind} have no order`);
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}

function orderedForm(value: unknown): { kind: string; value: number | bigint } {
  if (typeof value === "number" || typeof value === "bigint") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "bool", value: Number(value) };
  if (value instanceof UnsignedInt) return { kind: "number", value: value.valueOf() };
  if (value instanceof Date) return { kind: "timestamp", value: value.getTime() };
  if (value instanceof Duration) return { kind: "duration", value: value.valueOf() };
  if (typeof value === "string") return { kind: "text", value: 0 };
  throw new FunctionError(`${Array.isArray(value) ? "lists" : "such values"} have no order`);
}

/** A text that two values share exactly where CEL's `==` holds between them. */
export function identityOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (Array.isArray(value)) return `[${value.map(identityOf).join()}]`;
  if (value instanceof Date) return `time ${value.getTime()}`;
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (typeof value !== "object" || value === null || value instanceof UnsignedInt) return String(value);
  if (value instanceof Duration) return `duration ${value.seconds} ${value.nanos}`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([key, member]) => `${identityOf(key)}:${identityOf(member)}`).sort()}}`;
}
