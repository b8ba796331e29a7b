import { isStale } from "../../catalog/index.ts";
import { mergeTexts } from "../../compile/upload.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { SkillRecord } from "../../ir.ts";
import type { OwnSkill, SkillVersion } from "../../store/index.ts";
import { describeDifference, type Side } from "./describe-difference.ts";
import { type ContentOf, sourceOf, versionsOf } from "./drafts.ts";

/** Which versions are to be compared, as a query says it. */
export interface VersionsQuery {
  from?: string | undefined;
  to?: string | undefined;
  against?: "bundled" | undefined;
}

/** What is different between two versions of a tenant's own skill, or between one and the bundled skill. */
export async function describeVersions(
  own: OwnSkill,
  bundled: SkillRecord | null,
  { from, to, against }: VersionsQuery,
  contentOf: ContentOf,
) {
  const { name } = own.record.skill;
  const versions = versionsOf(own);
  const later = to === undefined ? success(own) : versionOf(name, versions, Number(to));
  if (!later.ok) return later;
  const after = await sideOfVersion(later.value, own, contentOf);
  if (!after.ok) return after;
  const before =
    against === "bundled"
      ? bundledSide(name, bundled)
      : await earlierSide(name, versions, later.value, from, own, contentOf);
  if (!before.ok) return before;
  const stale = isStale(own.base, bundled);
  const rebase = stale && bundled !== null ? await rebaseOf(own, bundled, contentOf) : null;
  return success({ ...describeDifference(name, before.value, after.value), stale, rebase });
}

function versionOf(name: string, versions: readonly SkillVersion[], version: number): Result<SkillVersion> {
  const found = versions.find((one) => one.version === version);
  if (found !== undefined) return success(found);
  const known = versions.map((one) => one.version);
  return failed({ code: "UNKNOWN_VERSION", skill: name, version, known });
}

/** The side before: the version that is asked for, or the one before the other; null before the first. */
async function earlierSide(
  name: string,
  versions: readonly SkillVersion[],
  later: SkillVersion,
  from: string | undefined,
  own: OwnSkill,
  contentOf: ContentOf,
): Promise<Result<Side | null>> {
  const earlier =
    from === undefined
      ? success(versions.find((one) => one.version < later.version) ?? null)
      : versionOf(name, versions, Number(from));
  if (!earlier.ok) return earlier;
  return earlier.value === null ? success(null) : sideOfVersion(earlier.value, own, contentOf);
}

async function sideOfVersion(
  { version, digest, files }: SkillVersion,
  own: OwnSkill,
  contentOf: ContentOf,
): Promise<Result<Side>> {
  const document = await sourceOf(digest, own, contentOf);
  return document.ok
    ? success({ version, source: "user", digest, document: document.value, files })
    : document;
}

function bundledSide(name: string, bundled: SkillRecord | null): Result<Side> {
  if (bundled === null) {
    const message = `There is no bundled skill ${name}.`;
    return failed({ code: "INVALID_REQUEST", message, faults: [] });
  }
  const { digest, source } = bundled;
  return success({ version: null, source: "bundled", digest, document: source, files: [] });
}

/** Whether what the bundled skill has become can be taken over without a conflict. */
async function rebaseOf(own: OwnSkill, bundled: SkillRecord, contentOf: ContentOf) {
  if (own.base === null) return null;
  const base = await sourceOf(own.base, own, contentOf);
  const merge = base.ok ? mergeTexts(base.value, own.source, bundled.source) : null;
  if (merge === null) return { clean: false, conflicts: null };
  return merge.ok ? { clean: true, conflicts: 0 } : { clean: false, conflicts: merge.conflicts.length };
}
