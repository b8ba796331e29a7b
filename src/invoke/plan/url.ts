/** URLs made of a base, path pieces and query fields; each piece of user text stays within its place. */
import type { ArgumentFault } from "../../errors.ts";
import type { PathPart, QueryStyle } from "../../ir.ts";
import { escapePointerToken, type JsonObject, type JsonValue } from "../../json.ts";
import { quoteValue } from "../../schema/index.ts";

type PathResult = { ok: true; path: string } | { ok: false; fault: ArgumentFault };

/**
 * Fills a path template. Values are percent-encoded, lists are joined by commas (RFC 6570, simple expansion),
 * and no value may be empty or make a dot segment, however it is written.
 */
export function buildPath(parts: readonly PathPart[], args: JsonObject): PathResult {
  let path = "";
  const places: { parameter: string; offset: number }[] = [];
  for (const part of parts) {
    if (typeof part === "string") {
      path += part;
      continue;
    }
    const text = pathText(args[part.parameter] ?? null);
    if (text === "") return refused(part.parameter, "a value for the path", args);
    places.push({ parameter: part.parameter, offset: path.length });
    path += text;
  }
  const dotted = places.find(({ offset }) => isDotSegment(segmentAt(path, offset)));
  if (dotted === undefined) return { ok: true, path };
  return refused(dotted.parameter, "a value that makes no dot segment of the path", args);
}

function refused(parameter: string, expected: string, args: JsonObject): PathResult {
  const got = quoteValue(args[parameter] ?? null);
  return { ok: false, fault: { path: `/${escapePointerToken(parameter)}`, rule: "path", expected, got } };
}

function segmentAt(path: string, offset: number): string {
  const start = path.lastIndexOf("/", offset) + 1;
  const end = path.indexOf("/", offset);
  return path.slice(start, end === -1 ? path.length : end);
}

/**
 * A template may write a dot as `%2e`, which URL parsers take for one (URL Standard, "double-dot URL path
 * segment").
 */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

function pathText(value: JsonValue): string {
  if (value === null) return "";
  return Array.isArray(value) ? defined(value).map(encode).join(",") : encode(value);
}

/** The items of a list that are there; a null among them is as good as none (RFC 6570, section 2.3). */
function defined(items: readonly JsonValue[]): JsonValue[] {
  return items.filter((item) => item !== null);
}

/** A value as one text: numbers and booleans as JSON writes them, objects and lists as JSON. */
export function scalarText(value: JsonValue): string {
  return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
}

function encode(value: JsonValue): string {
  return encodeURIComponent(scalarText(value));
}

/** How a list is written, by style; the separators of `csv` and `pipe` differ in whether they are encoded. */
const listStyles: { [Style in QueryStyle]: (name: string, items: readonly string[]) => string[] } = {
  csv: (name, items) => [`${name}=${items.join(",")}`],
  pipe: (name, items) => [`${name}=${items.join("%7C")}`],
  repeat: (name, items) => items.map((item) => `${name}=${item}`),
  brackets: (name, items) => items.map((item) => `${name}%5B%5D=${item}`),
};

/**
 * The `name=value` pieces of one query field: none for null and for a list without items, `false` and 0 are
 * sent. A null within a list is left out.
 */
export function queryPieces(name: string, value: JsonValue, style: QueryStyle): string[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [`${encode(name)}=${encode(value)}`];
  const items = defined(value).map(encode);
  return items.length === 0 ? [] : listStyles[style](encode(name), items);
}

/** Joins a base URL (its own path kept), a path that begins with a slash, and query pieces. */
export function joinUrl(baseUrl: string, path: string, pieces: readonly string[]): string {
  const base = baseUrl.replace(/\/+$/, "");
  return pieces.length === 0 ? base + path : `${base}${path}?${pieces.join("&")}`;
}
