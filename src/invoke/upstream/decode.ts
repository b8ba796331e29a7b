/** Turns the bytes of an upstream's reply into a JSON value, by what its headers say they are. */
import { type Failure, failed, type Result, success } from "../../errors.ts";
import { type JsonValue, jsonObject } from "../../json.ts";
import { MAX_REPLY_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";

/** A reply's body and the media type it was labelled with, if any. */
interface DecodedBody {
  body: JsonValue;
  mediaType: string | null;
}

/**
 * Reads a body. Empty and 204 are null. JSON types are parsed, and UPSTREAM_UNPARSABLE where they do not
 * parse. Text comes back as a string; so does a page of HTML, whose media type says what it is. Where the
 * label is merely what servers say by default (`text/plain`, `text/html`, octets, none), a whole body that is
 * a JSON object or array is taken for one. Anything else is `{media_type, base64}`.
 */
export function decodeBody(
  bytes: Uint8Array,
  contentType: string | null,
  status: number,
): Result<DecodedBody> {
  const { mediaType, charset } = parseContentType(contentType ?? "");
  if (bytes.length === 0 || status === 204) return success({ body: null, mediaType });
  if (mediaType !== null && isJsonType(mediaType)) {
    const json = parseJson(decodeText(bytes, charset), MAX_REPLY_NESTING);
    if (!json.ok) return failed(unparsable(`it is labelled ${mediaType} but ${json.fault}`, status));
    return success({ body: json.value, mediaType });
  }
  const text = textOf(bytes, mediaType, charset);
  if (text === null) return success({ body: binary(bytes, mediaType), mediaType });
  return success({ body: structured(text, mediaType) ?? text, mediaType });
}

interface ContentType {
  mediaType: string | null;
  charset: string | null;
}

/**
 * RFC 9110, sections 5.6.6 and 8.3.1; each half of a type has at most 127 characters (RFC 6838, section 4.2).
 */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
const PARAMETER = /;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;

/** Splits a Content-Type; a header that is none gives nulls, as if it were absent. */
export function parseContentType(header: string): ContentType {
  const essence = (header.split(";")[0] ?? "").trim().toLowerCase();
  if (!MEDIA_TYPE.test(essence)) return { mediaType: null, charset: null };
  const parameters = header.includes(";") ? [...header.matchAll(PARAMETER)] : [];
  const value = parameters.find(([, name]) => name?.toLowerCase() === "charset")?.[2];
  return { mediaType: essence, charset: value === undefined ? null : unquoted(value.trim()) };
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
}

const OCTETS = new Set<string | null>([null, "application/octet-stream", "binary/octet-stream"]);
/** Labels that servers give without being told to, so that they say little of the body. */
const DEFAULT_LABELS = new Set<string | null>([
  ...OCTETS,
  "text/plain",
  "text/html",
  "text/javascript",
  "application/javascript",
]);
const TEXT_TYPES = new Set([
  "application/javascript",
  "application/jsonl",
  "application/ndjson",
  "application/sql",
  "application/toml",
  "application/x-ndjson",
  "application/x-www-form-urlencoded",
  "application/x-yaml",
  "application/xml",
  "application/yaml",
]);

function isJsonType(mediaType: string): boolean {
  return mediaType === "application/json" || mediaType === "text/json" || mediaType.endsWith("+json");
}

/**
 * The body as text, or null where it is not text. Octets, and types unknown here that name a charset, are
 * text when every byte decodes and none is NUL: servers put `charset=utf-8` on images and archives too.
 */
function textOf(bytes: Uint8Array, mediaType: string | null, charset: string | null): string | null {
  if (isTextType(mediaType)) return decodeText(bytes, charset);
  const unclear = OCTETS.has(mediaType) || (charset !== null && mediaType?.startsWith("application/"));
  if (!unclear || bytes.includes(0)) return null;
  const text = decodeText(bytes, charset);
  return text.includes("\ufffd") ? null : text;
}

function isTextType(mediaType: string | null): boolean {
  if (mediaType === null) return false;
  return mediaType.startsWith("text/") || /\+(?:xml|yaml)$/.test(mediaType) || TEXT_TYPES.has(mediaType);
}

function structured(text: string, mediaType: string | null): JsonValue | undefined {
  if (!DEFAULT_LABELS.has(mediaType) || !/^\s*[[{]/.test(text)) return undefined;
  const json = parseJson(text, MAX_REPLY_NESTING);
  return json.ok ? json.value : undefined;
}

/**
 * Well-formed text, as all decoders give (Encoding Standard). A label that is unknown counts as UTF-8, and a
 * byte order mark wins over any label.
 */
function decodeText(bytes: Uint8Array, charset: string | null): string {
  const label = byteOrderMark(bytes) ?? charset ?? "utf-8";
  return decoderFor(label).decode(bytes);
}

/** The encoding that a byte order mark gives (Encoding Standard, "BOM sniff"). */
function byteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : null;
}

const UTF_8 = new TextDecoder();

function decoderFor(label: string): TextDecoder {
  if (label === "utf-8") return UTF_8;
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}

function binary(bytes: Uint8Array, mediaType: string | null): JsonValue {
  return jsonObject([
    ["media_type", mediaType ?? "application/octet-stream"],
    ["base64", base64(bytes)],
  ]);
}

/**
 * A multiple of three, so that the pieces' encodings join without padding, and few enough for a call's
 * arguments.
 */
const BASE64_PIECE = 3 * 8192;

/** Base64 of bytes, however many. */
export function base64(bytes: Uint8Array): string {
  let encoded = "";
  for (let start = 0; start < bytes.length; start += BASE64_PIECE) {
    encoded += btoa(String.fromCharCode(...bytes.subarray(start, start + BASE64_PIECE)));
  }
  return encoded;
}

/** A reply that came but cannot be used; `reason` completes "the reply could not be read: …". */
export function unparsable(reason: string, status: number): Failure {
  return { code: "UPSTREAM_UNPARSABLE", upstream: { status, code: null, message: null }, reason };
}
