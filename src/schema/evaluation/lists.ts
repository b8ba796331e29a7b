import type { JsonValue } from "../../json.ts";
import type { MakeCheck } from "./checks.ts";
import { identityOf } from "./equality.ts";
import type { Check, Evaluation } from "./evaluation.ts";

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
    let count = 0;
    for (const [index, item] of value.entries()) {
      const fits = evaluation.admitsWithin(index, check, item);
      if (evaluation.abandoned !== null) return false;
      if (!fits) continue;
      evaluation.seen?.add(index);
      count++;
    }
    if (count > most) return evaluation.refuse("maxContains", value);
    return count >= least || evaluation.refuse(minContains === undefined ? "contains" : "minContains", value);
  };
};

const TOO_MANY_COMPARISONS = {
  rule: "uniqueItems",
  expected: "fewer or shorter lists where no item may be twice",
  got: "ones that take too many steps to compare",
};

const uniqueItems: MakeCheck = (rule) => {
  if (rule !== true) return null;
  return (evaluation, value) => {
    if (!Array.isArray(value) || value.length < 2) return true;
    const found = new Set<string>();
    for (const item of value) {
      const identity = identityOf(item);
      if (!evaluation.spend(identity.length, TOO_MANY_COMPARISONS)) return false;
      if (found.has(identity)) return evaluation.refuse("uniqueItems", value);
      found.add(identity);
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
