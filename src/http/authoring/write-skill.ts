import type { Caller } from "../../access/index.ts";
import { type Catalog, isStale, makeRecord } from "../../catalog/index.ts";
import { type Result, success } from "../../errors.ts";
import type { OwnSkill } from "../../store/index.ts";
import type { Gateway } from "../gateway.ts";
import { type Conditions, checkConditions, skillTag, tagOfDigest } from "../own/entity-tag.ts";
import { compileUpload } from "./compile-upload.ts";
import { describeDifference, type Side } from "./describe-difference.ts";
import type { Current, DraftOf } from "./drafts.ts";

/** Somebody's wish to write a skill. */
export interface WriteRequest {
  name: string;
  caller: Caller;
  catalog: Catalog;
  conditions: Conditions;
  /** Where the conditions are on one of the skill's files, its path; null where they are on the skill. */
  file: string | null;
  isDryRun: boolean;
}

/** What was written, or would have been. */
export interface WrittenSkill {
  /** Whether the tenant had no skill of that name, and has one now. */
  created: boolean;
  tag: string;
  reply: Record<string, unknown>;
}

/**
 * Writes a skill: finds out what it is now, makes a draft of that, compiles it, and stores it, with no other write of
 * the tenant in this isolate in between. A condition is checked in the same turn: exactly within an isolate, and as
 * far as KV shows what was written elsewhere.
 */
export async function writeSkill(
  request: WriteRequest,
  draftOf: DraftOf,
  gateway: Gateway,
): Promise<Result<WrittenSkill>> {
  const { name, caller, catalog, isDryRun } = request;
  const writable = await catalog.checkWritable(name);
  if (!writable.ok) return writable;
  const written = await gateway.skills.change(caller.tenant, name, authorOf(caller), async (own) => {
    const made = await makeChange(
      request,
      { name, own, bundled: gateway.bundled.record(name) },
      draftOf,
      gateway,
    );
    if (!made.ok) return made;
    return success({ decision: isDryRun ? ("keep" as const) : made.value.change, said: made.value });
  });
  if (!written.ok) return written;
  const { before, after, said } = written.value;
  const { change, warnings, difference } = said;
  const { digest } = change.record;
  const files = change.files.map(({ path, bytes }) => ({ path, bytes }));
  const bundled = gateway.bundled.record(name);
  const created = before === null && !isDryRun;
  return success({
    created,
    tag: await skillTag({ digest, files: change.files }),
    reply: {
      name,
      version: isDryRun ? (before?.version ?? null) : (after?.version ?? null),
      digest,
      created,
      stored: !isDryRun,
      overrides: bundled !== null,
      stale: isStale(change.base, bundled),
      files,
      warnings,
      diff: difference,
    },
  });
}

/** Whom a version names as its author: the key, or where it is the operator's own, the tenant. */
function authorOf({ tenant, key }: Caller): string {
  return key === null ? tenant : `${key.name} (${key.id})`;
}

async function makeChange(request: WriteRequest, current: Current, draftOf: DraftOf, gateway: Gateway) {
  const { name, caller, catalog, conditions, file, isDryRun } = request;
  const allowed = checkConditions(name, await currentTag(current, file), conditions);
  if (!allowed.ok) return allowed;
  const draft = await draftOf(current);
  if (!draft.ok) return draft;
  const { document, files, base } = draft.value;
  const paths = files.map(({ path }) => path);
  const compiled = await compileUpload(
    { name, document, files: paths, bundled: current.bundled },
    { caller, catalog },
    gateway,
  );
  if (!compiled.ok) return compiled;
  const { source, skill, warnings } = compiled.value;
  const record = await makeRecord(source, skill, gateway.encodeTool);
  const contents = new Map(draft.value.contents);
  if (current.bundled?.digest === base && base !== null && current.own?.base !== base)
    contents.set(base, new TextEncoder().encode(current.bundled.source));
  const after: Side = { version: null, source: "user", digest: record.digest, document: source, files };
  const difference = isDryRun ? describeDifference(name, sideOf(current), after) : null;
  return success({ change: { record, files, base, contents }, warnings, difference });
}

/** The tag of what would be changed: of a file, or of the skill that the caller sees. */
async function currentTag({ own, bundled }: Current, file: string | null): Promise<string | null> {
  if (file !== null) {
    const stored = own?.files.find(({ path }) => path === file);
    return stored === undefined ? null : tagOfDigest(stored.digest);
  }
  if (own !== null) return skillTag(own);
  return bundled === null ? null : tagOfDigest(bundled.digest);
}

function sideOf({ own, bundled }: Current): Side | null {
  if (own !== null) return userSide(own);
  if (bundled === null) return null;
  return { version: null, source: "bundled", digest: bundled.digest, document: bundled.source, files: [] };
}

/** The latest version of a tenant's own skill, to be compared. */
export function userSide({ version, digest, source, files }: OwnSkill): Side {
  return { version, source: "user", digest, document: source, files };
}
