/** Two schemas that hold together, written as one. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { quoteValue } from "../../schema/index.ts";
import { distinct } from "./canonical.ts";
import { copyOf, identityOf } from "./keywords.ts";
import { keysLeftOut, membersUnder } from "./members.ts";

/** The value that says both, or undefined where no single value does. */
type Merger = (left: JsonValue, right: JsonValue) => JsonValue | undefined;

const larger: Merger = (left, right) => numeric(Math.max, left, right);
const smaller: Merger = (left, right) => numeric(Math.min, left, right);

const mergers: ReadonlyMap<string, Merger> = new Map<string, Merger>([
  ["title", (left) => left],
  ["default", (left) => left],
  ["examples", joined],
  ["description", bothTexts],
  ["deprecated", (left, right) => left === true || right === true],
  ["type", commonTypes],
  ["enum", commonValues],
  ["required", joined],
  ["allOf", joined],
  ["items", (left, right) => ({ allOf: [left, right] })],
  ["additionalProperties", bothOthers],
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

/** Keywords of which a schema has one, and the nearer schema's is the one that is meant. */
const nearest = ["title", "default"];

/** What the merged schema does not say of the two, by keyword. */
export type MergeLoss = (keyword: string, note: string) => void;

/**
 * One schema for `left`, the nearer one, and `right`, or null where a keyword of both cannot be written once.
 * @param tell told what the merged schema leaves out; never where there is none
 */
export function merge(left: JsonObject, right: JsonObject, tell: MergeLoss = () => {}): JsonObject | null {
  const one = membersUnder(right, left);
  const other = membersUnder(left, right);
  if (one === null || other === null) return null;
  const merged = copyOf(one);
  for (const [keyword, value] of Object.entries(other)) {
    const own = merged[keyword];
    const both = own === undefined ? value : mergedValue(keyword, own, value);
    if (both === undefined) return null;
    merged[keyword] = both;
  }
  tellDifference(left, right, tell);
  const refused = [...keysLeftOut(left, one), ...keysLeftOut(right, other)];
  if (refused.length > 0) tell("properties", `What has to match as well refuses ${quoteValue(refused)}.`);
  return merged;
}

function tellDifference(left: JsonObject, right: JsonObject, tell: MergeLoss): void {
  for (const keyword of nearest) {
    const [near, far] = [left[keyword], right[keyword]];
    if (near === undefined || far === undefined || identityOf(near) === identityOf(far)) continue;
    tell(keyword, `The nearer schema's is kept, not ${quoteValue(far)}.`);
  }
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

function bothTexts(left: JsonValue, right: JsonValue): JsonValue | undefined {
  return typeof left === "string" && typeof right === "string" ? `${left}\n${right}` : undefined;
}

function bothOthers(left: JsonValue, right: JsonValue): JsonValue {
  if (left === false || right === false) return false;
  if (left === true) return right;
  return right === true ? left : { allOf: [left, right] };
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
