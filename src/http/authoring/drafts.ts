import { mergeTexts } from "../../compile/upload.ts";
import { sha256HexOfBytes } from "../../digest.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { SkillRecord } from "../../ir.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_SKILL_FILES } from "../../limits.ts";
import { nearestFirst } from "../../nearest.ts";
import type { OwnSkill, SkillVersion, StoredFile } from "../../store/index.ts";
import type { Edit } from "../requests.ts";
import { applyEdits } from "./apply-edits.ts";
import { type Bundle, refused } from "./bundle/bundle.ts";

/** What a write finds: the tenant's own skill, and the bundled one of that name. */
export interface Current {
  name: string;
  own: OwnSkill | null;
  bundled: SkillRecord | null;
}

/** What a skill is to become. */
export interface Draft {
  document: Uint8Array | string;
  files: readonly StoredFile[];
  base: string | null;
  /** What files hold that are new, by digest. */
  contents: ReadonlyMap<string, Uint8Array>;
}

/** Makes a draft of what a write finds. */
export type DraftOf = (current: Current) => Promise<Result<Draft>>;

/** Gives what is kept of a tenant's skill under a digest; null where it is gone. */
export type ContentOf = (digest: string) => Promise<Result<Uint8Array | null>>;

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map();

/** An uploaded document, with its files where it has any; else those of before stay. */
export function bundleDraft({ document, files }: Bundle, isRebased: boolean): DraftOf {
  return async ({ own, bundled }) => {
    const base = own === null || isRebased ? (bundled?.digest ?? null) : own.base;
    if (files === null) return success({ document, files: own?.files ?? [], base, contents: NOTHING });
    const contents = new Map<string, Uint8Array>();
    const stored: StoredFile[] = [];
    for (const [path, bytes] of files) {
      const digest = await sha256HexOfBytes(bytes);
      contents.set(digest, bytes);
      stored.push({ path, digest, bytes: bytes.byteLength });
    }
    return success({ document, files: stored, base, contents });
  };
}

/** The document with edits made in it; the bundled one is copied first where the tenant has none. */
export function editedDraft(edits: readonly Edit[]): DraftOf {
  return async (current) => {
    const copy = copied(current);
    if (!copy.ok) return copy;
    const edited = applyEdits(copy.value.document, edits);
    return edited.ok ? success({ ...copy.value, document: edited.value }) : edited;
  };
}

/** The skill with a file put in. */
export function fileDraft(path: string, bytes: Uint8Array): DraftOf {
  return async (current) => {
    const copy = copied(current);
    if (!copy.ok) return copy;
    const digest = await sha256HexOfBytes(bytes);
    const others = copy.value.files.filter((file) => file.path !== path);
    if (others.length >= MAX_SKILL_FILES)
      return refused(`has more than the ${MAX_SKILL_FILES} files allowed`);
    const files = [...others, { path, digest, bytes: bytes.byteLength }];
    return success({ ...copy.value, files, contents: new Map([[digest, bytes]]) });
  };
}

/** The skill with a file taken out. */
export function withoutFileDraft(path: string): DraftOf {
  return async (current) => {
    const paths = (current.own?.files ?? []).map((file) => file.path);
    if (!paths.includes(path))
      return failed({ code: "UNKNOWN_FILE", skill: current.name, path, known: nearestFirst(path, paths) });
    const copy = copied(current);
    if (!copy.ok) return copy;
    return success({ ...copy.value, files: copy.value.files.filter((file) => file.path !== path) });
  };
}

/** A former version as it was. */
export function formerDraft(version: number, contentOf: ContentOf): DraftOf {
  return async ({ name, own }) => {
    if (own === null) return failed({ code: "UNKNOWN_SKILL", skill: name, known: [] });
    const former = versionsOf(own).find((one) => one.version === version);
    if (former === undefined)
      return failed({
        code: "UNKNOWN_VERSION",
        skill: name,
        version,
        known: versionsOf(own).map((one) => one.version),
      });
    const document = await sourceOf(former.digest, own, contentOf);
    if (!document.ok) return document;
    return success({ document: document.value, files: former.files, base: former.base, contents: NOTHING });
  };
}

/** The document with what the bundled skill has become since it was made from it, where both fit together. */
export function rebasedDraft(contentOf: ContentOf): DraftOf {
  return async ({ name, own, bundled }) => {
    if (own === null) return failed({ code: "UNKNOWN_SKILL", skill: name, known: [] });
    if (bundled === null || own.base === null)
      return unmergeable(`Your ${name} was not made from a bundled skill that is still there.`);
    const base = await sourceOf(own.base, own, contentOf);
    if (!base.ok) return base;
    const merge = mergeTexts(base.value, own.source, bundled.source);
    if (merge === null) return unmergeable(`Your ${name} and the bundled one have too little in common.`);
    if (!merge.ok)
      return failed({ code: "MERGE_CONFLICT", skill: name, conflicts: merge.conflicts.map(wireConflict) });
    return success({ document: merge.text, files: own.files, base: bundled.digest, contents: NOTHING });
  };
}

/** All versions that there are of a skill, the latest first. */
export function versionsOf(own: OwnSkill): readonly SkillVersion[] {
  return [own, ...own.former];
}

/** The document that has a digest: the latest one, or what is kept of another. */
export async function sourceOf(digest: string, own: OwnSkill, contentOf: ContentOf): Promise<Result<string>> {
  if (digest === own.digest) return success(own.source);
  const bytes = await contentOf(digest);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return failed({ code: "STORE_UNAVAILABLE", operation: "find a former document" });
  return success(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.value));
}

/** What there is already, to be changed. */
function copied({ name, own, bundled }: Current): Result<Draft & { document: string }> {
  if (own !== null)
    return success({ document: own.source, files: own.files, base: own.base, contents: NOTHING });
  if (bundled === null) return failed({ code: "UNKNOWN_SKILL", skill: name, known: [] });
  return success({ document: bundled.source, files: [], base: bundled.digest, contents: NOTHING });
}

function unmergeable(message: string): Result<never> {
  return failed({ code: "INVALID_REQUEST", message, faults: [] });
}

type Side = { first: number; lines: readonly string[] };

function wireConflict({ base, ours, theirs }: { base: Side; ours: Side; theirs: Side }): JsonValue {
  const wire = ({ first, lines }: Side) => ({ line: first, text: lines.join("") });
  return { base: wire(base), yours: wire(ours), bundled: wire(theirs) };
}
