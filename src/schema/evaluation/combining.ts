import { isJsonObject, type JsonValue } from "../../json.ts";
import type { MakeCheck, SchemaChecks } from "./checks.ts";
import type { Check, Evaluation } from "./evaluation.ts";

const ref: MakeCheck = (rule, _schema, checks) => {
  // Looked up when it is followed: a schema may refer to one that it stands in.
  let target: Check | null = null;
  return (evaluation, value) => {
    target ??= checks.referenced(rule);
    return evaluation.follow() && evaluation.applies(target, value);
  };
};

const not: MakeCheck = (rule, _schema, checks) => {
  const excluded = checks.under("not", rule);
  return (evaluation, value) => !evaluation.admits(excluded, value) || evaluation.refuse("not", value);
};

const allOf: MakeCheck = (rule, _schema, checks) => {
  const all = alternatives("allOf", rule, checks);
  return (evaluation, value) => {
    let holds = true;
    for (const each of all) {
      if (evaluation.applies(each, value)) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  };
};

const anyOf: MakeCheck = (rule, _schema, checks) => {
  const any = alternatives("anyOf", rule, checks);
  return (evaluation, value) => {
    // Every alternative that fits has seen something.
    const most = evaluation.seen === null ? 1 : any.length;
    return fitting(any, most, evaluation, value) > 0 || refuseAll("anyOf", evaluation, value);
  };
};

const oneOf: MakeCheck = (rule, _schema, checks) => {
  const any = alternatives("oneOf", rule, checks);
  return (evaluation, value) =>
    fitting(any, 2, evaluation, value) === 1 || refuseAll("oneOf", evaluation, value);
};

function alternatives(keyword: string, rule: JsonValue, checks: SchemaChecks): Check[] {
  return Array.isArray(rule) ? rule.map((schema) => checks.under(keyword, schema)) : [];
}

/** How many alternatives a value fits; not counted further than `most`. */
function fitting(
  alternatives: readonly Check[],
  most: number,
  evaluation: Evaluation,
  value: JsonValue,
): number {
  let count = 0;
  for (const alternative of alternatives) {
    if (evaluation.admits(alternative, value)) count++;
    if (count >= most) break;
  }
  return count;
}

/** Which members the alternatives would have seen, had one of them fitted, cannot be known: no more is said of any. */
function refuseAll(keyword: string, evaluation: Evaluation, value: JsonValue): false {
  const { seen } = evaluation;
  if (Array.isArray(value)) for (const index of value.keys()) seen?.add(index);
  if (isJsonObject(value)) for (const name of Object.keys(value)) seen?.add(name);
  return evaluation.refuse(keyword, value);
}

const condition: MakeCheck = (rule, schema, checks) => {
  const test = checks.under("if", rule);
  const consequence = checks.under("if", schema.then);
  const otherwise = checks.under("if", schema.else);
  return (evaluation, value) =>
    evaluation.applies(evaluation.admits(test, value) ? consequence : otherwise, value);
};

/** Keywords that apply further schemas to the same value. */
export const combiningKeywords: readonly (readonly [string, MakeCheck])[] = [
  ["$ref", ref],
  ["not", not],
  ["anyOf", anyOf],
  ["allOf", allOf],
  ["oneOf", oneOf],
  ["if", condition],
];
