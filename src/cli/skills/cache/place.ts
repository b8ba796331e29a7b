import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { SealedTable } from "./sealed-table.ts";

/** Where what was compiled is kept, and what compiled it. */
export interface CachePlace {
  folder: string;
  /** A digest of the compiler; what another one made is not looked at. */
  fingerprint: string;
}

const project = join(import.meta.dirname, "../../../..");

/**
 * The cache of this project. It stands where tools have theirs, in `node_modules/.cache`: nobody commits it, it
 * goes when the packages are installed anew, and nothing is written where the skills are. The variable
 * SKILLGATE_CACHE_DIR names another folder.
 * @param start when this process began to load the compiler, in milliseconds since 1970
 * @returns null where the compiler was changed since then: what runs may be another one than what its files say
 */
export function projectCache(
  environment: NodeJS.ProcessEnv,
  start: number = performance.timeOrigin,
): CachePlace | null {
  const { SKILLGATE_CACHE_DIR: named = "" } = environment;
  const folder = named === "" ? join(project, "node_modules/.cache/skillgate") : named;
  const fingerprint = fingerprintOf(project);
  return wasChangedSince(project, start) ? null : { folder, fingerprint };
}

/** What becomes of a document is decided in `src`; the build's part that makes records of it is the other. */
const SOURCES = ["src", "scripts/catalog"];

/**
 * A digest of everything that decides what becomes of a document: all those sources, for most of them are the
 * compiler or what it calls; the versions of the packages; and Node's, whose tables of Unicode and of time zones
 * count too.
 */
export function fingerprintOf(folder: string): string {
  const files = ["package-lock.json", ...pathsBelow(folder).filter((path) => path.endsWith(".ts"))];
  const digests = files.map((path) => [path, hash("sha256", readFileSync(join(folder, path)))]);
  return hash("sha256", JSON.stringify([process.versions, digests]));
}

/** The clock of a file system may lag behind by so many milliseconds. */
const CLOCK_LAG_MS = 50;

/**
 * Whether a source, or what a folder of them holds, was changed after a moment or just before it. Only the time of
 * the last change of any kind tells, which nobody can set.
 */
export function wasChangedSince(folder: string, moment: number): boolean {
  return [...SOURCES, ...pathsBelow(folder)].some(
    (path) => statSync(join(folder, path)).ctimeMs > moment - CLOCK_LAG_MS,
  );
}

function pathsBelow(folder: string): string[] {
  return SOURCES.flatMap((below) => {
    const paths = readdirSync(join(folder, below), { recursive: true, encoding: "utf8" });
    return paths.map((path) => join(below, path)).sort();
  });
}

/**
 * Opens a table of the skills below a folder.
 * @param kind what the table holds
 */
export function openTable({ folder, fingerprint }: CachePlace, root: string, kind: string): SealedTable {
  // Diagnostics show paths from the working folder, so that each has a table of its own.
  const name = hash("sha256", JSON.stringify([fingerprint, resolve(root), process.cwd()]));
  return SealedTable.open(folder, `${name}.${kind}`);
}
