import type { JsonValue } from "../../json.ts";
import type { MakeCheck } from "../evaluation/checks.ts";
import type { Check, Evaluation } from "../evaluation/evaluation.ts";
import { COST } from "../evaluation/steps.ts";
import { paidIdentityOf } from "./equality.ts";

/** A check that is about lists alone. */
function ofLists(check: (evaluation: Evaluation, value: readonly JsonValue[]) => boolean): Check {
  return (evaluation, value) => !Array.isArray(value) || check(evaluation, value);
}

const itemCount =
  (keyword: string, isRight: (count: number, bound: number) => boolean): MakeCheck =>
  (rule) =>
  (evaluation, value) =>
    !Array.isArray(value) || isRight(value.length, Number(rule)) || evaluation.refuse(keyword, value);

const prefixItems: MakeCheck = (rule, _schema, checks) => {
  const prefix = (Array.isArray(rule) ? rule : []).map((schema) => checks.under("prefixItems", schema));
  return itemsWith(
    (_evaluation, index) => prefix[index] ?? null,
    (length) => Math.min(length, prefix.length),
  );
};

const items: MakeCheck = (rule, { prefixItems: prefix }, checks) => {
  const check = checks.under("items", rule);
  const first = Array.isArray(prefix) ? prefix.length : 0;
  return itemsWith((_evaluation, index) => (index < first ? null : check));
};

const unevaluatedItems: MakeCheck = (rule, _schema, checks) => {
  const check = checks.under("unevaluatedItems", rule);
  return itemsWith(({ seen }, index) => (seen?.has(index) === true ? null : check));
};

/**
 * Checks each item that there is a check for.
 * @param count how many items of a list are looked at, by its length
 */
function itemsWith(
  checkOf: (evaluation: Evaluation, index: number) => Check | null,
  count: (length: number) => number = (length) => length,
): Check {
  return ofLists((evaluation, list) => {
    let holds = true;
    const end = count(list.length);
    if (!evaluation.pay(end * COST.name)) return false;
    for (let index = 0; index < end; index++) {
      const check = checkOf(evaluation, index);
      if (check === null) continue;
      evaluation.seen?.add(index);
      if (evaluation.within(index, check, list[index] ?? null)) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
}

const contains: MakeCheck = (rule, { minContains, maxContains }, checks) => {
  const check = checks.under("contains", rule);
  const least = Number(minContains ?? 1);
  const most = Number(maxContains ?? Number.POSITIVE_INFINITY);
  return (evaluation, value) => {
    if (!Array.isArray(value)) return true;
    if (!evaluation.pay(value.length * COST.name)) return false;
    let count = 0;
    for (const [index, item] of value.entries()) {
      const fits = evaluation.admitsWithin(index, check, item);
      if (evaluation.abandoned !== null) return false;
      if (!fits) continue;
      evaluation.seen?.add(index);
      count++;
    }
    const found = `, with ${count}`;
    if (count > most) return evaluation.refuse("maxContains", value, found);
    if (count >= least) return true;
    return minContains === undefined
      ? evaluation.refuse("contains", value)
      : evaluation.refuse("minContains", value, found);
  };
};

const uniqueItems: MakeCheck = (rule) => {
  if (rule !== true) return null;
  return (evaluation, value) => {
    if (!Array.isArray(value) || value.length < 2) return true;
    const pay = (steps: number) => evaluation.pay(steps);
    const found = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const identity = paidIdentityOf(item, pay);
      if (identity === null) return false;
      const first = found.get(identity);
      if (first !== undefined)
        return evaluation.refuse(
          "uniqueItems",
          value,
          `, with the same items ${first} and ${index} (from 0)`,
        );
      found.set(identity, index);
    }
    return true;
  };
};

/** Keywords about lists and their items. */
export const listKeywords: readonly (readonly [string, MakeCheck])[] = [
  ["minItems", itemCount("minItems", (count, least) => count >= least)],
  ["maxItems", itemCount("maxItems", (count, most) => count <= most)],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
  ["uniqueItems", uniqueItems],
  ["unevaluatedItems", unevaluatedItems],
];
