/** Reads the list of calls in a message, item by item, by a provider's own schema. */
import type * as z from "zod/mini";
import type { ArgumentFault } from "../../errors.ts";
import { atPath, escapePointerToken, isJsonObject, type JsonValue } from "../../json.ts";
import { quoteValue } from "../../schema/index.ts";
import type { ModelCall, ReadCalls } from "./call.ts";

/** A value that fits a schema, or where it does not. */
export type Fitting<Value> = { ok: true; value: Value } | { ok: false; faults: ArgumentFault[] };

/** Holds a part of a message against a schema. `path` is the JSON Pointer of the part. */
export function fitting<Schema extends z.ZodMiniType>(
  schema: Schema,
  part: JsonValue,
  path: string,
): Fitting<z.output<Schema>> {
  const parsed = schema.safeParse(part);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.map((issue) => faultOf(issue, part, path)) };
}

/** What one item of a message is: a call, or null for anything else that may stand there. */
export type ReadItem = (item: JsonValue, path: string) => Fitting<ModelCall | null>;

/** The calls among items, or the faults of all of them. */
export function readItems(items: readonly JsonValue[], path: string, readItem: ReadItem): ReadCalls {
  const read = items.map((item, index) => readItem(item, `${path}/${index}`));
  const faults = read.flatMap((item) => (item.ok ? [] : item.faults));
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, calls: read.flatMap((item) => (item.ok && item.value !== null ? [item.value] : [])) };
}

/** A message that is neither what the format has nor the list of its calls. */
export function strangeMessage(message: JsonValue, expected: string): ReadCalls {
  return { ok: false, faults: [{ path: "", rule: "type", expected, got: quoteValue(message) }] };
}

/** Whether an item is of a type, as most providers name it. */
export function isOfType(item: JsonValue, type: string): boolean {
  return isJsonObject(item) && item.type === type;
}

function faultOf(issue: z.core.$ZodIssue, part: JsonValue, path: string): ArgumentFault {
  const keys = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const value = atPath(part, keys);
  return {
    path: path + keys.map((key) => `/${escapePointerToken(String(key))}`).join(""),
    rule: issue.code ?? "invalid",
    expected: expectation(issue),
    got: value === undefined ? "nothing" : quoteValue(value),
  };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return TYPES.get(issue.expected) ?? issue.expected;
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  return issue.message;
}

const TYPES = new Map([
  ["string", "text"],
  ["object", "an object"],
  ["array", "a list"],
]);
