import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { type Diagnostic, wholeDocument } from "../../compile/index.ts";
import { MAX_SKILL_BYTES } from "../../limits.ts";
import { isSystemError } from "../system-error.ts";

/** The documents below a folder, in the order of their paths, and what was met on the way. */
export interface Discovery {
  documents: string[];
  diagnostics: Diagnostic[];
}

/** Lists a folder in the order of the names, whatever order the file system gives. */
export type ListFolder = (folder: string) => readonly Dirent[];

/** Lists each folder once, however often it is asked for: a skill's is searched and then taken stock of. */
export function listingOnce(): ListFolder {
  const known = new Map<string, Dirent[]>();
  return (folder) => {
    const entries = known.get(folder) ?? sortedEntries(folder);
    known.set(folder, entries);
    return entries;
  };
}

function sortedEntries(folder: string): Dirent[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Whether a file's name is that of a skill's document, in any letter case. */
export function isDocumentName(name: string): boolean {
  return name.toLowerCase() === "skill.md";
}

/**
 * Finds the skill documents below a folder. Links are not followed, so that no skill brings in what lies outside
 * its folder; those within a skill are said. Of two documents in a folder, which a file system that ignores
 * letter case could not tell apart, the first is taken.
 */
export function findDocuments(root: string, list: ListFolder): Discovery {
  const discovery: Discovery = { documents: [], diagnostics: [] };
  discover(root, null, list, discovery);
  discovery.documents.sort();
  return discovery;
}

/** @param within the folder of the skill that the folder belongs to, or null where it belongs to none */
function discover(folder: string, within: string | null, list: ListFolder, discovery: Discovery): void {
  const entries = list(folder);
  const [first, ...others] = entries.filter((entry) => entry.isFile() && isDocumentName(entry.name));
  if (first !== undefined) discovery.documents.push(join(folder, first.name));
  for (const { name } of others) {
    const message = `the folder has ${first?.name} already, and a skill is one document`;
    discovery.diagnostics.push(wholeDocument("document-name-twice", shown(join(folder, name)), message));
  }
  const skill = first === undefined ? within : folder;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) discovery.diagnostics.push(...notFollowed(path, skill));
    else if (entry.isDirectory()) discover(path, skill, list, discovery);
  }
}

function notFollowed(path: string, skill: string | null): Diagnostic[] {
  if (isDocumentName(basename(path))) {
    const message = "the document is a symbolic link, which is not followed, so there is no skill here";
    return [wholeDocument("document-is-a-link", shown(path), message)];
  }
  if (skill === null) return [];
  const message = `this is a symbolic link, ${whereItLeads(path, skill)}`;
  return [wholeDocument("link-not-followed", shown(path), message)];
}

function whereItLeads(path: string, skill: string): string {
  try {
    const target = realpathSync(path);
    const isWithin = target.startsWith(realpathSync(skill) + sep);
    return isWithin ? "which counts as absent" : "which leads out of the skill's folder and counts as absent";
  } catch (error) {
    if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ELOOP"))
      return "which leads nowhere";
    throw error;
  }
}

/** What tools put into a folder for themselves. */
const TOOL_FOLDERS = new Set([".git", "node_modules", "__pycache__"]);

/** A file that stands beside a skill's document. */
export interface FileBeside {
  /** From the skill's folder, with slashes. */
  path: string;
  /** What it holds; null where it is none that could name another. */
  bytes: Uint8Array | null;
}

/** Reads what stands in a skill's folder beside its document, in the order of the paths. */
export function readSkillFolder(folder: string, list: ListFolder): FileBeside[] {
  return filesBelow(folder, "", list);
}

/** @param below the path that leads to the folder from the skill's, with a slash at the end, or nothing */
function filesBelow(folder: string, below: string, list: ListFolder): FileBeside[] {
  return list(folder).flatMap((entry) => {
    const [inFolder, path] = [join(folder, entry.name), below + entry.name];
    if (entry.isFile()) return isDocumentName(path) ? [] : [{ path, bytes: readTextFile(inFolder) }];
    const isSearched = entry.isDirectory() && !TOOL_FOLDERS.has(entry.name);
    return isSearched ? filesBelow(inFolder, `${path}/`, list) : [];
  });
}

/** Kinds of files that may name others. */
const TEXT = /\.(?:md|mdx|txt|rst|html?|ya?ml|json|toml|csv|py|js|mjs|ts|sh|ps1|rb|go|r)$/i;

/** What a supporting file holds, or null where it is none that could name another. */
function readTextFile(path: string): Uint8Array | null {
  return TEXT.test(path) && statSync(path).size <= MAX_SKILL_BYTES ? readFileSync(path) : null;
}

/** A path as diagnostics show it. */
export function shown(path: string): string {
  return relative(process.cwd(), path);
}
