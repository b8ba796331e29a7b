import { MAX_FIX_ROUNDS } from "../limits.ts";
import { type CompileOptions, type CompileResult, compileSkill } from "./compile-skill.ts";
import { applyEdits, compatibleEdits } from "./edit.ts";

/**
 * Makes the edits that a document's diagnostics carry, again and again, for one may lay open the next, until
 * none is left. A document that compiles still does afterwards: an edit that would spoil that is not made.
 * @returns the text, the same one where there was nothing to do
 */
export function fixSkill(text: string, options: CompileOptions): string {
  const compile = (candidate: string): CompileResult => compileSkill(candidate, options);
  let fixed = text;
  for (let round = 0; round < MAX_FIX_ROUNDS; round++) {
    const next = fixOnce(fixed, compile);
    if (next === fixed) break;
    fixed = next;
  }
  return fixed;
}

function fixOnce(text: string, compile: (candidate: string) => CompileResult): string {
  const { skill, diagnostics } = compile(text);
  const groups = compatibleEdits(diagnostics.map(({ edits }) => edits));
  const all = applyEdits(text, groups.flat());
  const mayMake = (candidate: string): boolean => skill === null || compile(candidate).skill !== null;
  if (groups.length === 0 || mayMake(all)) return all;
  let kept = groups.slice(0, 0);
  for (const group of groups) {
    if (mayMake(applyEdits(text, [...kept, group].flat()))) kept = [...kept, group];
  }
  return applyEdits(text, kept.flat());
}
