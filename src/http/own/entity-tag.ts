import type { SkillFileEntry } from "../../catalog/index.ts";
import { sha256Hex } from "../../digest.ts";
import { type Failure, failed, type Result, success } from "../../errors.ts";

/** What a skill's entity tag is made of. */
export interface Tagged {
  digest: string;
  files: readonly Pick<SkillFileEntry, "path" | "digest">[];
}

/** The strong entity tag of a digest, as of a file's. */
export function tagOfDigest(digest: string): string {
  return `"${digest.slice(0, 32)}"`;
}

/** The strong entity tag of a skill, files included: the same for the same. */
export async function skillTag({ digest, files }: Tagged): Promise<string> {
  if (files.length === 0) return tagOfDigest(digest);
  const sorted = files
    .map((file) => [file.path, file.digest])
    .sort(([left = ""], [right = ""]) => (left < right ? -1 : 1));
  return tagOfDigest(await sha256Hex(JSON.stringify([digest, sorted])));
}

/** The conditions that a request sets (RFC 9110, section 13.1); null where it sets none. */
export interface Conditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

export function conditionsOf(headers: Headers): Conditions {
  return { ifMatch: headers.get("If-Match"), ifNoneMatch: headers.get("If-None-Match") };
}

/**
 * VERSION_CONFLICT where a change may not be made.
 * @param current the tag of what would be changed, or null where there is nothing
 */
export function checkConditions(
  skill: string,
  current: string | null,
  { ifMatch, ifNoneMatch }: Conditions,
): Result<null> {
  const conflict: Failure = { code: "VERSION_CONFLICT", skill, current };
  // If-Match compares strongly, so a weak tag never fits (section 13.1.1).
  if (ifMatch !== null && !holds(ifMatch, current, (tag) => tag)) return failed(conflict);
  if (ifNoneMatch !== null && holds(ifNoneMatch, current, (tag) => tag.replace(/^W\//, "")))
    return failed(conflict);
  return success(null);
}

function holds(header: string, current: string | null, read: (tag: string) => string): boolean {
  if (current === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((tag) => read(tag.trim()) === current);
}
