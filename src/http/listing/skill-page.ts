import { type Catalog, categoryOf, type ListedSkill } from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import { fitLines, oneLine, type SkillLine, skillListText } from "../../reading/index.ts";
import { countCharacters } from "../../text-page.ts";
import type { SkillsQuery } from "../requests.ts";
import type { SkillSearches } from "./searches.ts";

/** What `GET /v1/skills` answers; `replies.skillList` describes it. */
interface SkillListReply {
  catalog: string;
  total: number;
  categories: { category: string; skills: number }[];
  skills: WireLine[];
  next_cursor: string | null;
  shortened: number;
}

type WireLine = ReturnType<typeof wireLine>;

/**
 * Writes the part of the index that a query asks for, as JSON or as lines for a prompt. Fails with INVALID_REQUEST
 * where a cursor is of another index, and where not even one skill fits.
 */
export async function skillPage(
  query: SkillsQuery,
  catalog: Catalog,
  searches: SkillSearches,
): Promise<Result<string>> {
  const found = await foundSkills(query, catalog, searches);
  if (!found.ok) return found;
  const hash = await catalog.hash();
  if (!hash.ok) return hash;
  const offset = offsetOf(query.cursor, hash.value);
  if (offset === null) return staleCursor(query.cursor ?? "");
  const limit = query.limit === undefined ? undefined : offset + Number(query.limit);
  const place: Place = { query, hash: hash.value, all: found.value, offset };
  const skills = found.value.slice(offset, limit);
  return query.format === "text" ? textPage(skills, place) : jsonPage(skills, place);
}

/** Where a page stands in all that was found. */
interface Place {
  query: SkillsQuery;
  hash: string;
  all: readonly ListedSkill[];
  offset: number;
}

async function foundSkills(
  { category, q }: SkillsQuery,
  catalog: Catalog,
  searches: SkillSearches,
): Promise<Result<ListedSkill[]>> {
  const listed = await catalog.list();
  if (!listed.ok) return listed;
  const skills = listed.value.filter((skill) => category === undefined || categoryOf(skill) === category);
  if (q === undefined) return success(skills);
  const names = await searches.find(q, catalog);
  if (!names.ok) return names;
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return success(names.value.flatMap((name) => byName.get(name) ?? []));
}

function jsonPage(skills: readonly ListedSkill[], place: Place): Result<string> {
  const { all, hash } = place;
  const reply = (lines: readonly WireLine[], shortened: number): SkillListReply => ({
    catalog: hash,
    total: all.length,
    categories: categoriesOf(all),
    skills: [...lines],
    next_cursor: cursorAfter(lines.length, place),
    shortened,
  });
  const sizeOf = (lines: readonly WireLine[]) => countCharacters(JSON.stringify(reply(lines, lines.length)));
  const lines = skills.map(wireLine);
  const made = fitted(lines, sizeOf, place);
  return made.ok ? success(JSON.stringify(reply(made.value.lines, made.value.shortened))) : made;
}

function textPage(skills: readonly ListedSkill[], place: Place): Result<string> {
  const isGrouped = place.query.q === undefined;
  const write = (lines: readonly SkillLine[]): string => {
    const cursor = cursorAfter(lines.length, place);
    const left = place.all.length - place.offset - lines.length;
    const note = cursor === null ? "" : `\n(${left} more: cursor=${cursor})\n`;
    return skillListText(lines, isGrouped) + note;
  };
  const lines = skills.map((skill) => ({
    name: skill.name,
    category: categoryOf(skill),
    description: oneLine(skill.description),
  }));
  const made = fitted(lines, (some) => countCharacters(write(some)), place);
  return made.ok ? success(write(made.value.lines)) : made;
}

function fitted<Line extends { description: string }>(
  lines: readonly Line[],
  sizeOf: (lines: readonly Line[]) => number,
  { query }: Place,
) {
  if (query.max_chars === undefined) return success({ lines, shortened: 0 });
  const maxCharacters = Number(query.max_chars);
  const all = fitLines(lines, { sizeOf, isRanked: query.q !== undefined, maxCharacters });
  if (all !== null) return success(all);
  const least = sizeOf(lines.slice(0, 1).map((line) => ({ ...line, description: "" })));
  return failed({
    code: "INVALID_REQUEST",
    message: `Not even one skill fits into ${maxCharacters} characters: the first takes ${least}, without its description.`,
    faults: [{ path: "/max_chars", rule: "minimum", expected: `at least ${least}`, got: `${maxCharacters}` }],
  });
}

/** In the order of the index, which is that of the declared categories. */
function categoriesOf(skills: readonly ListedSkill[]): SkillListReply["categories"] {
  const counts = new Map<string, number>();
  for (const skill of skills) counts.set(categoryOf(skill), (counts.get(categoryOf(skill)) ?? 0) + 1);
  return [...counts].map(([category, count]) => ({ category, skills: count }));
}

/** A cursor says where the next page begins, and in which index. */
function cursorAfter(shown: number, { all, hash, offset }: Place): string | null {
  return offset + shown < all.length ? `${offset + shown}-${indexMark(hash)}` : null;
}

function offsetOf(cursor: string | undefined, hash: string): number | null {
  if (cursor === undefined) return 0;
  const [offset = "", mark = ""] = cursor.split("-");
  return mark === indexMark(hash) ? Number(offset) : null;
}

function indexMark(hash: string): string {
  return hash.slice(0, 16);
}

function staleCursor(cursor: string): Result<never> {
  return failed({
    code: "INVALID_REQUEST",
    message: "The skills have changed since this cursor was given: begin again without it.",
    faults: [
      { path: "/cursor", rule: "stale", expected: "a cursor of this index", got: JSON.stringify(cursor) },
    ],
  });
}

function wireLine({
  name,
  title,
  description,
  category,
  version,
  source,
  overrides,
  stale,
  functions,
}: ListedSkill) {
  return {
    name,
    title,
    description,
    category,
    version,
    source,
    overrides,
    stale,
    functions: functions.map((definition) => definition.name),
  };
}
