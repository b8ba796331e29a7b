import { failed, type Result, success } from "../errors.ts";
import type { EncodedTool, FunctionDefinition, SkillRecord } from "../ir.ts";
import { nearestFirst } from "../nearest.ts";
import { categoryNames, type EncodingName } from "../vocabulary.ts";
import { categoryOf, type ListedRecord } from "./catalog.ts";

/** Which functions somebody wants as tools; null and false ask for nothing, and all that is asked for has to hold. */
export interface Selection {
  skills: ReadonlySet<string> | null;
  functions: ReadonlySet<string> | null;
  category: string | null;
  /** Whether functions that are only declared, and cannot be called here, are wanted too. */
  unbound: boolean;
}

/** A function that was selected. */
export interface SelectedFunction {
  record: SkillRecord;
  definition: FunctionDefinition;
  /** Its ready-made tool; null for one that is only declared. */
  prepared(encoding: EncodingName): EncodedTool | null;
}

/** Whether a selection is of everything that can be called. */
export function selectsAll({ skills, functions, category, unbound }: Selection): boolean {
  return skills === null && functions === null && category === null && !unbound;
}

/**
 * The selected functions, in the order of the records and of their documents. A skill, function or category that
 * nobody has is a failure, not an empty list; a known category that has nothing in it is empty.
 */
export function selectFunctions(
  records: readonly ListedRecord[],
  selection: Selection,
): Result<SelectedFunction[]> {
  const served = servedFunctions(records, selection.unbound);
  const unknown =
    unknownSkill(records, selection) ??
    unknownFunction(served, selection) ??
    unknownCategory(records, selection);
  if (unknown !== null) return unknown;
  const { skills, functions, category } = selection;
  return success(
    served
      .filter(({ record }) => skills?.has(record.skill.name) ?? true)
      .filter(({ record }) => category === null || categoryOf(record.skill) === category)
      .filter(({ definition }) => functions?.has(definition.name) ?? true),
  );
}

/** Every function that is served, each name once: one that can be called stands before any that is only declared. */
function servedFunctions(records: readonly ListedRecord[], unbound: boolean): SelectedFunction[] {
  const taken = new Set(records.flatMap(({ functions }) => [...functions]));
  return records.flatMap(({ record, functions }) => {
    let position = 0;
    return record.skill.functions.flatMap((definition): SelectedFunction[] => {
      const { name, binding } = definition;
      if (binding.kind !== "declaration") {
        const index = position++;
        const prepared = (encoding: EncodingName) => record.tools[encoding][index] ?? null;
        return functions.has(name) ? [{ record, definition, prepared }] : [];
      }
      if (!unbound || taken.has(name)) return [];
      taken.add(name);
      return [{ record, definition, prepared: () => null }];
    });
  });
}

function unknownSkill(records: readonly ListedRecord[], { skills }: Selection): Result<never> | null {
  const known = records.map(({ record }) => record.skill.name);
  const skill = firstStranger(skills, known);
  return skill === null ? null : failed({ code: "UNKNOWN_SKILL", skill, known: nearestFirst(skill, known) });
}

function unknownFunction(
  served: readonly SelectedFunction[],
  { functions }: Selection,
): Result<never> | null {
  const known = served.map(({ definition }) => definition.name);
  const name = firstStranger(functions, known);
  if (name === null) return null;
  return failed({ code: "UNKNOWN_FUNCTION", function: name, known: nearestFirst(name, known) });
}

function unknownCategory(records: readonly ListedRecord[], { category }: Selection): Result<never> | null {
  if (category === null) return null;
  const known = new Set([...records.map(({ record }) => categoryOf(record.skill)), ...categoryNames]);
  if (known.has(category)) return null;
  const expected = `one of ${nearestFirst(category, known).join(", ")}`;
  const message = `There is no category ${JSON.stringify(category)}; it is ${expected}.`;
  const got = JSON.stringify(category);
  return failed({
    code: "INVALID_REQUEST",
    message,
    faults: [{ path: "/category", rule: "enum", expected, got }],
  });
}

function firstStranger(wanted: ReadonlySet<string> | null, known: readonly string[]): string | null {
  const names = new Set(known);
  return [...(wanted ?? [])].find((name) => !names.has(name)) ?? null;
}
