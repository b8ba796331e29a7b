import type { SkillSection } from "../ir.ts";
import { countCharacters } from "../text-page.ts";

/** A section as an outline shows it. */
export interface OutlineLine {
  /** The name to ask for it by. */
  section: string;
  level: number;
  /** The size of all of it, in characters. */
  chars: number;
  /** The first line under the heading; absent where there is none, or no room. */
  first_line?: string;
}

/** An outline, and how many of the sections there was no room for. */
export interface Outline {
  outline: OutlineLine[];
  sections_omitted: number;
}

/** A section with the name that it is asked for by. */
export interface NamedSection extends SkillSection {
  label: string;
}

/**
 * As much of an outline as so many characters of JSON hold. First lines go first, then the deepest levels one after
 * the other, and where even the uppermost is too much, the sections at its end.
 */
export function outlineWithin(sections: readonly NamedSection[], maxCharacters: number): Outline {
  const levels = [...new Set(sections.map(({ level }) => level))].sort((left, right) => right - left);
  for (const deepest of levels) {
    const shown = sections.filter(({ level }) => level <= deepest);
    for (const lines of [shown.map(fullLine), shown.map(shortLine)])
      if (sizeOf(lines) <= maxCharacters) return outlineOf(lines, sections);
  }
  const uppermost = sections.filter(({ level }) => level === levels.at(-1)).map(shortLine);
  return outlineOf(uppermost.slice(0, countWithin(uppermost, maxCharacters)), sections);
}

function outlineOf(outline: OutlineLine[], { length }: readonly NamedSection[]): Outline {
  return { outline, sections_omitted: length - outline.length };
}

function shortLine({ label, level, start, end }: NamedSection): OutlineLine {
  return { section: label, level, chars: end - start };
}

function fullLine(section: NamedSection): OutlineLine {
  const { firstLine } = section;
  return firstLine === "" ? shortLine(section) : { ...shortLine(section), first_line: firstLine };
}

const COMMA = 1;

function sizeOf(lines: readonly OutlineLine[]): number {
  return lines.reduce((size, line) => size + writtenSize(line), 0);
}

/** How many lines from the beginning on so many characters hold. */
function countWithin(lines: readonly OutlineLine[], maxCharacters: number): number {
  let left = maxCharacters;
  const over = lines.findIndex((line) => {
    left -= writtenSize(line);
    return left < 0;
  });
  return over === -1 ? lines.length : over;
}

function writtenSize(line: OutlineLine): number {
  return countCharacters(JSON.stringify(line)) + COMMA;
}
