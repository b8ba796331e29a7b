import type { SearchableEntry } from "../../ir.ts";
import { KV_PROPAGATION_MS } from "../../limits.ts";
import { IR_VERSION } from "../../vocabulary.ts";
import { type ListedKey, type SkillNote, skillNoteOf } from "../storage.ts";
import type { OwnSkill } from "./own-skill.ts";

/** A line of an index, with the note of the skill that it was made of. */
export interface ManifestLine extends SkillNote {
  entry: SearchableEntry;
}

/** All that is known of a tenant's skills without reading one; derived from them. */
export interface Manifest {
  /** When the keys of the skills were listed for it, in milliseconds since 1970. */
  listedAt: number;
  lines: readonly ManifestLine[];
}

/** A manifest as it was read, with what was said beside it. */
export interface ReadManifest {
  /** Null where there is none, or one of another version of this program. */
  manifest: Manifest | null;
  /** Until when skills may change; null where nobody has ever announced a change. */
  changedUntil: number | null;
  /** Whether there is anything to make a manifest of. */
  isExpected: boolean;
}

export const NO_LINES: Manifest = { listedAt: 0, lines: [] };

export function writeManifest({ listedAt, lines }: Manifest): string {
  return JSON.stringify({ irVersion: IR_VERSION, listedAt, lines });
}

/** What two values say: that of the index, and that of the announcement. */
export function readManifest(index: string | null, announced: string | null): ReadManifest {
  const changedUntil = announced === null ? null : Number(announced);
  const isExpected = index !== null || announced !== null;
  const stored: { irVersion: number } & Manifest = index === null ? null : JSON.parse(index);
  const manifest = stored?.irVersion === IR_VERSION ? stored : null;
  return { manifest, changedUntil, isExpected };
}

/**
 * Whether the keys have to be listed again: where nothing says what there is, and where they were last listed before
 * KV surely showed every change that was announced, as soon as it does.
 */
export function isListingDue({ manifest, changedUntil, isExpected }: ReadManifest, now: number): boolean {
  if (manifest === null) return isExpected;
  if (changedUntil === null) return false;
  const settledAt = changedUntil + KV_PROPAGATION_MS;
  return now >= settledAt && manifest.listedAt < settledAt;
}

/** The names of listed keys with their notes, null where another version of this program wrote none. */
export function listedNotes(keys: readonly ListedKey[], prefix: string): Map<string, SkillNote | null> {
  return new Map(keys.map(({ name, note }) => [name.slice(prefix.length), skillNoteOf(note)]));
}

/** What a list says about the lines of a manifest. */
export interface Comparison {
  /** Lines that are right. */
  kept: readonly ManifestLine[];
  /** Skills that have to be read for their lines. */
  missing: readonly string[];
}

/** Where a list shows everything, it alone says what there is. */
export function compareSettled(
  lines: readonly ManifestLine[],
  listed: ReadonlyMap<string, SkillNote | null>,
): Comparison {
  const kept = lines.filter((line) => {
    const note = listed.get(line.entry.name) ?? null;
    return note !== null && note.writtenAt === line.writtenAt && note.digest === line.digest;
  });
  return { kept, missing: namesWithout(kept, listed) };
}

/** Where a list may be older than a line, the later one of both is right, and what it does not show may yet be there. */
export function compareUnsettled(
  lines: readonly ManifestLine[],
  listed: ReadonlyMap<string, SkillNote | null>,
): Comparison {
  const kept = lines.filter((line) => {
    const note = listed.get(line.entry.name) ?? null;
    return note === null || note.writtenAt <= line.writtenAt;
  });
  return { kept, missing: namesWithout(kept, listed) };
}

function namesWithout(lines: readonly ManifestLine[], listed: ReadonlyMap<string, unknown>): string[] {
  const known = new Set(lines.map(({ entry }) => entry.name));
  return [...listed.keys()].filter((name) => !known.has(name));
}

/** Lines with those that this isolate knows better in the place of theirs. */
export function overlaid(
  lines: readonly ManifestLine[],
  own: ReadonlyMap<string, OwnSkill | null>,
  lineOf: (skill: OwnSkill) => ManifestLine,
): readonly ManifestLine[] {
  if (own.size === 0) return lines;
  const others = lines.filter(({ entry }) => !own.has(entry.name));
  return [...others, ...[...own.values()].flatMap((skill) => (skill === null ? [] : [lineOf(skill)]))];
}

/** Whether two lists of lines are of the very same writes. */
export function sameLines(left: readonly ManifestLine[], right: readonly ManifestLine[]): boolean {
  if (left.length !== right.length) return false;
  const known = new Map(left.map(({ entry, writtenAt, digest }) => [entry.name, `${writtenAt} ${digest}`]));
  return right.every(({ entry, writtenAt, digest }) => known.get(entry.name) === `${writtenAt} ${digest}`);
}
