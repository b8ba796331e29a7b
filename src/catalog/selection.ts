import { failed, type Result, success } from "../errors.ts";
import type { EncodedTool, FunctionDefinition, SkillRecord } from "../ir.ts";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { nearestFirst } from "../nearest.ts";
import { shorten } from "../shorten.ts";
import { categoryNames, type EncodingName } from "../vocabulary.ts";
import type { ListedRecord } from "./catalog.ts";
import { categoryOf } from "./order.ts";

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
 * nobody has is a failure, not an empty list, and so are things asked for together that nothing is all of. A skill or
 * category with nothing in it, asked for alone, is empty.
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
  const conditions = conditionsOf(selection);
  const selected = served.filter((candidate) => conditions.every(({ holds }) => holds(candidate)));
  const isContradictory =
    selected.length === 0 && conditions.some(({ holds }) => served.some((candidate) => holds(candidate)));
  return isContradictory ? contradiction(served, conditions) : success(selected);
}

/** One thing that is asked for. */
interface Condition {
  /** The parameter that asks for it, and what it is given. */
  parameter: "skills" | "functions" | "category";
  given: string;
  holds(candidate: SelectedFunction): boolean;
}

function conditionsOf({ skills, functions, category }: Selection): Condition[] {
  const condition = (
    parameter: Condition["parameter"],
    wanted: ReadonlySet<string> | null,
    nameIn: (candidate: SelectedFunction) => string,
  ): Condition[] => {
    if (wanted === null) return [];
    return [
      {
        parameter,
        given: shorten([...wanted].join(","), MAX_QUOTED_CHARACTERS),
        holds: (candidate) => wanted.has(nameIn(candidate)),
      },
    ];
  };
  return [
    ...condition("functions", functions, ({ definition }) => definition.name),
    ...condition("skills", skills, ({ record }) => record.skill.name),
    ...condition("category", category === null ? null : new Set([category]), ({ record }) =>
      categoryOf(record.skill),
    ),
  ];
}

/** What excludes one another, and where functions belong that fit the narrowest of it. */
function contradiction(served: readonly SelectedFunction[], conditions: readonly Condition[]): Result<never> {
  const asked = conditions.map(({ parameter, given }) => `${parameter}=${given}`);
  const narrow = conditions.find(({ holds }) => served.some((candidate) => holds(candidate)));
  const places = served
    .filter((candidate) => narrow?.holds(candidate) ?? false)
    .slice(0, MAX_PLACED_FUNCTIONS)
    .map(({ record: { skill }, definition: { name } }) => {
      return `${name} is of the skill ${skill.name} in the category ${categoryOf(skill)}`;
    });
  return failed({
    code: "INVALID_REQUEST",
    message: `No function fits ${asked.join(" and ")} together: ${places.join("; ")}.`,
    faults: conditions.map(({ parameter, given }) => ({
      path: `/${parameter}`,
      rule: "selection",
      expected: "what fits the rest of the selection",
      got: JSON.stringify(given),
    })),
  });
}

/** Functions of which a failure says where they belong: one is mostly asked for. */
const MAX_PLACED_FUNCTIONS = 3;

/** Every function that is served, each name once: one that can be called stands before any that is only declared. */
function servedFunctions(records: readonly ListedRecord[], unbound: boolean): SelectedFunction[] {
  const taken = new Set(records.flatMap(({ functions, hidden }) => [...functions, ...hidden]));
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
