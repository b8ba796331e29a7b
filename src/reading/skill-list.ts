import { shorten } from "../shorten.ts";
import { countCharacters } from "../text-page.ts";
import { sharesWithin } from "./shares.ts";

/** What a list of skills says of one. */
export interface SkillLine {
  name: string;
  /** The category that it is shown under. */
  category: string;
  description: string;
  /** What stands after the description, whole. */
  note?: string;
}

/** The lines that there was room for, and how many there was none for. */
export interface FittedLines<Line> {
  lines: Line[];
  /** How many of the lines have a part of their description only, or none of it. */
  shortened: number;
  omitted: number;
}

/** How a list is made to fit. */
export interface Fitting<Line> {
  /** The characters that the first lines take as they are written, with what is said of those that are left out. */
  sizeOf(lines: readonly Line[]): number;
  /** Whether the first lines matter more than those that follow. */
  isRanked: boolean;
  maxCharacters: number;
}

/**
 * Shortens descriptions, and never names, until a list has no more than so many characters. Where names alone are too
 * much, those at the end are left out; null where not even one fits, or what stands around no lines at all.
 */
export function fitLines<Line extends { description: string }>(
  all: readonly Line[],
  fitting: Fitting<Line>,
): FittedLines<Line> | null {
  const { sizeOf, isRanked, maxCharacters } = fitting;
  const bare = all.map((line) => ({ ...line, description: "" }));
  const count = mostOf(all.length, (shown) => sizeOf(bare.slice(0, shown)) <= maxCharacters);
  if (count === 0 && (all.length > 0 || sizeOf([]) > maxCharacters)) return null;
  const lines = all.slice(0, count);
  const omitted = all.length - count;
  const over = sizeOf(lines) - maxCharacters;
  if (over <= 0) return { lines, shortened: 0, omitted };
  const sizes = lines.map(({ description }) => countCharacters(description));
  // What descriptions take besides their own characters, escapes and colons, is counted as if it stayed.
  const room = sizes.reduce((sum, size) => sum + size, 0) - over;
  const shares = sharesWithin(
    sizes,
    lines.map((_, index) => (isRanked ? index : 0)),
    room,
  );
  return {
    lines: lines.map((line, index) => ({ ...line, description: cut(line.description, shares[index] ?? 0) })),
    shortened: sizes.filter((size, index) => size > (shares[index] ?? 0)).length,
    omitted,
  };
}

function cut(text: string, characters: number): string {
  return characters === 0 ? "" : shorten(text, characters);
}

/** The largest number, up to one, for which something holds that holds for all smaller ones. */
function mostOf(all: number, holds: (count: number) => boolean): number {
  if (holds(all)) return all;
  let least = 0;
  let most = all;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (holds(middle)) least = middle;
    else most = middle;
  }
  return least;
}

/**
 * Skills as lines for a system prompt, a line a skill.
 * @param isGrouped whether each category has a heading; lines of one category then stand together
 */
export function skillListText(lines: readonly SkillLine[], isGrouped: boolean): string {
  const text: string[] = [];
  let heading: string | null = null;
  for (const { name, category, description, note = "" } of lines) {
    const group = oneLine(category);
    if (isGrouped && group !== heading) text.push(...(text.length === 0 ? [] : [""]), `## ${group}`);
    heading = group;
    const said = `${oneLine(description)}${note}`.trim();
    text.push(said === "" ? `- ${name}` : `- ${name}: ${said}`);
  }
  return text.length === 0 ? "" : `${text.join("\n")}\n`;
}

/** No text of a skill makes a line of its own: in a prompt that would be another skill, or an instruction. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
