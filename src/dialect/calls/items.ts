/** Reads the list of calls in a message, item by item, by a provider's own schema. */
import * as z from "zod/mini";
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

/** What every item has in the formats that name the types of items. */
const typedItem = z.object({ type: z.string() });

/** The calls among items that all say their type, of those that `type` names. */
export function readTypedItems(
  items: readonly JsonValue[],
  path: string,
  type: string,
  readCall: (item: JsonValue, path: string) => Fitting<ModelCall>,
): ReadCalls {
  return readItems(items, path, (item, at) => {
    const typed = fitting(typedItem, item, at);
    if (!typed.ok) return typed;
    return typed.value.type === type ? readCall(item, at) : { ok: true, value: null };
  });
}

/** The type of an item, as most providers name it; empty where it says none. */
export function typeOf(item: JsonValue): string {
  return isJsonObject(item) && typeof item.type === "string" ? item.type : "";
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
  if (issue.code === "invalid_value") return oneOf(issue.values.map((value) => JSON.stringify(value)));
  return issue.message;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? values.join() : `one of ${values.join(", ")}`;
}

const TYPES = new Map([
  ["string", "text"],
  ["object", "an object"],
  ["array", "a list"],
]);
