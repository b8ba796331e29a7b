import type { Skill } from "../ir.ts";
import { type Diagnostic, wholeDocument } from "./diagnostic.ts";

/** A compiled skill with the file that it came from. */
export interface LinkInput {
  file: string;
  skill: Skill;
}

/** What is wrong between skills that are each right by themselves: names that two of them claim. */
export function linkSkills(inputs: readonly LinkInput[]): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const skills = new Map<string, string>();
  const functions = new Map<string, string>();
  for (const { file, skill } of inputs) {
    const first = skills.get(skill.name);
    if (first === undefined) skills.set(skill.name, file);
    else {
      const message = `the skill ${skill.name} stands in ${first} already`;
      diagnostics.push(wholeDocument("skill-duplicate", file, message));
    }
    diagnostics.push(...functionClashes({ file, skill }, functions));
    for (const { name } of skill.functions) if (!functions.has(name)) functions.set(name, file);
  }
  return diagnostics;
}

/**
 * The functions of a skill whose names others have already.
 * @param owners the others' functions by name, each with the file or the skill that defines it
 */
export function functionClashes(
  { file, skill }: LinkInput,
  owners: ReadonlyMap<string, string>,
): Diagnostic[] {
  return skill.functions.flatMap(({ name }) => {
    const owner = owners.get(name);
    if (owner === undefined) return [];
    const message = `the function ${name} is defined in ${owner} already`;
    return [wholeDocument("function-in-two-skills", file, message)];
  });
}
