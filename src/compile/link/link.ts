import type { Skill } from "../../ir.ts";
import { MAX_DIAGNOSTIC_CHARACTERS, MAX_DIAGNOSTICS } from "../../limits.ts";
import { probablyMeant } from "../../nearest.ts";
import { shorten } from "../../shorten.ts";
import { type Diagnostic, type DiagnosticCode, diagnosticCodes } from "../diagnostic.ts";
import type { FilePlace } from "../document/source.ts";
import { type CallSite, callCycles } from "./call-cycles.ts";
import type { SkillPlaces } from "./places.ts";

/** What linking needs to know of a compiled skill, and the file that it came from. */
export interface LinkInput {
  file: string;
  skill: Pick<Skill, "name">;
  places: SkillPlaces;
}

/**
 * What is wrong between skills that are each right by themselves: names that two of them claim or that differ
 * too little, steps that call what nobody has, and steps that call each other in a circle. The order of the
 * skills does not matter; of two that clash the one whose file comes first is the one that was there.
 */
export function linkSkills(inputs: readonly LinkInput[]): Diagnostic[] {
  const sorted = [...inputs].sort((left, right) => (left.file < right.file ? -1 : 1));
  const skills = new Names("skill", "skill-duplicate");
  const functions = new Names("function", "function-in-two-skills");
  return [
    ...sorted.flatMap(({ file, skill, places }) => skills.claim(skill.name, { file, place: places.name })),
    ...sorted.flatMap((input) => functionClaims(input, functions)),
    ...unknownCalls(sorted, (name) => functions.has(name), functions.all()),
    ...reportCycles(sorted),
  ];
}

/**
 * The same for one skill, beside those that somebody has already.
 * @param owners the functions of the others by name, each with the skill that has it; null for one that is hidden from
 * whoever uploads: its name is taken all the same, and told to nobody who does not write it
 */
export function linkUpload(input: LinkInput, owners: ReadonlyMap<string, string | null>): Diagnostic[] {
  const functions = new Names("function", "function-in-two-skills");
  for (const [name, owner] of owners) functions.claim(name, owner);
  return [
    ...functionClaims(input, functions),
    ...unknownCalls([input], (name) => functions.has(name), functions.all()),
    ...reportCycles([input]),
  ];
}

function functionClaims({ file, places }: LinkInput, functions: Names): Diagnostic[] {
  return [...places.functions].flatMap(([name, place]) => functions.claim(name, { file, place }));
}

/** Who has a name: a place, or just somebody who is known by a name of his own, or to nobody (null). */
type Owner = CallSite | string | null;

/** Names that only one may have, with those who have them. */
class Names {
  readonly #kind: string;
  readonly #taken: DiagnosticCode;
  readonly #owners = new Map<string, Owner>();
  /** The first name of each form in which names are alike. */
  readonly #alike = new Map<string, string>();

  constructor(kind: string, taken: DiagnosticCode) {
    this.#kind = kind;
    this.#taken = taken;
  }

  has(name: string): boolean {
    return this.#owners.has(name);
  }

  /** Those that may be told. */
  all(): string[] {
    return [...this.#owners].flatMap(([name, owner]) => (owner === null ? [] : [name]));
  }

  /** Gives a name to an owner, or says why he had better not have it. */
  claim(name: string, owner: Owner): Diagnostic[] {
    const taken = this.#owners.get(name);
    const alike = this.#alike.get(foldedName(name));
    if (taken === undefined) this.#owners.set(name, owner);
    if (alike === undefined) this.#alike.set(foldedName(name), name);
    if (typeof owner === "string" || owner === null) return [];
    if (taken !== undefined)
      return [at(owner, this.#taken, `the ${this.#kind} ${name} is defined in ${shown(taken)} already`)];
    if (alike === undefined) return [];
    const other = this.#owners.get(alike) ?? null;
    const told = other === null ? "one" : `${alike}, which is defined`;
    const message = `models take the ${this.#kind} ${name} for ${told} in ${shown(other)}`;
    return [at(owner, "name-confusable", message)];
  }
}

/** The form in which names are alike: people and models do not keep letter case, width, `-` and `_` apart. */
function foldedName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll("-", "_");
}

function shown(owner: Owner): string {
  if (owner === null) return "another skill";
  return typeof owner === "string" ? owner : `${owner.file}:${owner.place.line}`;
}

function at(
  { file, place }: { file: string; place: FilePlace },
  code: DiagnosticCode,
  message: string,
  fix: string | null = null,
): Diagnostic {
  const said = shorten(message, MAX_DIAGNOSTIC_CHARACTERS);
  return { code, severity: diagnosticCodes[code], file, ...place, message: said, fix, edits: [] };
}

function unknownCalls(
  inputs: readonly LinkInput[],
  isKnown: (name: string) => boolean,
  known: Iterable<string>,
): Diagnostic[] {
  const names = [...known];
  let guesses = 0;
  return inputs.flatMap(({ file, places }) =>
    places.calls.flatMap(({ function: caller, call, place }) => {
      if (isKnown(call)) return [];
      // A guess looks at every name there is; nobody reads on to the last of so many.
      const meant = ++guesses > MAX_DIAGNOSTICS ? null : probablyMeant(call, names);
      const fix = meant === null ? null : `call: ${meant}`;
      const message = `a step of ${caller} calls ${call}, which no skill has`;
      return [at({ file, place }, "function-unknown", message, fix)];
    }),
  );
}

function reportCycles(inputs: readonly LinkInput[]): Diagnostic[] {
  const calls = inputs.flatMap(({ file, places }) => places.calls.map((call) => ({ ...call, file })));
  return callCycles(calls).flatMap((cycle) => {
    const [first] = cycle;
    if (first === undefined) return [];
    const names = [first.function, ...cycle.map((site) => `${site.call} (called in ${shown(site)})`)];
    return [at(first, "call-cycle", `these functions call each other without an end: ${names.join(", ")}`)];
  });
}
