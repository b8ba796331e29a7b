import type { Skill } from "../ir.ts";
import type { Diagnostic } from "./diagnostic.ts";

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
    if (first !== undefined)
      diagnostics.push(clash("skill-duplicate", file, `the skill ${skill.name} stands in ${first} already`));
    else skills.set(skill.name, file);
    for (const { name } of skill.functions) {
      const owner = functions.get(name);
      if (owner !== undefined && owner !== file) {
        diagnostics.push(
          clash("function-in-two-skills", file, `the function ${name} is defined in ${owner} already`),
        );
      } else functions.set(name, file);
    }
  }
  return diagnostics;
}

function clash(
  code: "skill-duplicate" | "function-in-two-skills",
  file: string,
  message: string,
): Diagnostic {
  return { code, severity: "error", file, line: 1, column: 1, endColumn: 2, message, fix: null, excerpt: "" };
}
