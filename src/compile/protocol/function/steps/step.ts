import { isMap, isScalar, type Node } from "yaml";
import {
  ELEMENT_SCOPE,
  isExpressionName,
  joinScopes,
  type Scope,
  stepsRead,
} from "../../../../expression/index.ts";
import type { Step, Template } from "../../../../ir.ts";
import {
  conditionAt,
  expressionsWithin,
  listAt,
  type PlacedExpression,
  templateAt,
} from "../../reading/expressions.ts";
import { type Place, report, textAt } from "../../reading/place.ts";
import { FieldReader } from "../../reading/reader.ts";

/** A step with its places, and where its expressions read the results of others. */
export interface StepSection {
  step: Step;
  fields: FieldReader;
  reads: readonly StepRead[];
  /** Whether the function's result needs it, as far as that is known. */
  isUsed: boolean;
}

/** A place where an expression reads the result of a step, or (`id` is null) all of them. */
export interface StepRead {
  id: string | null;
  place: Place;
  /** UTF-16 units of the text at the place. */
  start: number;
  end: number;
}

/** Whether any step is run for each element of a list. */
export function hasElements(fields: FieldReader): boolean {
  return fields.items("steps").some(({ place }) => isMap(place.node) && place.node.has("for_each"));
}

/**
 * Reads one entry of `steps`; what it waits for is not known yet. Null, with diagnostics, where nothing can
 * refer to it or be called by it.
 * @param scope what its expressions see besides an element of `for_each`
 */
export function readStep(place: Place, name: string, scope: Scope): StepSection | null {
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  const id = readId(fields);
  const call = fields.requiredText("call");
  const isRepeated = fields.has("for_each");
  const forEach = listAt(fields.at("for_each"), fields.nameOf("for_each"), scope);
  const when = conditionAt(fields.at("when"), fields.nameOf("when"), scope);
  const given = readArguments(fields, isRepeated ? joinScopes(scope, ELEMENT_SCOPE) : scope);
  fields.finish();
  if (id === null || call === null) return null;
  const step = { id, call, with: given, when, forEach, after: [] };
  return { step, fields, reads: readsOf(fields), isUsed: true };
}

function readId(fields: FieldReader): string | null {
  const id = fields.requiredText("id");
  if (id === null || isExpressionName(id)) return id;
  const fix = id.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?![A-Za-z_])/, "_");
  const message = `a step's id is a letter or _ and then letters, digits or _, for expressions read steps.id; not ${JSON.stringify(id)}`;
  report(
    fields.at("id") ?? fields.place,
    "step-id-invalid",
    message,
    isExpressionName(fix) && /[A-Za-z0-9]/.test(fix) ? `id: ${fix}` : null,
  );
  return null;
}

const NO_ARGUMENTS: Template = { kind: "object", members: [] };

/** Arguments are a mapping of templates, or one expression that gives them all. */
function readArguments(fields: FieldReader, scope: Scope): Template {
  const place = fields.at("with");
  if (place === null) return NO_ARGUMENTS;
  const template = templateAt(place, fields.nameOf("with"), scope);
  if (template === null || template.kind === "object" || template.kind === "expression")
    return template ?? NO_ARGUMENTS;
  report(place, "wrong-type", `${fields.nameOf("with")} is a mapping of arguments`);
  return NO_ARGUMENTS;
}

function readsOf(fields: FieldReader): StepRead[] {
  const bare = [fields.at("for_each"), fields.at("when")].flatMap((place) => (place === null ? [] : [place]));
  const given = fields.at("with");
  return [...bare.flatMap(readsAt), ...(given === null ? [] : expressionsWithin(given).flatMap(readsIn))];
}

/** Where a field that holds one expression reads the results of steps. */
export function readsAt(place: Place): StepRead[] {
  if (!isScalar<Node>(place.node)) return [];
  const source = textAt(place, "");
  return source === null ? [] : readsIn({ place, source, offset: 0 });
}

function readsIn({ place, source, offset }: PlacedExpression): StepRead[] {
  return stepsRead(source).map(({ member, start, end }) => ({
    id: member,
    place,
    start: offset + start,
    end: offset + end,
  }));
}
