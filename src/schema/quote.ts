import { type JsonValue, jsonKind } from "../json.ts";
import { MAX_LISTED_VALUES, MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { characterCount, firstCharacters } from "./characters.ts";

/** A value as a message shows it: short, on one line, and never a secret's own text. */
export function quoteValue(value: JsonValue, secret = false): string {
  if (secret) return `${/^[aio]/.test(jsonKind(value)) ? "an" : "a"} ${jsonKind(value)} that is not shown`;
  return quoteText(JSON.stringify(value), value);
}

/** As `quoteValue`, for a value whose JSON text is known. */
export function quoteText(text: string, value: JsonValue): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return text;
  const characters = characterCount(text);
  if (characters <= MAX_QUOTED_CHARACTERS) return text;
  return `${firstCharacters(text, MAX_QUOTED_CHARACTERS)}… (${jsonKind(value)}, ${characters} characters)`;
}

/** The end of a message about a name that is not known: the first of those that are. Empty where there are none. */
export function thereAre(names: readonly string[]): string {
  const more = names.length > MAX_LISTED_VALUES ? ", …" : "";
  return names.length === 0 ? "" : `; there are ${names.slice(0, MAX_LISTED_VALUES).join(", ")}${more}`;
}
