import { failed, type Result, success } from "../errors.ts";
import type { SkillSection } from "../ir.ts";
import { MAX_LISTED_SECTIONS, MAX_SIMILAR_NAME_UNITS } from "../limits.ts";
import { editDistance } from "../nearest.ts";
import { countCharacters, pageOf, sliceCharacters, type TextPage } from "../text-page.ts";
import { type NamedSection, type Outline, outlineWithin } from "./outline.ts";
import { SectionNames } from "./section-names.ts";

/** A file beside a skill's document. */
interface SkillFile {
  path: string;
  bytes: number;
}

/** A skill's document, as it is read. */
export interface ReadableSkill {
  name: string;
  source: "bundled" | "user";
  /** Counts the versions of a tenant's own; null where it is bundled. */
  version: number | null;
  /** Whether the bundled skill has changed since the tenant's own was made from it. */
  stale: boolean;
  /** What stands beside the document. */
  files: readonly SkillFile[];
  text: string;
  /** As the compiler gives them: offsets count code points of the text. */
  sections: readonly SkillSection[];
}

/** What of a document is asked for; null where that is not said. */
export interface Wanted {
  /** By its heading, or by a path of headings. */
  section: string | null;
  /** Code points of the document, or of the section. */
  offset: number | null;
  /** What the reply may have in all, in code points of its JSON; at least MIN_LOADED_CHARACTERS. */
  maxCharacters: number;
}

/** A piece of a document, as it goes over the wire. The sizes and offsets are those of the whole that it is of. */
interface Piece {
  status: "ok";
  name: string;
  source: "bundled" | "user";
  version: number | null;
  stale: boolean;
  files: readonly SkillFile[];
  /** Of how many more files there is no room to tell. */
  files_omitted: number;
  content: string;
  total_chars: number;
  offset: number;
  next_offset: number | null;
  complete: boolean;
}

/**
 * What is given of a document: the document or a page of it, its outline with the opening, or a section of it. A
 * section that is too large comes with an outline of its own.
 */
export type LoadedSkill =
  | (Piece & { mode: "document" })
  | (Piece & { mode: "outline" } & Outline)
  | (Piece & { mode: "section"; section: string; document_chars: number } & Outline);

/**
 * Reads a document, or what is asked for of it. What fits comes whole; what doesn't, asked for without an offset,
 * comes as an outline and the opening. Fails with UNKNOWN_SECTION, with AMBIGUOUS_SECTION, and with INVALID_REQUEST
 * where the offset is past the end.
 */
export function loadSkill(skill: ReadableSkill, wanted: Wanted): Result<LoadedSkill> {
  const { section, offset } = wanted;
  if (section !== null) return loadSection(skill, section, wanted);
  const page = (piece: Piece): LoadedSkill => ({ ...piece, mode: "document" });
  const whole = pieceWithin(skill, skill.text, wanted, page);
  if (whole === null) return pastEnd(skill.text, offset ?? 0, `The document of ${skill.name}`);
  if (whole.complete || offset !== null) return success(whole);
  return outlined(skill, skill.text, namedSections(skill), wanted, (piece, outline) => ({
    ...piece,
    mode: "outline",
    ...outline,
  }));
}

function loadSection(skill: ReadableSkill, asked: string, wanted: Wanted): Result<LoadedSkill> {
  const names = new SectionNames(skill.sections);
  const [index, ...others] = names.find(asked);
  if (index === undefined) return failed(unknownSection(skill, asked, names));
  const section = skill.sections[index];
  if (section === undefined || others.length > 0) {
    const paths = [index, ...others].flatMap((place) => names.labels[place] ?? []);
    return failed({ code: "AMBIGUOUS_SECTION", skill: skill.name, section: asked, paths });
  }
  const text = sliceCharacters(skill.text, section.start, section.end);
  const document_chars = countCharacters(skill.text);
  const make = (piece: Piece, outline: Outline): LoadedSkill => ({
    ...piece,
    mode: "section",
    section: section.title,
    document_chars,
    ...outline,
  });
  const whole = pieceWithin(skill, text, wanted, (piece) => make(piece, NO_OUTLINE));
  if (whole === null) return pastEnd(text, wanted.offset ?? 0, `The section ${JSON.stringify(asked)}`);
  if (whole.complete || wanted.offset !== null) return success(whole);
  const within = namedSections(skill, names).slice(index + 1, endOf(skill.sections, index));
  return outlined(skill, text, within, wanted, make);
}

const NO_OUTLINE: Outline = { outline: [], sections_omitted: 0 };

/** Where in the list the sections within a section end. */
function endOf(sections: readonly SkillSection[], index: number): number {
  const level = sections[index]?.level ?? 0;
  const next = sections.findIndex((section, place) => place > index && section.level <= level);
  return next === -1 ? sections.length : next;
}

