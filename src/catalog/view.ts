import type { Failure } from "../errors.ts";
import type { FunctionDefinition, IndexEntry, Skill } from "../ir.ts";

/** What one caller may see of the skills. */
export interface View {
  /** The same for callers who see the same; empty where that is everything. */
  name: string;
  /** Whether there is a skill of this name for the caller at all. */
  admits(skill: string): boolean;
  /** Why the caller may not use what asks for a permission; null where it may. */
  refusal(permission: string): Failure | null;
}

/** The view that hides nothing. */
export const WHOLE_VIEW: View = { name: "", admits: () => true, refusal: () => null };

/** Why a permission that a skill or function asks for is not granted, or null where it is, or none is asked for. */
export function permissionRefusal(view: View, { permission }: { permission: string | null }): Failure | null {
  return permission === null ? null : view.refusal(permission);
}

/** Whether a skill shows in a view. */
export function showsSkill(view: View, skill: Pick<IndexEntry, "name" | "permission">): boolean {
  return view.admits(skill.name) && permissionRefusal(view, skill) === null;
}

/** Whether a function of a skill that shows does so too. */
export function showsFunction(view: View, definition: Pick<FunctionDefinition, "permission">): boolean {
  return permissionRefusal(view, definition) === null;
}

/** Whether anything of the skills of an index is hidden. */
export function hidesAny(view: View, entries: readonly IndexEntry[]): boolean {
  if (view.name === "") return false;
  return entries.some(
    (entry) =>
      !showsSkill(view, entry) || entry.functions.some((definition) => !showsFunction(view, definition)),
  );
}

/** Why a caller may not use all of a skill, or null where it may. */
export function wholeSkillRefusal(view: View, skill: Skill): Failure | null {
  for (const asking of [skill, ...skill.functions]) {
    const refusal = permissionRefusal(view, asking);
    if (refusal !== null) return refusal;
  }
  return null;
}
