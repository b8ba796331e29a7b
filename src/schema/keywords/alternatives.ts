import { isJsonObject, type JsonValue } from "../../json.ts";
import type { MakeCheck, SchemaChecks } from "../evaluation/checks.ts";
import type { Check, Evaluation } from "../evaluation/evaluation.ts";
import { Outlines } from "./outlines.ts";

/** The schemas that a keyword lists. */
export function schemasOf(rule: JsonValue): readonly JsonValue[] {
  return Array.isArray(rule) ? rule : [];
}

/** The alternatives of one keyword. */
interface Alternatives {
  keyword: string;
  schemas: readonly JsonValue[];
  checks: readonly Check[];
  outlines: Outlines;
}

function alternativesOf(keyword: string, rule: JsonValue, checks: SchemaChecks): Alternatives {
  const schemas = schemasOf(rule);
  return {
    keyword,
    schemas,
    checks: schemas.map((schema) => checks.under(keyword, schema)),
    outlines: new Outlines(checks.root, schemas),
  };
}

export const anyOf: MakeCheck = (rule, _schema, checks) => {
  const any = alternativesOf("anyOf", rule, checks);
  return (evaluation, value) => {
    // Every alternative that fits has seen something.
    const most = evaluation.seen === null ? 1 : any.checks.length;
    return fitting(any, most, evaluation, value).length > 0 || refuseNone(any, evaluation, value);
  };
};

export const oneOf: MakeCheck = (rule, _schema, checks) => {
  const any = alternativesOf("oneOf", rule, checks);
  return (evaluation, value) => {
    const found = fitting(any, 2, evaluation, value);
    if (found.length === 1) return true;
    return found.length === 0
      ? refuseNone(any, evaluation, value)
      : refuseSeveral(any, found, evaluation, value);
  };
};

/** The places of the alternatives that a value fits; none are looked for beyond the first `most`. */
function fitting({ checks }: Alternatives, most: number, evaluation: Evaluation, value: JsonValue): number[] {
  const found: number[] = [];
  for (const [index, check] of checks.entries()) {
    if (evaluation.admits(check, value)) found.push(index);
    if (found.length >= most) break;
  }
  return found;
}

/** Says that none fits; where one of them is evidently meant, what that one has against the value. */
function refuseNone(any: Alternatives, evaluation: Evaluation, value: JsonValue): false {
  markAllSeen(evaluation, value);
  if (evaluation.isSettledByOne || !evaluation.pay(any.outlines.cost)) return false;
  const meant = any.outlines.meant(value);
  const check = meant === null ? undefined : any.checks[meant.index];
  if (meant === null || check === undefined)
    return evaluation.refuse(any.keyword, value, ", which is none of them");
  evaluation.because(meant.because, () => evaluation.applies(check, value));
  return false;
}

function refuseSeveral(
  { keyword, schemas }: Alternatives,
  found: readonly number[],
  evaluation: Evaluation,
  value: JsonValue,
): false {
  markAllSeen(evaluation, value);
  const fit = found.map((index) => evaluation.wording.shape(schemas[index]));
  return evaluation.refuse(keyword, value, `, which is several of them: ${fit.join("; ")}`);
}

/** Which members the alternatives would have seen, had one of them fitted, cannot be known: no more is said of any. */
function markAllSeen(evaluation: Evaluation, value: JsonValue): void {
  if (evaluation.seen === null) return;
  if (Array.isArray(value)) evaluation.see(value.keys(), value.length);
  if (!isJsonObject(value)) return;
  const names = evaluation.namesOf(value) ?? [];
  evaluation.see(names, names.length);
}
