import type { ListedSkill } from "./catalog.ts";
import { categoryOf } from "./order.ts";

/** The index as lines for a system prompt: a heading a category, a line a skill. */
export function indexText(skills: readonly ListedSkill[]): string {
  const lines: string[] = [];
  let heading: string | null = null;
  for (const skill of skills) {
    const group = oneLine(categoryOf(skill));
    if (group !== heading) lines.push(...(lines.length === 0 ? [] : [""]), `## ${group}`);
    heading = group;
    lines.push(`- ${skill.name}: ${oneLine(skill.description)}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** No text of a skill makes a line of its own: in a prompt that would be another skill, or an instruction. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
