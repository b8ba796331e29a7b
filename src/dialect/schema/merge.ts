/** Two schemas that hold together, written as one. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { distinct } from "./canonical.ts";
import { copyOf, identityOf } from "./keywords.ts";

/** The value that says both, or undefined where no single value does. */
type Merger = (left: JsonValue, right: JsonValue) => JsonValue | undefined;

const keepFirst: Merger = (left) => left;
const larger: Merger = (left, right) => numeric(Math.max, left, right);
const smaller: Merger = (left, right) => numeric(Math.min, left, right);

const mergers: ReadonlyMap<string, Merger> = new Map<string, Merger>([
  ["title", keepFirst],
  ["default", keepFirst],
  ["examples", keepFirst],
  ["description", keepFirst],
  ["deprecated", (left, right) => left === true || right === true],
  ["type", commonTypes],
  ["enum", commonValues],
  ["required", joined],
  ["allOf", joined],
  ["items", (left, right) => ({ allOf: [left, right] })],
  ["additionalProperties", (left, right) => (left === true ? right : right === true ? left : undefined)],
  ["minimum", larger],
  ["exclusiveMinimum", larger],
  ["minLength", larger],
  ["minItems", larger],
  ["minProperties", larger],
  ["maximum", smaller],
  ["exclusiveMaximum", smaller],
  ["maxLength", smaller],
  ["maxItems", smaller],
  ["maxProperties", smaller],
]);

/** One schema for `left` and `right`, or null where a keyword of both cannot be written once. */
export function merge(left: JsonObject, right: JsonObject): JsonObject | null {
  const merged = copyOf(left);
  for (const [keyword, value] of Object.entries(right)) {
    const own = merged[keyword];
    const both = own === undefined ? value : mergedValue(keyword, own, value);
    if (both === undefined) return null;
    merged[keyword] = both;
  }
  return merged;
}

/** Properties are compared one by one: to compare all of them for each conjunct takes the square of their number. */
function mergedValue(keyword: string, own: JsonValue, value: JsonValue): JsonValue | undefined {
  if (keyword === "properties") return mergeProperties(own, value);
  return identityOf(own) === identityOf(value) ? own : mergers.get(keyword)?.(own, value);
}

function joined(left: JsonValue, right: JsonValue): JsonValue | undefined {
  return Array.isArray(left) && Array.isArray(right) ? distinct([...left, ...right]) : undefined;
}

function numeric(
  choose: (...values: number[]) => number,
  left: JsonValue,
  right: JsonValue,
): JsonValue | undefined {
  return typeof left === "number" && typeof right === "number" ? choose(left, right) : undefined;
}

/** Integers are numbers; a value of both `number` and `integer` is an integer. */
function commonTypes(left: JsonValue, right: JsonValue): JsonValue | undefined {
  const lefts = Array.isArray(left) ? left : [left];
  const rights = Array.isArray(right) ? right : [right];
  const common = [
    ...lefts.filter((type) => rights.includes(type) || (type === "integer" && rights.includes("number"))),
    ...rights.filter((type) => type === "integer" && lefts.includes("number")),
  ];
  const types = distinct(common);
  return types.length > 1 ? types : types[0];
}

function commonValues(left: JsonValue, right: JsonValue): JsonValue | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) return undefined;
  const identities = new Set(right.map(identityOf));
  const common = left.filter((value) => identities.has(identityOf(value)));
  return common.length === 0 ? undefined : common;
}

function mergeProperties(left: JsonValue, right: JsonValue): JsonValue | undefined {
  if (!isJsonObject(left) || !isJsonObject(right)) return undefined;
  const merged = jsonObject(Object.entries(left));
  for (const [key, schema] of Object.entries(right)) {
    const own = merged[key];
    if (own === undefined) merged[key] = schema;
    else if (identityOf(own) !== identityOf(schema)) merged[key] = { allOf: [own, schema] };
  }
  return merged;
}
