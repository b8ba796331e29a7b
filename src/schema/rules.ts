import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_LISTED_VALUES } from "../limits.ts";
import { quoteValue, thereAre } from "./quote.ts";

type Describe = (rule: JsonValue, owner: JsonObject) => string;

function list(values: JsonValue, most = MAX_LISTED_VALUES): string {
  if (!Array.isArray(values)) return quoteValue(values);
  const shown = values.slice(0, most).map((value) => quoteValue(value));
  return shown.join(", ") + (values.length > most ? ` or ${values.length - most} more` : "");
}

const plural = (count: JsonValue, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** What each keyword of JSON Schema 2020-12 expects, in words that a model can correct itself from. */
const descriptions = new Map<string, Describe>([
  ["type", (rule) => (Array.isArray(rule) ? rule.join(" or ") : String(rule))],
  ["enum", (rule) => `one of ${list(rule)}`],
  ["const", (rule) => quoteValue(rule)],
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
  ["anyOf", () => "one of several shapes"],
  ["oneOf", () => "exactly one of several shapes"],
  ["not", () => "something that is not of the excluded shape"],
  ["contains", () => "a list with an item of the required shape"],
  ["minContains", (rule) => `at least ${plural(rule, "item")} of the required shape`],
  ["maxContains", (rule) => `at most ${plural(rule, "item")} of the required shape`],
  ["properties", () => "no member of this name"],
  ["patternProperties", () => "no member of this name"],
  ["additionalProperties", (_rule, owner) => `no member of this name${knownMembers(owner)}`],
  ["unevaluatedProperties", (_rule, owner) => `no member of this name${knownMembers(owner)}`],
  ["propertyNames", () => "another name"],
  ["items", () => "no further item"],
  ["unevaluatedItems", () => "no further item"],
]);

const LARGE_INTEGER = `a whole number; one beyond ${Number.MAX_SAFE_INTEGER} as text, "9007199254740993", so that none of its digits is lost`;

/** A few values that the schema itself gives as examples. */
function forExample({ examples }: JsonObject): string {
  return Array.isArray(examples) && examples.length > 0 ? `, e.g. ${list(examples.slice(0, 3))}` : "";
}

function knownMembers({ properties }: JsonObject): string {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return thereAre(names);
}

/**
 * What a keyword expects of a value.
 * @param owner the schema that the keyword stands in
 * @returns "nothing" for a keyword that can only be failed by the schema `false`
 */
export function describeRule(keyword: string, owner: JsonObject): string {
  const rule = owner[keyword];
  const describe = descriptions.get(keyword);
  return describe === undefined || rule === undefined ? "nothing" : describe(rule, owner);
}
