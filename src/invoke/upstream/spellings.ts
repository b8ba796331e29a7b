/** How secrets look in what an upstream says back, where escapes are undone: themselves, in Base64, in hexadecimal. */
import { base64 } from "./decode.ts";
import { unescaped } from "./unescape.ts";

/** Shorter pieces of Base64 or hexadecimal digits would be found by chance in what is no secret. */
const MIN_ENCODED_CHARACTERS = 8;

/** Layers of escapes that are looked through: a URL within another's query has two, JSON within a page's URL three. */
export const MAX_LAYERS = 6;

/** A way to write a secret: what finds it, and how many characters it has at least. */
interface Spelling {
  source: string;
  length: number;
}

/** What finds any of the secrets, and how many characters the shortest of them has. */
export interface SecretPattern {
  source: string;
  shortest: number;
}

/**
 * A regular expression for secrets, to be read without regard to case: a host is lower case in a URL, and some programs
 * say a name in capitals. It takes time linear in the text, since all that it repeats are line breaks, which no other
 * part of it is. Where a secret contains another one, the longer is found.
 */
export function secretPattern(secrets: readonly string[]): SecretPattern {
  const all = secrets.filter((secret) => secret.trim() !== "").flatMap(spellingsOf);
  const distinct = new Map(all.map((spelling) => [spelling.source, spelling]));
  const sorted = [...distinct.values()].sort((one, other) => other.length - one.length);
  // What has no alternative at all would be found everywhere.
  const source = sorted.length === 0 ? "(?!)" : sorted.map((spelling) => spelling.source).join("|");
  return { source, shortest: sorted.at(-1)?.length ?? Number.POSITIVE_INFINITY };
}

/** A header is sent without the blanks around it, and secrets often end in a newline. */
function spellingsOf(secret: string): Spelling[] {
  return [...new Set([secret, secret.trim()])].flatMap((given) => {
    const bytes = new TextEncoder().encode(given.toWellFormed());
    const encoded = [hexadecimal(bytes), ...base64Texts(bytes)].filter(isTelling);
    return [...plainTexts(given).map(literal), ...encoded.map(lines)];
  });
}

/** A secret, and what is left of it where what looks like escapes in it is undone, as it is in what is searched. */
function plainTexts(secret: string): string[] {
  let plain = secret;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) plain = unescaped(plain)?.text ?? plain;
  // What becomes of a text of escapes alone may be no more than a letter.
  return plain.trim() !== "" && plain.length * 2 >= secret.length ? [secret, plain] : [secret];
}

/** A form writes a space as `+`. */
function literal(text: string): Spelling {
  const parts = Array.from(text, (character) => (character === " " ? "[ +]" : quoted(character)));
  return { source: parts.join(""), length: text.length };
}

/** Base64 is often written in lines (RFC 2045, section 6.8), and has another alphabet in URLs (RFC 4648, section 5). */
function lines(text: string): Spelling {
  const parts = Array.from(text, (character) => base64Characters.get(character) ?? quoted(character));
  return { source: parts.join("[\\r\\n\\t]*"), length: text.length };
}

const base64Characters = new Map([
  ["+", "[-+ ]"],
  ["/", "[/_]"],
]);

function quoted(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Base64 of the whole, and what is the same wherever the bytes stand within others: a character is six bits, so there
 * are three ways to lie on them, and those that share bits with a neighbour are left out.
 */
function base64Texts(bytes: Uint8Array): string[] {
  const cores = [0, 1, 2].map((offset) => {
    const encoded = base64(Uint8Array.of(...new Uint8Array(offset), ...bytes));
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [base64(bytes), ...cores];
}

function isTelling(encoded: string): boolean {
  return encoded.length >= MIN_ENCODED_CHARACTERS;
}
