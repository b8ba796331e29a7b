import { join } from "node:path";
import { readSkills } from "../../src/cli/skills/read.ts";
import type { RateLimit, Skill } from "../../src/ir.ts";
import { recordOf } from "../catalog/record.ts";
import { writeBundle } from "../catalog/write.ts";

/** Far above what any benchmark sends, so that a limit is counted and checked but never reached. */
const OUT_OF_REACH = 1_000_000_000;

const skills = join(import.meta.dirname, "../../skills");

/** A skill with the same limits, none of which will ever refuse a call. */
export function withRaisedLimits(skill: Skill): Skill {
  const raised = (limits: readonly RateLimit[]): RateLimit[] =>
    limits.map(({ window }) => ({ window, max: OUT_OF_REACH }));
  const { globalLimits, functionLimits } = skill.constraints;
  return {
    ...skill,
    constraints: {
      ...skill.constraints,
      globalLimits: raised(globalLimits),
      functionLimits: functionLimits.map((entry) => ({ ...entry, limits: raised(entry.limits) })),
    },
  };
}

/** Builds the bundled skills with raised limits into a folder; the path of the module to bundle. */
export async function buildRaisedCatalog(folder: string): Promise<string> {
  const { compiled, files } = await readSkills(skills);
  if (compiled.length < files.length) throw new Error("Not every bundled skill compiles; see npm run build.");
  const raised = compiled.map(({ source, skill }) => recordOf({ source, skill: withRaisedLimits(skill) }));
  await writeBundle(folder, await Promise.all(raised));
  return join(folder, "bundle.js");
}
