import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { MakeCheck } from "../evaluation/checks.ts";
import type { Check, Evaluation } from "../evaluation/evaluation.ts";
import { shortName } from "../evaluation/faults.ts";
import { COST } from "../evaluation/steps.ts";
import type { Wording } from "../wording/wording.ts";
import { type Matcher, matcherOf, matchesName } from "./matcher.ts";

/** A check that is about objects alone, and looks a number of names up in each. */
function ofObjects(nameCount: number, check: (evaluation: Evaluation, value: JsonObject) => boolean): Check {
  return (evaluation, value) =>
    !isJsonObject(value) || (evaluation.pay(nameCount * COST.name) && check(evaluation, value));
}

/** A check of objects that goes through the names of their members. */
function ofMembers(
  check: (evaluation: Evaluation, value: JsonObject, names: readonly string[]) => boolean,
): Check {
  return (evaluation, value) => {
    if (!isJsonObject(value)) return true;
    const members = evaluation.namesOf(value);
    return members !== null && check(evaluation, value, members);
  };
}

function tableOf(rule: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(rule) ? Object.entries(rule) : [];
}

function names(rule: JsonValue | undefined): string[] {
  return Array.isArray(rule) ? rule.filter((name) => typeof name === "string") : [];
}

const required: MakeCheck = (rule) => {
  const wanted = names(rule);
  return ofObjects(wanted.length, (evaluation, value) => {
    return hasAll(wanted, value, (name) => evaluation.refuseMissing("required", name), evaluation);
  });
};

/** Whether an object has all members that it should; says of each that it lacks that it does, until that is settled. */
function hasAll(
  wanted: readonly string[],
  value: JsonObject,
  refuse: (name: string) => false,
  evaluation: Evaluation,
): boolean {
  let holds = true;
  for (const name of wanted) {
    if (Object.hasOwn(value, name)) continue;
    holds = refuse(name);
    if (evaluation.isSettledByOne) break;
  }
  return holds;
}

const memberCount =
  (keyword: string, isRight: (count: number, bound: number) => boolean): MakeCheck =>
  (rule) =>
    ofMembers(
      (evaluation, value, members) =>
        isRight(members.length, Number(rule)) || evaluation.refuse(keyword, value),
    );

const propertyNames: MakeCheck = (rule, _schema, checks) => {
  const check = checks.under("propertyNames", rule);
  const inName = () => ", in the name of a member";
  return ofMembers((evaluation, value, members) => {
    if (rule === false && members.length > 0) return evaluation.refuse("propertyNames", value);
    let holds = true;
    for (const name of members) {
      if (evaluation.because(inName, () => evaluation.within(name, check, name))) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
};

const dependentRequired: MakeCheck = (rule) => {
  const table = tableOf(rule).map(([given, wanted]) => [given, names(wanted)] as const);
  return ofObjects(table.length, (evaluation, value) => {
    let holds = true;
    for (const [given, wanted] of table) {
      if (!Object.hasOwn(value, given)) continue;
      if (!evaluation.pay(wanted.length * COST.name)) return false;
      const refuse = (name: string) =>
        evaluation.refuseMissing("dependentRequired", name, because(given, evaluation.wording));
      if (hasAll(wanted, value, refuse, evaluation)) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
};

function because(given: string, { names }: Wording): string {
  return `, because ${shortName(names.of(given))} is given`;
}

const dependentSchemas: MakeCheck = (rule, _schema, checks) => {
  const table = tableOf(rule).map(
    ([given, schema]) => [given, checks.under("dependentSchemas", schema)] as const,
  );
  return ofObjects(table.length, (evaluation, value) => {
    let holds = true;
    for (const [given, check] of table) {
      if (!Object.hasOwn(value, given)) continue;
      const isRight = evaluation.because(
        (wording) => because(given, wording),
        () => evaluation.applies(check, value),
      );
      if (isRight) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
};

const properties: MakeCheck = (rule, _schema, checks) => {
  const table = tableOf(rule).map(([name, schema]) => [name, checks.under("properties", schema)] as const);
  return ofObjects(table.length, (evaluation, value) => {
    let holds = true;
    for (const [name, check] of table) {
      if (!Object.hasOwn(value, name)) continue;
      evaluation.seen?.add(name);
      if (evaluation.within(name, check, value[name] ?? null)) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
};

const patternProperties: MakeCheck = (rule, _schema, checks) => {
  const table = tableOf(rule).map(
    ([source, schema]) => [matcherOf(source), checks.under("patternProperties", schema)] as const,
  );
  return ofMembers((evaluation, value, members) => {
    let holds = true;
    for (const name of members)
      for (const [matcher, check] of table) {
        const isMeant = matchesName(matcher, name, evaluation);
        if (evaluation.abandoned !== null) return false;
        if (!isMeant) continue;
        evaluation.seen?.add(name);
        if (evaluation.within(name, check, value[name] ?? null)) continue;
        holds = false;
        if (evaluation.isSettledByOne) return false;
      }
    return holds;
  });
};

const additionalProperties: MakeCheck = (rule, schema, checks) => {
  const declared = new Set(tableOf(schema.properties).map(([name]) => name));
  const matchers = tableOf(schema.patternProperties).map(([source]) => matcherOf(source));
  const isAdditional = (evaluation: Evaluation, name: string) =>
    !declared.has(name) && !matchesAny(matchers, name, evaluation);
  return membersThat(isAdditional, checks.under("additionalProperties", rule));
};

function matchesAny(matchers: readonly Matcher[], name: string, evaluation: Evaluation): boolean {
  return matchers.some((matcher) => matchesName(matcher, name, evaluation));
}

const unevaluatedProperties: MakeCheck = (rule, _schema, checks) =>
  membersThat(({ seen }, name) => seen?.has(name) !== true, checks.under("unevaluatedProperties", rule));

/** The check of those members that no other keyword is about; they have been seen then. */
function membersThat(areMeant: (evaluation: Evaluation, name: string) => boolean, check: Check): Check {
  return ofMembers((evaluation, value, members) => {
    let holds = true;
    for (const name of members) {
      if (!areMeant(evaluation, name)) continue;
      evaluation.seen?.add(name);
      if (evaluation.within(name, check, value[name] ?? null)) continue;
      holds = false;
      if (evaluation.isSettledByOne) break;
    }
    return holds;
  });
}

/** Keywords about objects and their members. */
export const objectKeywords: readonly (readonly [string, MakeCheck])[] = [
  ["required", required],
  ["minProperties", memberCount("minProperties", (count, least) => count >= least)],
  ["maxProperties", memberCount("maxProperties", (count, most) => count <= most)],
  ["propertyNames", propertyNames],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["unevaluatedProperties", unevaluatedProperties],
];
