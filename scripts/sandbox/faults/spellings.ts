/**
 * The ways in which programs write a text into other texts. The gateway has a list of its own, of what it takes out of
 * replies: what is missing there is found because this one is another.
 */

type Spelling = (text: string) => string;

/** By what each is called. Percent-encodings differ in the case of their digits, JSON in what it escapes. */
const spellings: readonly [name: string, spell: Spelling][] = [
  ["raw", (text) => text],
  ["lower case", (text) => text.toLowerCase()],
  ["percent", encodeURIComponent],
  ["percent in lower case", (text) => lowerDigits(encodeURIComponent(text))],
  ["percent twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["form", formText],
  ["form in lower case", (text) => lowerDigits(formText(text))],
  ["form in a query", (text) => encodeURIComponent(formText(text))],
  ["JSON", jsonText],
  ["JSON in JSON", (text) => jsonText(jsonText(text))],
  ["JSON in ASCII", asciiJsonText],
  ["HTML", htmlText],
  ["base64", (text) => Buffer.from(text).toString("base64")],
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
  return jsonText(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
