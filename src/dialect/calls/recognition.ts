/**
 * Whether a message is of another format than it was sent as, or another part of the conversation than an assistant's
 * message. Formats pass over what they do not know, so that calls of another one would get no answer in silence.
 */
import { atPath, isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import type { CallFormatName } from "../../vocabulary.ts";
import type { CallCodec, Signs } from "./call.ts";
import { mcpSigns } from "./formats/mcp.ts";

/** A format that is known by its signs; calls of `mcp` are known, but not read. */
export type KnownFormat = CallFormatName | "mcp";

/** What a message is in place of one of its format, and where that shows (JSON Pointer). */
export type Misfit =
  /** Of another format: of the only one that has what stands there, or of any of several. */
  | { is: "other format"; path: string; formats: KnownFormat[] }
  /** A whole response, with the message in `part`, such as `choices[0].message`; `format` is null for the right one. */
  | { is: "response"; path: string; format: CallFormatName | null; part: string }
  /** One call, which stands in no list. */
  | { is: "call alone"; path: string }
  /** A list of messages. */
  | { is: "conversation"; path: string }
  /** A text in quotes, or a message, that holds calls as text. */
  | { is: "text in JSON"; path: string };

type Codecs = Readonly<Record<CallFormatName, CallCodec>>;

interface Known {
  format: KnownFormat;
  signs: Signs;
}

/** What a message is in place of one of `format`; null where it is that, or nothing that is known. */
export function misfitOf(message: JsonValue, format: CallFormatName, codecs: Codecs): Misfit | null {
  const own = codecs[format];
  const others = othersThan(own, codecs);
  if (own.reads === "json") return misfitOfValue(message, own.signs, [...others, MCP], codecs);
  const inside = typeof message === "string" ? jsonIn(message) : message;
  return inside === undefined ? null : misfitOfValue(inside, own.signs, others, codecs);
}

const MCP: Known = { format: "mcp", signs: mcpSigns };

/** The other formats, one name each: formats that share a codec are one. */
function othersThan(own: CallCodec, codecs: Codecs): Known[] {
  const others = new Map<Signs, Known>();
  let format: CallFormatName;
  for (format in codecs) {
    const { signs } = codecs[format];
    if (signs !== own.signs && !others.has(signs)) others.set(signs, { format, signs });
  }
  return [...others.values()];
}

/** What a text is that is JSON from its first character to its last. */
function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[{["]/.test(text)) return undefined;
  const parsed = parseJson(text, MAX_NESTING);
  return parsed.ok ? parsed.value : undefined;
}

function misfitOfValue(
  value: JsonValue,
  own: Signs,
  others: readonly Known[],
  codecs: Codecs,
): Misfit | null {
  if (typeof value === "string") return holdsCall(value, codecs) ? { is: "text in JSON", path: "" } : null;
  if (Array.isArray(value)) return misfitOfItems(value, "", own, others) ?? conversation(value);
  return isJsonObject(value) ? misfitOfObject(value, own, others) : null;
}

function misfitOfItems(
  items: readonly JsonValue[],
  path: string,
  own: Signs,
  others: readonly Known[],
): Misfit | null {
  for (const [index, item] of items.entries()) {
    if (own.isItem(item)) continue;
    const formats = formatsOf(others, ({ isItem }) => isItem(item));
    if (formats.length > 0) return { is: "other format", path: `${path}/${index}`, formats };
  }
  return null;
}

/** Items of a message have no role, but for those of Responses, which are known by their type. */
function conversation(items: readonly JsonValue[]): Misfit | null {
  const index = items.findIndex(
    (item) => isJsonObject(item) && item.type === undefined && typeof item.role === "string",
  );
  return index === -1 ? null : { is: "conversation", path: `/${index}` };
}

function misfitOfObject(message: JsonObject, own: Signs, others: readonly Known[]): Misfit | null {
  const whole = responseOf(message, own, others) ?? callsElsewhere(message, own, others);
  if (whole !== null) return whole;
  if (own.isCall(message)) return own.isMessage(message) ? null : { is: "call alone", path: "" };
  const alone = formatsOf(others, ({ isCall }) => isCall(message));
  if (alone.length > 0) return { is: "other format", path: "", formats: alone };
  if (own.isMessage(message)) return null;
  const formats = formatsOf(others, ({ isMessage }) => isMessage(message));
  return formats.length === 0 ? null : { is: "other format", path: "", formats };
}

function responseOf(message: JsonObject, own: Signs, others: readonly Known[]): Misfit | null {
  for (const { format, signs } of [{ format: null, signs: own }, ...others]) {
    const { inResponse } = signs;
    if (format === "mcp" || inResponse === null || !isJsonObject(atPath(message, inResponse))) continue;
    return { is: "response", path: "", format, part: written(inResponse) };
  }
  return null;
}

/** A path as one writes it in code: `choices[0].message`. */
function written(path: readonly (string | number)[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

/** Items of others in the list of this format, and calls of others in their own lists beside it. */
function callsElsewhere(message: JsonObject, own: Signs, others: readonly Known[]): Misfit | null {
  const list = own.list === null ? undefined : message[own.list];
  const strange = Array.isArray(list) ? misfitOfItems(list, `/${own.list}`, own, others) : null;
  if (strange !== null) return strange;
  for (const { format, signs } of others) {
    const theirs = signs.list === null ? undefined : message[signs.list];
    const index = Array.isArray(theirs) ? theirs.findIndex((item) => signs.isCall(item)) : -1;
    if (index !== -1) return { is: "other format", path: `/${signs.list}/${index}`, formats: [format] };
  }
  return null;
}

/** What a message says in which a call stands as text; null where no text holds one. */
export function callInText(message: JsonValue, codecs: Codecs): Misfit | null {
  return textsIn(message).some((text) => holdsCall(text, codecs)) ? { is: "text in JSON", path: "" } : null;
}

/** The texts of a message of any format, wherever it has its list. */
function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === "string" ? [] : textsIn(item)));
  if (!isJsonObject(value)) return [];
  return [value.content, value.parts, value.output, value.text].flatMap((member) => textsIn(member));
}

/** Whether a text holds a call that can be read; one that only mentions calls does not. */
function holdsCall(text: string, { text: codec }: Codecs): boolean {
  const read = codec.readCalls(text);
  return read.ok && read.calls.some((call) => call.arguments.ok);
}

function formatsOf(known: readonly Known[], has: (signs: Signs) => boolean): KnownFormat[] {
  return known.filter(({ signs }) => has(signs)).map(({ format }) => format);
}
