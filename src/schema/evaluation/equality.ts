import { isJsonObject, type JsonValue } from "../../json.ts";

/** A text that equal values, and no others, have in common (Core, section 4.2.2): members have no order. */
export function identityOf(value: JsonValue): string {
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${identityOf(item)},`;
    return `[${text}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (names.length > 1) names.sort();
  for (const name of names) text += `${JSON.stringify(name)}:${identityOf(value[name] ?? null)},`;
  return `{${text}}`;
}
