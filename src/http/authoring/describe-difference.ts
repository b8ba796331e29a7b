import type { SkillFileEntry } from "../../catalog/index.ts";
import { compileSkill, structuralDifference, unifiedDifference } from "../../compile/upload.ts";
import type { Skill } from "../../ir.ts";
import { DOCUMENT } from "./bundle/bundle.ts";

/** One side of a difference. */
export interface Side {
  /** The tenant's version, or null where it is the bundled skill, or not stored. */
  version: number | null;
  source: "bundled" | "user";
  digest: string;
  document: string;
  files: readonly Pick<SkillFileEntry, "path" | "digest">[];
}

/** What is different between two states of a skill; the one before is null where there was none. */
export function describeDifference(name: string, before: Side | null, after: Side) {
  return {
    name,
    from: before === null ? null : labelOf(before),
    to: labelOf(after),
    unified: unifiedDifference(
      { name: before === null ? "/dev/null" : pathOf(before), text: before?.document ?? "" },
      { name: pathOf(after), text: after.document },
    ),
    structure: structureOf(name, before, after),
    files: fileDifferences(before?.files ?? [], after.files),
  };
}

function labelOf({ version, source, digest }: Side) {
  return { version, source, digest };
}

function pathOf({ version, source }: Side): string {
  return `${source === "bundled" ? "bundled" : version === null ? "draft" : `version-${version}`}/${DOCUMENT}`;
}

/** Null where a side does not compile any more, so that nobody can say what it meant. */
function structureOf(name: string, before: Side | null, after: Side) {
  const [old, young] = [before === null ? null : compiled(name, before), compiled(name, after)];
  if (young === null || (before !== null && old === null)) return null;
  return structuralDifference(old, young);
}

/** Compiled only to be looked at, so it may name any variable. */
function compiled(name: string, { document }: Side): Skill | null {
  return compileSkill(document, { file: DOCUMENT, folder: name, mayNameBaseUrlVariable: () => true }).skill;
}

function fileDifferences(before: Side["files"], after: Side["files"]) {
  const [old, young] = [before, after].map(
    (files) => new Map(files.map(({ path, digest }) => [path, digest])),
  );
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].sort();
  return paths.flatMap((path) => {
    const [was, is] = [old?.get(path), young?.get(path)];
    if (was === is) return [];
    return [{ path, change: was === undefined ? "added" : is === undefined ? "removed" : "changed" }];
  });
}
