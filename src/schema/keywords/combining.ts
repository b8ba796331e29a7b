import type { MakeCheck } from "../evaluation/checks.ts";
import type { Check, Reason } from "../evaluation/evaluation.ts";
import { anyOf, oneOf, schemasOf } from "./alternatives.ts";

const ref: MakeCheck = (rule, _schema, checks) => {
  // Looked up when it is followed: a schema may refer to one that it stands in.
  let target: Check | null = null;
  return (evaluation, value) => {
    target ??= checks.referenced(rule);
    return evaluation.applies(target, value);
  };
};

const not: MakeCheck = (rule, _schema, checks) => {
  const excluded = checks.under("not", rule);
  return (evaluation, value) => !evaluation.admits(excluded, value) || evaluation.refuse("not", value);
};

const allOf: MakeCheck = (rule, _schema, checks) => {
  const all = schemasOf(rule).map((schema) => checks.under("allOf", schema));
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

const condition: MakeCheck = (rule, schema, checks) => {
  const test = checks.under("if", rule);
  const consequence = checks.under("if", schema.then);
  const otherwise = checks.under("if", schema.else);
  const asIs: Reason = (wording) => `, for ${wording.shape(rule)}`;
  const asNot: Reason = (wording) => `, for anything but ${wording.shape(rule)}`;
  return (evaluation, value) => {
    const isMet = evaluation.admits(test, value);
    // What `then` or `else` refuses by being `false` is what `if` itself is about.
    if ((isMet ? schema.then : schema.else) === false) return evaluation.refuse("if", value);
    return evaluation.because(isMet ? asIs : asNot, () =>
      evaluation.applies(isMet ? consequence : otherwise, value),
    );
  };
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
