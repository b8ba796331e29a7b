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

/** Members that have a call's arguments, with one provider or another. */
const ARGUMENT_MEMBERS = ["arguments", "args", "input", "parameters"];

/**
 * The faults of a call that has arguments where another provider's calls have them: there they would be passed over,
 * and the function called without any.
 * @param right the member of this format's calls that has them; null where none of the object's has
 * @param inWords where they stand, as it is told
 */
export function misplacedArguments(
  call: JsonValue,
  path: string,
  right: string | null,
  inWords = right,
): ArgumentFault[] {
  if (!isJsonObject(call)) return [];
  const expected = `nothing: arguments stand in \`${inWords}\``;
  return ARGUMENT_MEMBERS.flatMap((name) => {
    const given = Object.hasOwn(call, name) ? (call[name] ?? null) : null;
    if (name === right || given === null) return [];
    return [{ path: `${path}/${name}`, rule: "misplaced", expected, got: quoteValue(given) }];
  });
}

/** As `fitting`, for a call with its arguments in one member: in none of the others, where they would be passed over. */
export function fittingCall<Schema extends z.ZodMiniType>(
  schema: Schema,
  call: JsonValue,
  path: string,
  right: string,
): Fitting<z.output<Schema>> {
  const fits = fitting(schema, call, path);
  const misplaced = misplacedArguments(call, path, right);
  if (misplaced.length === 0) return fits;
  return { ok: false, faults: fits.ok ? misplaced : [...fits.faults, ...misplaced] };
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

/** The types of items that matter. */
interface ItemTypes {
  call: string;
  /** What a stream sends before there is a whole message. */
  event: RegExp;
}

/** The calls among items that all say their type. */
export function readTypedItems(
  items: readonly JsonValue[],
  path: string,
  { call, event }: ItemTypes,
  readCall: (item: JsonValue, path: string) => Fitting<ModelCall>,
): ReadCalls {
  return readItems(items, path, (item, at) => {
    const typed = fitting(typedItem, item, at);
    if (!typed.ok) return typed;
    const { type } = typed.value;
    if (event.test(type)) return { ok: false, faults: [fragment(`${at}/type`, type)] };
    return type === call ? readCall(item, at) : { ok: true, value: null };
  });
}

/** The fault of what a stream sent of a message that is not yet whole. */
export function fragment(path: string, got: JsonValue): ArgumentFault {
  const expected = "a part of a whole message: assemble what the stream sends first";
  return { path, rule: "fragment", expected, got: quoteValue(got) };
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
