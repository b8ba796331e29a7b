import type { SkillRecord } from "../../ir.ts";
import { MAX_FORMER_VERSIONS } from "../../limits.ts";

/** A file beside a skill's document; what it holds is kept under its digest. */
export interface StoredFile {
  /** From the skill's folder, e.g. `references/api.md`. */
  path: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  digest: string;
  bytes: number;
}

/** What a version of a skill was. */
export interface SkillVersion {
  /** 1 for the first, and one more for each that differs from the one before. */
  version: number;
  /** SHA-256 of the document. */
  digest: string;
  /** Who wrote it. */
  author: string;
  /** Milliseconds since 1970. */
  writtenAt: number;
  files: readonly StoredFile[];
  /** The digest of the bundled skill that it was made from; null where it was made from none. */
  base: string | null;
}

/** All that is kept of a skill but for what its document compiles to. */
export interface SkillState extends SkillVersion {
  source: string;
  /** The versions before, the latest first. */
  former: readonly SkillVersion[];
}

/** A tenant's own skill. */
export interface OwnSkill extends SkillState {
  record: SkillRecord;
  /** Characters (UTF-16 units) of the stored text. */
  characters: number;
}

/** What a skill becomes. */
export interface SkillChange {
  record: SkillRecord;
  files: readonly StoredFile[];
  base: string | null;
  /** What files hold that are new, and the source of a new base, by digest. */
  contents: ReadonlyMap<string, Uint8Array>;
}

/** The value under a skill's key. */
type StoredSkill = SkillRecord & Omit<SkillState, "digest" | "source">;

/** A skill as it is stored: its text, and the same with the size of that. */
export function writeOwnSkill(next: Omit<OwnSkill, "characters">): { text: string; skill: OwnSkill } {
  const { record, version, author, writtenAt, base, files, former } = next;
  const stored: StoredSkill = { ...record, version, author, writtenAt, base, files, former };
  const text = JSON.stringify(stored);
  return { text, skill: { ...next, characters: text.length } };
}

/** A stored text as a skill; its record may be of another version of this program. */
export function readOwnSkill(text: string): OwnSkill {
  const stored: StoredSkill = JSON.parse(text);
  const { irVersion, digest, source, skill, tools, ...rest } = stored;
  const { version = 1, author = "", writtenAt = 0, base = null, files = [], former = [] } = rest;
  const record = { irVersion, digest, source, skill, tools };
  const characters = text.length;
  return { record, digest, source, version, author, writtenAt, base, files, former, characters };
}

/**
 * The skill that a change makes of what was there. What is the same as before, files included, is the same version
 * still.
 */
export function nextSkill(
  before: SkillState | null,
  { record, files, base }: SkillChange,
  author: string,
  now: number,
): Omit<OwnSkill, "characters"> {
  const { digest, source } = record;
  // Two writes of one skill never have the same time, by which an index knows them apart.
  const writtenAt = before === null ? now : Math.max(now, before.writtenAt + 1);
  const shared = { record, digest, source, files, base, writtenAt };
  if (before === null) return { ...shared, version: 1, author, former: [] };
  const { version, former } = before;
  if (digest === before.digest && sameFiles(files, before.files))
    return { ...shared, version, author: before.author, former };
  const kept = [versionOf(before), ...former].slice(0, MAX_FORMER_VERSIONS);
  return { ...shared, version: version + 1, author, former: kept };
}

/** What a state was, without what only the latest one has. */
function versionOf({ version, digest, author, writtenAt, files, base }: SkillVersion): SkillVersion {
  return { version, digest, author, writtenAt, files, base };
}

function sameFiles(left: readonly StoredFile[], right: readonly StoredFile[]): boolean {
  const digests = new Map(left.map(({ path, digest }) => [path, digest]));
  return left.length === right.length && right.every(({ path, digest }) => digests.get(path) === digest);
}

/** The digests of all contents that a skill names. */
export function namedContents(state: SkillState): Set<string> {
  const versions: readonly SkillVersion[] = [state, ...state.former];
  return new Set(
    versions.flatMap(({ digest, files, base }) => [
      digest,
      ...files.map((file) => file.digest),
      ...(base === null ? [] : [base]),
    ]),
  );
}