function namedSections(
  { sections }: ReadableSkill,
  names: SectionNames = new SectionNames(sections),
): NamedSection[] {
  return sections.map((section, index) => ({ ...section, label: names.labels[index] ?? section.title }));
}

/** The part of a reply that an outline may take; the opening has the rest. */
const OUTLINE_SHARE = 0.75;

function outlined(
  skill: ReadableSkill,
  text: string,
  sections: readonly NamedSection[],
  wanted: Wanted,
  make: (piece: Piece, outline: Outline) => LoadedSkill,
): Result<LoadedSkill> {
  const room = roomWithin(skill, text, wanted, (piece) => make(piece, NO_OUTLINE));
  const outline = outlineWithin(sections, Math.floor(room * OUTLINE_SHARE));
  const opening = pieceWithin(skill, text, wanted, (piece) => make(piece, outline));
  return opening === null ? pastEnd(text, 0, `The document of ${skill.name}`) : success(opening);
}

/** As much of a text as a reply has room for, from the wanted offset on; null where that is past the end. */
function pieceWithin(
  skill: ReadableSkill,
  text: string,
  wanted: Wanted,
  make: (piece: Piece) => LoadedSkill,
): LoadedSkill | null {
  const page = pageOf(text, wanted.offset ?? 0, roomWithin(skill, text, wanted, make));
  return page === null ? null : make(pieceOf(skill, page, wanted));
}

/** The characters that a reply has left for a text as JSON, quotes included, whatever page of it that becomes. */
function roomWithin(
  skill: ReadableSkill,
  text: string,
  wanted: Wanted,
  make: (piece: Piece) => LoadedSkill,
): number {
  const { offset, maxCharacters } = wanted;
  const totalCharacters = countCharacters(text);
  const empty = { text: "", offset: offset ?? 0, totalCharacters };
  const sizes = [null, totalCharacters].map((nextOffset) =>
    countCharacters(JSON.stringify(make(pieceOf(skill, { ...empty, nextOffset }, wanted)))),
  );
  return maxCharacters - Math.max(...sizes) + QUOTES;
}

/** Those of the empty text, which a reply's own size has already. */
const QUOTES = 2;

function pieceOf(skill: ReadableSkill, page: TextPage, { maxCharacters }: Wanted): Piece {
  const { name, source, version, stale } = skill;
  const files = filesWithin(skill.files, Math.floor(maxCharacters * FILES_SHARE));
  return {
    status: "ok",
    name,
    source,
    version,
    stale,
    files,
    files_omitted: skill.files.length - files.length,
    content: page.text,
    total_chars: page.totalCharacters,
    offset: page.offset,
    next_offset: page.nextOffset,
    complete: page.nextOffset === null,
  };
}

/** The part of a reply that the list of files may take; all of it is a question of its own. */
const FILES_SHARE = 0.125;

/** The first files of a list whose JSON has no more than so many characters. */
function filesWithin(files: readonly SkillFile[], maxCharacters: number): SkillFile[] {
  const listed: SkillFile[] = [];
  let room = maxCharacters;
  for (const file of files) {
    room -= countCharacters(JSON.stringify(file)) + 1;
    if (room < 0) break;
    listed.push(file);
  }
  return listed;
}

function pastEnd(text: string, offset: number, what: string): Result<never> {
  const total = countCharacters(text);
  const expected = total === 0 ? "0" : `at most ${total - 1}`;
  return failed({
    code: "INVALID_REQUEST",
    message: `${what} has ${total} characters, so there is nothing at the offset ${offset}.`,
    faults: [{ path: "/offset", rule: "maximum", expected, got: `${offset}` }],
  });
}

function unknownSection(skill: ReadableSkill, asked: string, { labels }: SectionNames) {
  const cut = (name: string): string => name.slice(0, MAX_SIMILAR_NAME_UNITS).toLowerCase();
  const meant = cut(asked);
  const ranked = labels.map((label) => ({ label, ...distanceFrom(meant, cut(label)) }));
  ranked.sort((left, right) => left.rank - right.rank || left.distance - right.distance);
  const known = ranked.slice(0, MAX_LISTED_SECTIONS).map(({ label }) => label);
  return {
    code: "UNKNOWN_SECTION",
    skill: skill.name,
    section: asked,
    known,
    unlisted: labels.length - known.length,
  } as const;
}

/** Names that have the one that was asked for within them, or are within it, are nearer than any others. */
function distanceFrom(asked: string, name: string): { rank: number; distance: number } {
  const isWithin = name !== "" && (name.includes(asked) || asked.includes(name));
  return { rank: isWithin ? 0 : 1, distance: editDistance(asked, name) };
}
