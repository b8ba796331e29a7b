import { isMap, isScalar } from "yaml";
import { functionsNamed, type Scope, sharedScope } from "../../../expression/index.ts";
import type { Constraints, Exclusion, FunctionDefinition } from "../../../ir.ts";
import { reportUnknownFunction } from "../function/unknown-function.ts";
import { conditionAt } from "../reading/expressions.ts";
import { type Place, report, spanWithin, textAt } from "../reading/place.ts";
import { FieldReader } from "../reading/reader.ts";

/** Reads `data_coverage`: what there is data for, and the calls that are refused because there is none. */
export function readCoverage(
  fields: FieldReader,
  functions: readonly FunctionDefinition[],
): Constraints["coverage"] {
  const scope = sharedScope(functions.map(({ parameters }) => parameters));
  const names = functions.map((definition) => definition.name);
  const coverage = {
    markets: fields.json("markets") ?? null,
    exclusions: fields
      .items("exclusions")
      .flatMap(({ place, name }) => readExclusion(place, name, scope, names) ?? []),
  };
  fields.finish();
  return coverage;
}

/** An exclusion is prose, which models read, or a rule, which the gateway also enforces. */
function readExclusion(
  place: Place,
  name: string,
  scope: Scope,
  functions: readonly string[],
): Exclusion | null {
  if (isScalar(place.node)) {
    const message = textAt(place, name);
    return message === null ? null : { when: null, message };
  }
  if (!isMap(place.node)) {
    report(place, "wrong-type", `${name} is a sentence, or a mapping with when and message`);
    return null;
  }
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  if (!fields.has("when")) report(place, "missing-field", `${fields.nameOf("when")} is missing`);
  const condition = fields.at("when");
  const when = conditionAt(condition, fields.nameOf("when"), scope);
  if (condition !== null && when !== null) checkFunctions(condition, when, functions);
  const message = fields.requiredText("message")?.trim() ?? null;
  fields.finish();
  return message === null ? null : { when, message };
}

/** A rule for a function that there is not would never hold. */
function checkFunctions(place: Place, condition: string, functions: readonly string[]): void {
  for (const { text, start, end } of functionsNamed(condition)) {
    if (!functions.includes(text))
      reportUnknownFunction(place, text, functions, spanWithin(place, start, end));
  }
}
