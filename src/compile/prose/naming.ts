import { fileName, foldersOf, type SkillFile } from "./skill-folder.ts";

const SUPPORTING = /^(?:references|templates|examples|assets|scripts)\//;

/** Files that readers look for of themselves, or that tools read by their names: nobody need name them. */
const SELF_EVIDENT =
  /(?:^|\/)(?:\..*|(?:licen[cs]e|copying|notice|readme|changelog|contributing|authors|security|code_of_conduct)(?:\.[^/]*)?|__\w+__\.py|requirements[^/]*\.txt|package(?:-lock)?\.json|tsconfig\.json|pyproject\.toml|go\.(?:mod|sum)|index\.[a-z]+)(?:\/|$)/i;

/** A text that may name files. */
interface NamingText {
  /** Empty for the document itself. */
  path: string;
  text: string;
}

/**
 * The supporting files that nothing names: not the document (anywhere in it, code blocks included), nor a text
 * that is named itself. A folder that is named covers what it holds.
 * @param references what the document's links name, however it is written there
 */
export function unnamedFiles(
  files: readonly SkillFile[],
  document: string,
  references: readonly string[],
): string[] {
  const linked = new Set(references);
  let unnamed = files;
  let texts: NamingText[] = [{ path: "", text: document.normalize("NFC") }];
  while (texts.length > 0) {
    const naming = texts;
    const named = unnamed.filter((file) => isNamedBy(naming, linked, file.path.normalize("NFC")));
    unnamed = unnamed.filter((file) => !named.includes(file));
    texts = named.flatMap(({ path, text }) => (text === null ? [] : [{ path, text: text.normalize("NFC") }]));
  }
  return unnamed.map(({ path }) => path).filter((path) => SUPPORTING.test(path) && !SELF_EVIDENT.test(path));
}

function isNamedBy(texts: readonly NamingText[], linked: ReadonlySet<string>, path: string): boolean {
  return linked.has(path) || texts.some((text) => names(text, path));
}

/**
 * A text names a file by its path, by its name alone (as its neighbours do) or by a folder that holds it; code
 * names another piece of code without its extension, too.
 */
function names({ path: from, text }: NamingText, path: string): boolean {
  const name = fileName(path);
  if (text.includes(name) || text.includes(encodeURI(name))) return true;
  const stem = name.replace(/\.[^.]*$/, "");
  if (from.startsWith("scripts/") && path.startsWith("scripts/") && text.includes(stem)) return true;
  return foldersOf(path).some((folder) => mentionsFolder(text, folder));
}

/** What goes on behind a folder's name where it is part of a longer path. */
const GOES_ON = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;

/** Whether a text has a folder's path that is not the beginning of a longer one; patterns are none. */
function mentionsFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, at + 1)) {
    const after = at + folder.length;
    if (!GOES_ON.test(text.slice(after, after + 3))) return true;
  }
  return false;
}
