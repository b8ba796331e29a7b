import { format as formats } from "@cfworker/json-schema";
import { type JsonValue, jsonKind } from "../../json.ts";
import { characterCount } from "../characters.ts";
import type { MakeCheck } from "../evaluation/checks.ts";
import type { Check, Evaluation } from "../evaluation/evaluation.ts";
import { COST } from "../evaluation/steps.ts";
import { identityOf, paidIdentityOf } from "./equality.ts";
import { INT64, isLargeInteger } from "./large-integers.ts";
import { matcherOf, matches } from "./matcher.ts";
import { isMultipleOf } from "./multiple.ts";

const type: MakeCheck = (rule, schema) => {
  const types = new Set(Array.isArray(rule) ? rule : [rule]);
  if (types.has("number")) types.add("integer");
  const takesDigits = schema.format === INT64 && types.has("integer");
  return (evaluation, value) =>
    types.has(jsonKind(value)) ||
    (takesDigits && standsForInteger(value, evaluation)) ||
    evaluation.refuse("type", value);
};

/** Whether a value is the digits of a whole number that a double cannot hold. */
function standsForInteger(value: JsonValue, evaluation: Evaluation): value is string {
  return typeof value === "string" && evaluation.pay(COST.largeInteger) && isLargeInteger(value);
}

/** Values are looked up, however many there are. */
const oneOfValues =
  (keyword: string, valuesOf: (rule: JsonValue) => readonly JsonValue[]): MakeCheck =>
  (rule) => {
    const values = valuesOf(rule);
    const plain = new Set(values);
    const compound = new Set(values.filter(isCompound).map(identityOf));
    const ofLength = countByLength(values);
    return (evaluation, value) => {
      if (typeof value === "string") {
        // The engine tells long texts apart by nothing but their length before it reads them.
        const compared = (ofLength.get(value.length) ?? 0) * value.length;
        if (!evaluation.pay(compared * COST.comparedCharacter)) return false;
      }
      if (plain.has(value)) return true;
      if (compound.size === 0 || !isCompound(value)) return evaluation.refuse(keyword, value);
      const identity = paidIdentityOf(value, (steps) => evaluation.pay(steps));
      return (identity !== null && compound.has(identity)) || evaluation.refuse(keyword, value);
    };
  };

/** How many texts there are of each length. */
function countByLength(values: readonly JsonValue[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of values)
    if (typeof value === "string") counts.set(value.length, (counts.get(value.length) ?? 0) + 1);
  return counts;
}

function isCompound(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Fractions are compared in decimal digits, which takes long. */
const multipleOf: MakeCheck = (rule, schema, checks) => {
  const check = numeric("multipleOf", isMultipleOf)(rule, schema, checks);
  const isWhole = Number.isInteger(rule);
  return (evaluation, value) =>
    ((isWhole && Number.isInteger(value)) || typeof value !== "number" || evaluation.pay(COST.decimal)) &&
    (check === null || check(evaluation, value));
};

/** The check of a number, or of the digits that stand for one, against the number that a keyword holds. */
const numeric =
  (keyword: string, isRight: (value: number, rule: number) => boolean): MakeCheck =>
  (rule, { format: name }) =>
  (evaluation, value) => {
    if (typeof value !== "number" && !(name === INT64 && standsForInteger(value, evaluation))) return true;
    return isRight(Number(value), Number(rule)) || evaluation.refuse(keyword, value);
  };

/** The check of a text by its length in characters (Unicode code points: Validation, section 6.3). */
const minLength: MakeCheck = (rule) => (evaluation, value) =>
  typeof value !== "string" ||
  comparesWithLength(value, Number(rule), evaluation) >= 0 ||
  evaluation.refuse("minLength", value);

const maxLength: MakeCheck = (rule) => (evaluation, value) =>
  typeof value !== "string" ||
  comparesWithLength(value, Number(rule), evaluation) <= 0 ||
  evaluation.refuse("maxLength", value);

/**
 * Below 0, 0 or above 0 as a text has fewer, as many or more characters than `bound`. A character is one or two UTF-16
 * units, so that most texts need not be read.
 */
function comparesWithLength(text: string, bound: number, evaluation: Evaluation): number {
  if (text.length < bound) return -1;
  if (text.length / 2 > bound) return 1;
  return evaluation.pay(text.length * COST.countedCharacter) ? characterCount(text) - bound : 0;
}

const pattern: MakeCheck = (rule) => {
  const matcher = matcherOf(String(rule));
  return (evaluation, value) => {
    if (typeof value !== "string") return true;
    return matches(matcher, value, evaluation) || evaluation.refuse("pattern", value);
  };
};

const format: MakeCheck = (rule): Check | null => {
  if (rule === INT64) return int64;
  // `url` is no format of JSON Schema; the table's pattern for it takes exponential time on hostile text.
  const name = rule === "url" ? "uri" : String(rule);
  const isRight = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (isRight === undefined) return null;
  return (evaluation, value) =>
    typeof value !== "string" ||
    (evaluation.pay(value.length * COST.formatCharacter) && isRight(value)) ||
    evaluation.refuse("format", value);
};

/** A whole number that a double cannot hold may have been rounded on its way here. */
const int64: Check = (evaluation, value) =>
  typeof value !== "number" ||
  !Number.isInteger(value) ||
  Number.isSafeInteger(value) ||
  evaluation.refuse("format", value);

/** Keywords about a value's type, and about numbers and texts. */
export const plainKeywords: readonly (readonly [string, MakeCheck])[] = [
  ["type", type],
  ["const", oneOfValues("const", (value) => [value])],
  ["enum", oneOfValues("enum", (values) => (Array.isArray(values) ? values : []))],
  ["minimum", numeric("minimum", (value, least) => value >= least)],
  ["maximum", numeric("maximum", (value, most) => value <= most)],
  ["exclusiveMinimum", numeric("exclusiveMinimum", (value, bound) => value > bound)],
  ["exclusiveMaximum", numeric("exclusiveMaximum", (value, bound) => value < bound)],
  ["multipleOf", multipleOf],
  ["minLength", minLength],
  ["maxLength", maxLength],
  ["pattern", pattern],
  ["format", format],
];
