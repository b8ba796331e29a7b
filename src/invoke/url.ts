/** URLs made of a base, path pieces and query fields; each piece of user text stays within its place. */
import type { ArgumentFault } from "../errors.ts";
import type { PathPart, QueryStyle } from "../ir.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { quoteValue } from "../schema/index.ts";

export type PathResult = { ok: true; path: string } | { ok: false; fault: ArgumentFault };

/**
 * Fills a path template. Values are percent-encoded, lists are joined by commas (RFC 6570, simple expansion),
 * and no value may be empty or make a dot segment, however it is written.
 */
export function buildPath(parts: readonly PathPart[], args: JsonObject): PathResult {
  let path = "";
  for (const part of parts) {
    if (typeof part === "string") {
      path += part;
      continue;
    }
    const value = args[part.parameter] ?? null;
    const text = pathText(value);
    if (text === null || text === "")
      return { ok: false, fault: pathFault(part.parameter, "a value for the path", value) };
    path += text;
  }
  const dotted = path.split("/").find((segment) => segment === "." || segment === "..");
  if (dotted === undefined) return { ok: true, path };
  const guilty = parts.find(
    (part) => typeof part !== "string" && /^\.{0,2}$/.test(pathText(args[part.parameter] ?? null) ?? ""),
  );
  const name = guilty === undefined || typeof guilty === "string" ? "" : guilty.parameter;
  return {
    ok: false,
    fault: pathFault(name, "a value that makes no dot segment of the path", args[name] ?? null),
  };
}

function pathFault(parameter: string, expected: string, value: JsonValue): ArgumentFault {
  return { path: `/${parameter}`, rule: "path", expected, got: quoteValue(value) };
}

function pathText(value: JsonValue): string | null {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => encodeURIComponent(scalarText(item))).join(",");
  return encodeURIComponent(scalarText(value));
}

/** A value as one text: numbers and booleans as JSON writes them, objects and lists as JSON. */
export function scalarText(value: JsonValue): string {
  return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
}

const encode = (value: JsonValue): string => encodeURIComponent(scalarText(value));

/** How a list is written, by style; the separators of `csv` and `pipe` differ in whether they are encoded. */
const listStyles: { [Style in QueryStyle]: (name: string, items: readonly JsonValue[]) => string[] } = {
  csv: (name, items) => [`${name}=${items.map(encode).join(",")}`],
  pipe: (name, items) => [`${name}=${items.map(encode).join("%7C")}`],
  repeat: (name, items) => items.map((item) => `${name}=${encode(item)}`),
  brackets: (name, items) => items.map((item) => `${name}%5B%5D=${encode(item)}`),
};

/** The `name=value` pieces of one query field: none for null and for an empty list, `false` and 0 are sent. */
export function queryPieces(name: string, value: JsonValue, style: QueryStyle): string[] {
  if (value === null) return [];
  const wire = encodeURIComponent(name);
  if (!Array.isArray(value)) return [`${wire}=${encode(value)}`];
  return value.length === 0 ? [] : listStyles[style](wire, value);
}

/** Joins a base URL (its own path kept), a path that begins with a slash, and query pieces. */
export function joinUrl(baseUrl: string, path: string, pieces: readonly string[]): string {
  const base = baseUrl.replace(/\/+$/, "");
  return pieces.length === 0 ? base + path : `${base}${path}?${pieces.join("&")}`;
}
