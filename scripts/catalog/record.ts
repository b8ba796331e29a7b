import { makeRecord } from "../../src/catalog/index.ts";
import { dialects } from "../../src/dialect/index.ts";
import type { Skill, SkillRecord } from "../../src/ir.ts";

/** All that derives from a skill, in the words of every provider. */
export function recordOf({ source, skill }: { source: string; skill: Skill }): Promise<SkillRecord> {
  return makeRecord(source, skill, (dialect, definition) => dialects[dialect].encodeTool(definition));
}
