import type { ListedSkill } from "./catalog.ts";

/** The index as lines for a system prompt: a heading a category, a line a skill. */
export function indexText(skills: readonly ListedSkill[]): string {
  const lines: string[] = [];
  let heading: string | null = null;
  for (const { name, description, category } of skills) {
    const group = category ?? "other";
    if (group !== heading) lines.push(...(lines.length === 0 ? [] : [""]), `## ${group}`);
    heading = group;
    lines.push(`- ${name}: ${description.replace(/\s+/g, " ")}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
