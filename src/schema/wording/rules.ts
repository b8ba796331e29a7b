import type { JsonObject, JsonValue } from "../../json.ts";
import { MAX_LISTED_VALUES } from "../../limits.ts";
import { quoteValue } from "../quote.ts";

/** What a keyword expects, in words, by what it holds and the schema that it stands in. */
export type Describe = (rule: JsonValue, owner: JsonObject) => string;

/** The first of several values, and how many more there are. */
export function listed(values: JsonValue, most: number = MAX_LISTED_VALUES, separator = ", "): string {
  if (!Array.isArray(values)) return quoteValue(values);
  const shown = values.slice(0, most).map((value) => quoteValue(value));
  return shown.join(separator) + (values.length > most ? ` or ${values.length - most} more` : "");
}

const plural = (count: JsonValue, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** The keywords that say all of what they ask by themselves, but for types and values. */
export const plainRules: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ["pattern", (rule, owner) => `text matching ${rule}${forExample(owner)}`],
  [
    "format",
    (rule, owner) => (rule === "int64" ? LARGE_INTEGER : `text in the format ${rule}${forExample(owner)}`),
  ],
  ["minimum", (rule) => `at least ${rule}`],
  ["maximum", (rule) => `at most ${rule}`],
  ["exclusiveMinimum", (rule) => `more than ${rule}`],
  ["exclusiveMaximum", (rule) => `less than ${rule}`],
  ["multipleOf", (rule) => `a multiple of ${rule}`],
  ["minLength", (rule) => `at least ${plural(rule, "character")}`],
  ["maxLength", (rule) => `at most ${plural(rule, "character")}`],
  ["minItems", (rule) => `at least ${plural(rule, "item")}`],
  ["maxItems", (rule) => `at most ${plural(rule, "item")}`],
  ["uniqueItems", () => "no item twice"],
  ["minProperties", (rule) => `at least ${plural(rule, "member")}`],
  ["maxProperties", (rule) => `at most ${plural(rule, "member")}`],
]);

/** The keywords about types and values. */
export const valueRules: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ["type", (rule) => (Array.isArray(rule) ? rule.join(" or ") : String(rule))],
  ["enum", (rule) => `one of ${listed(rule)}`],
  ["const", (rule) => quoteValue(rule)],
]);

const LARGE_INTEGER = `a whole number; one beyond ${Number.MAX_SAFE_INTEGER} as text, "9007199254740993", so that none of its digits is lost`;

/** A few values that the schema itself gives as examples. */
function forExample({ examples }: JsonObject): string {
  return Array.isArray(examples) && examples.length > 0 ? `, e.g. ${listed(examples.slice(0, 3))}` : "";
}
