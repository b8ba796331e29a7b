import { isSeq } from "yaml";
import { joinScopes, type Scope, STEPS_SCOPE } from "../../../../expression/index.ts";
import { MAX_STEPS } from "../../../../limits.ts";
import { probablyMeant } from "../../../../nearest.ts";
import { expressionAt } from "../../reading/expressions.ts";
import { type Place, report, spanWithin } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import type { BindingSection } from "../binding.ts";
import { neededBy, orderOf, type Waiting } from "./order.ts";
import { readStep, readsAt, type StepRead, type StepSection } from "./step.ts";

/**
 * Reads `steps` and `result`. A step waits for those whose results its expressions name; one that reads
 * `steps` as a whole waits for all that stand before it. Without `result`, the last step's is the function's.
 * @param scope what the function's expressions see
 */
export function readSteps(fields: FieldReader, scope: Scope): BindingSection {
  const inner = joinScopes(scope, STEPS_SCOPE);
  const items = fields.items("steps", MAX_STEPS);
  if (isEmptyList(fields.at("steps")))
    report(fields.keyPlace("steps"), "empty-field", `${fields.nameOf("steps")} has no step`);
  const found = items.flatMap(({ place, name }) => readStep(place, name, inner) ?? []);
  const place = fields.at("result");
  const result = expressionAt(place, fields.nameOf("result"), inner);
  const resultReads = place === null ? [] : readsAt(place);
  const sections = withoutDuplicates(found);
  // A step that could not be read may be the one that is meant.
  if (found.length === items.length)
    reportUnknown([...sections.flatMap(({ reads }) => reads), ...resultReads], sections);
  return arrange(sections, result, place === null ? null : resultReads);
}

function isEmptyList(place: Place | null): boolean {
  return place !== null && isSeq(place.node) && place.node.items.length === 0;
}

/** Of several steps of one id the first is kept. */
function withoutDuplicates(found: readonly StepSection[]): StepSection[] {
  const ids = new Set<string>();
  return found.filter(({ step: { id }, fields }) => {
    const isFirst = !ids.has(id);
    if (!isFirst)
      report(fields.at("id") ?? fields.place, "step-duplicate", `the id ${id} is that of an earlier step`);
    ids.add(id);
    return isFirst;
  });
}

function reportUnknown(reads: readonly StepRead[], sections: readonly StepSection[]): void {
  const ids = sections.map(({ step }) => step.id);
  for (const { id, place, start, end } of reads) {
    if (id === null || ids.includes(id)) continue;
    const meant = probablyMeant(id, ids);
    const message = `there is no step ${id} here; there are: ${ids.join(", ") || "none"}`;
    const fix = meant === null ? null : `steps.${meant}`;
    place.diagnostics.add("step-unknown", spanWithin(place, start, end), message, fix);
  }
}

/**
 * Brings steps into an order in which each comes after those that it waits for.
 * @param resultReads what `result` reads; null where it is not given
 */
function arrange(
  sections: readonly StepSection[],
  result: string | null,
  resultReads: readonly StepRead[] | null,
): BindingSection {
  const waiting = waitingOf(sections);
  const order = orderOf(waiting);
  if (!order.ok) {
    reportCircle(order.circle, sections);
    return { binding: { kind: "declaration" }, steps: [] };
  }
  const used = resultReads === null ? null : neededBy(idsRead(resultReads, [...waiting.keys()]), waiting);
  const steps = order.ids.flatMap((id): StepSection[] => {
    const section = sections.find(({ step }) => step.id === id);
    if (section === undefined) return [];
    const step = { ...section.step, after: [...(waiting.get(id) ?? [])] };
    return [{ ...section, step, isUsed: used?.has(id) ?? true }];
  });
  const last = sections.at(-1)?.step.id;
  // What stands last in the document may have to run before another.
  const isMoved = resultReads === null && last !== order.ids.at(-1);
  const binding = {
    kind: "steps" as const,
    steps: steps.map(({ step }) => step),
    result: isMoved ? `steps.${last}` : result,
  };
  return { binding, steps };
}

function waitingOf(sections: readonly StepSection[]): Waiting {
  const ids = sections.map(({ step }) => step.id);
  return new Map(
    sections.map(({ reads }, index) => [ids[index] ?? "", idsRead(reads, ids.slice(0, index), ids)]),
  );
}

/**
 * The steps that are read, in the order of the document.
 * @param whole those that a reading of all results is about
 */
function idsRead(
  reads: readonly StepRead[],
  whole: readonly string[],
  known: readonly string[] = whole,
): Set<string> {
  const read = new Set(reads.flatMap(({ id }) => (id === null ? whole : [id])));
  return new Set(known.filter((id) => read.has(id)));
}

function reportCircle(circle: readonly string[], sections: readonly StepSection[]): void {
  const [first = ""] = circle;
  const section = sections.find(({ step }) => step.id === first);
  if (section === undefined) return;
  const message =
    circle.length === 1
      ? `the step ${first} waits for its own result`
      : `these steps wait for each other in a circle: ${[...circle, first].join(", ")}`;
  report(section.fields.at("id") ?? section.fields.place, "step-cycle", message);
}
