/** How programs write a text into URLs, JSON, pages and Base64: what an upstream says back of a secret. */
import { base64 } from "./decode.ts";

/** Shorter pieces of Base64 or hexadecimal digits would be found by chance in what is no secret. */
const MIN_ENCODED_CHARACTERS = 8;

/**
 * A header is sent without the blanks around it, and secrets often end in a newline. A host is lower case in a URL, and
 * a URL within another's query is encoded twice.
 */
export function spellingsOf(secret: string): string[] {
  return [...new Set([secret, secret.trim()])].flatMap((given) => {
    const value = given.toWellFormed();
    const bytes = new TextEncoder().encode(value);
    return [
      given,
      given.toLowerCase(),
      ...urlSpellings(value),
      ...jsonSpellings(value),
      htmlSpelling(value),
      ...[...hexSpellings(bytes), ...base64Spellings(bytes)].filter(isTelling),
    ];
  });
}

/** A query writes a space as `+`, a path as `%20`; the digits of a percent-encoding are of either case (RFC 3986). */
function urlSpellings(value: string): string[] {
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const encoded = encodeURIComponent(value);
  const lower = [form, encoded].map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [form, encoded, ...lower, encodeURIComponent(form), encodeURIComponent(encoded)];
}

/** Within a text that holds JSON, or JSON that holds JSON; some encoders keep to ASCII. */
function jsonSpellings(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const ascii = escaped.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [escaped, ascii, ...[escaped, ascii].map((text) => JSON.stringify(text).slice(1, -1))];
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function htmlSpelling(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

function hexSpellings(bytes: Uint8Array): string[] {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [digits, digits.toUpperCase()];
}

/**
 * Base64 of the whole, and what is the same wherever the bytes stand within others: a character is six bits, so there
 * are three ways to lie on them, and those that share bits with a neighbour are left out.
 */
function base64Spellings(bytes: Uint8Array): string[] {
  const cores = [0, 1, 2].map((offset) => {
    const encoded = base64(Uint8Array.of(...new Uint8Array(offset), ...bytes));
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [base64(bytes), ...cores].flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

function isTelling(encoded: string): boolean {
  return encoded.length >= MIN_ENCODED_CHARACTERS;
}
