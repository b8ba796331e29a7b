/**
 * The ways in which programs write a text into other texts. The gateway has a list of its own, of what it takes out of
 * replies: what is missing there is found because this one is another.
 */

type Spelling = (text: string) => string;

/** By what each is called. Percent-encodings differ in the case of their digits, JSON in what it escapes. */
const spellings: readonly [name: string, spell: Spelling][] = [
  ["raw", (text) => text],
  ["lower case", (text) => text.toLowerCase()],
  ["upper case", (text) => text.toUpperCase()],
  ["percent", encodeURIComponent],
  ["percent in lower case", (text) => lowerDigits(encodeURIComponent(text))],
  ["percent twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["percent in upper case", (text) => encodeURIComponent(text).toUpperCase()],
  ["percent, marks too", markedText],
  ["percent, slashes left", (text) => markedText(text).replaceAll("%2F", "/")],
  ["form", formText],
  ["form in lower case", (text) => lowerDigits(formText(text))],
  ["form in a query", (text) => encodeURIComponent(formText(text))],
  ["JSON", jsonText],
  ["JSON in JSON", (text) => jsonText(jsonText(text))],
  ["JSON in ASCII", asciiJsonText],
  ["JSON, slashes too", (text) => jsonText(text).replaceAll("/", "\\/")],
  ["JSON for pages", (text) => jsonText(text).replace(/[&<>]/g, asciiEscape)],
  ["JSON in ASCII, slashes too", (text) => asciiJsonText(text).replaceAll("/", "\\/")],
  ["HTML", htmlText],
  ["HTML by three digits", (text) => htmlText(text).replaceAll("&#39;", "&#039;")],
  ["HTML by hexadecimal digits", (text) => text.replace(/[&<>"'/=+]/g, hexReference)],
  ["UTF-8 taken for Latin-1", (text) => Buffer.from(text).toString("latin1")],
  ["base64", (text) => Buffer.from(text).toString("base64")],
  ["base64 in lines", (text) => inLines(Buffer.from(`${" ".repeat(45)}${text}`).toString("base64"))],
  [
    "base64 in lines in JSON",
    (text) => jsonText(inLines(Buffer.from(`${"-".repeat(45)}${text}`).toString("base64"))),
  ],
  ["base64url", (text) => Buffer.from(text).toString("base64url")],
  ["base64 after a name", (text) => Buffer.from(`name:${text}`).toString("base64")],
  ["base64url between others", (text) => Buffer.from(`{"k":"${text}"}`).toString("base64url")],
  ["hex", (text) => Buffer.from(text).toString("hex")],
  ["hex in capitals", (text) => Buffer.from(text).toString("hex").toUpperCase()],
];

/** A text in each way of writing it. */
export function spellingsOf(text: string): Map<string, string> {
  return new Map(spellings.map(([name, spell]) => [name, spell(text)]));
}

function lowerDigits(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

function formText(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As encoders write JSON that keep to ASCII. */
function asciiJsonText(text: string): string {
  return jsonText(text).replace(/[^\x20-\x7e]/g, asciiEscape);
}

function asciiEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What `encodeURIComponent` leaves, and many others do not. */
function markedText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hexReference(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`;
}

/** As mail programs write Base64. */
function inLines(encoded: string): string {
  return encoded.replace(/.{76}(?=.)/g, "$&\r\n");
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
