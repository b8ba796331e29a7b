import { format as formats } from "@cfworker/json-schema";
import { type JsonValue, jsonKind } from "../../json.ts";
import type { MakeCheck } from "./checks.ts";
import { identityOf } from "./equality.ts";
import type { Check } from "./evaluation.ts";
import { INT64, isLargeInteger } from "./large-integers.ts";
import { matcherOf, TOO_MANY_STEPS } from "./matcher.ts";
import { isMultipleOf } from "./multiple.ts";

const type: MakeCheck = (rule, schema) => {
  const types = new Set(Array.isArray(rule) ? rule : [rule]);
  if (types.has("number")) types.add("integer");
  const takesDigits = schema.format === INT64 && types.has("integer");
  return (evaluation, value) =>
    types.has(jsonKind(value)) || (takesDigits && isLargeInteger(value)) || evaluation.refuse("type", value);
};

/** Values are looked up, however many there are. */
const oneOfValues =
  (keyword: string, valuesOf: (rule: JsonValue) => readonly JsonValue[]): MakeCheck =>
  (rule) => {
    const plain = new Set(valuesOf(rule));
    const compound = new Set([...plain].filter(isCompound).map(identityOf));
    return (evaluation, value) => {
      if (plain.has(value)) return true;
      if (compound.size === 0 || !isCompound(value)) return evaluation.refuse(keyword, value);
      const identity = identityOf(value);
      if (!evaluation.spend(identity.length, { rule: keyword, ...TOO_MANY_COMPARISONS })) return false;
      return compound.has(identity) || evaluation.refuse(keyword, value);
    };
  };

const TOO_MANY_COMPARISONS = {
  expected: "smaller objects and lists where only some are allowed",
  got: "ones that take too many steps to compare",
};

function isCompound(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** The check of a number, or of the digits that stand for one, against the number that a keyword holds. */
const numeric =
  (keyword: string, isRight: (value: number, rule: number) => boolean): MakeCheck =>
  (rule, { format: name }) =>
  (evaluation, value) => {
    if (typeof value !== "number" && !(name === INT64 && isLargeInteger(value))) return true;
    return isRight(Number(value), Number(rule)) || evaluation.refuse(keyword, value);
  };

/** The check of a text by its length in characters (Unicode code points: Validation, section 6.3). */
const length =
  (keyword: string, isRight: (characters: number, rule: number) => boolean): MakeCheck =>
  (rule) =>
  (evaluation, value) =>
    typeof value !== "string" ||
    isRight(codePoints(value), Number(rule)) ||
    evaluation.refuse(keyword, value);

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    const next = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) count--;
  }
  return count;
}

const pattern: MakeCheck = (rule) => {
  const matcher = matcherOf(String(rule));
  return (evaluation, value) => {
    if (typeof value !== "string") return true;
    if (!evaluation.spend(matcher.size * (value.length + 1), TOO_MANY_STEPS)) return false;
    return matcher.test(value) || evaluation.refuse("pattern", value);
  };
};

const format: MakeCheck = (rule): Check | null => {
  if (rule === INT64) return int64;
  // `url` is no format of JSON Schema; the table's pattern for it takes exponential time on hostile text.
  const name = rule === "url" ? "uri" : String(rule);
  const isRight = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (isRight === undefined) return null;
  return (evaluation, value) =>
    typeof value !== "string" || isRight(value) || evaluation.refuse("format", value);
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
  ["multipleOf", numeric("multipleOf", isMultipleOf)],
  ["minLength", length("minLength", (characters, least) => characters >= least)],
  ["maxLength", length("maxLength", (characters, most) => characters <= most)],
  ["pattern", pattern],
  ["format", format],
];
