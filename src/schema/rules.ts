import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { quoteValue } from "./quote.ts";

type Describe = (rule: JsonValue, owner: JsonObject) => string;

const list = (values: JsonValue, join: string): string =>
  Array.isArray(values) ? values.map((value) => quoteValue(value)).join(join) : quoteValue(values);

const plural = (count: JsonValue, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** What each keyword of JSON Schema 2020-12 expects, in words that a model can correct itself from. */
const descriptions = new Map<string, Describe>([
  ["type", (rule) => (Array.isArray(rule) ? rule.join(" or ") : String(rule))],
  ["enum", (rule) => `one of ${list(rule, ", ")}`],
  ["const", (rule) => quoteValue(rule)],
  ["pattern", (rule, owner) => `text matching ${rule}${forExample(owner)}`],
  ["format", (rule, owner) => `text in the format ${rule}${forExample(owner)}`],
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
  ["required", () => "a value"],
  ["dependentRequired", (rule) => `the members that others need: ${quoteValue(rule)}`],
  ["anyOf", () => "one of several shapes"],
  ["oneOf", () => "exactly one of several shapes"],
  ["not", () => "something that is not of the excluded shape"],
  ["contains", () => "a list with an item of the required shape"],
]);

function forExample(owner: JsonObject): string {
  const { examples } = owner;
  return Array.isArray(examples) && examples.length > 0 ? `, e.g. ${list(examples.slice(0, 3), ", ")}` : "";
}

/**
 * What a keyword expects of a value.
 * @param owner the schema that the keyword stands in
 * @param parent the schema of the object whose member is not allowed, for naming the members there are
 * @param sentence what to say of a keyword that has no description here
 */
export function describeRule(
  keyword: string,
  owner: JsonObject,
  parent: JsonObject,
  sentence: string,
): string {
  if (keyword === "false") return `no member of this name${knownMembers(parent)}`;
  const rule = owner[keyword];
  const describe = descriptions.get(keyword);
  return describe === undefined || rule === undefined ? sentence.replace(/\.$/, "") : describe(rule, owner);
}

function knownMembers(parent: JsonObject): string {
  const names = isJsonObject(parent.properties) ? Object.keys(parent.properties) : [];
  return names.length === 0 ? "" : `; there are ${names.join(", ")}`;
}
