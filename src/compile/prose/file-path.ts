import { characterOf } from "./plain-text.ts";

/** A path that a document names, read from the skill's folder. */
export interface FilePath {
  /** Whether it stays below the skill's folder or leads out of it. */
  kind: "inside" | "outside";
  /** Normalised and composed (NFC), without the steps that lead up; it ends in `/` where it is a folder's. */
  path: string;
  /** Whether it was written with slashes alone. */
  isSlashed: boolean;
}

/** What a destination names: a path, or nothing that is a file (an address, an anchor, a placeholder). */
export type NamedFile = FilePath | { kind: "none" };

const NONE = { kind: "none" } as const;

/** A scheme (RFC 3986, section 3.1), a network path, an anchor, a query, an e-mail address. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:|\/\/|[#?]|[^/]+@[^/]+$|www\.)/i;

/** A host where people left out the scheme: `example.com/docs`. */
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|org|net|io|dev|ai|cn|co|gov|edu|app|sh)(?:\/|$)/i;

/**
 * Signs of a path that is not meant as it stands: patterns (`*`), placeholders (`{name}`, `<name>`, `$NAME`),
 * dots for what is left out, the words that examples use, and what nobody can see.
 */
const PLACEHOLDER =
  /[*?{}<>$|"=\p{Control}\p{Default_Ignorable_Code_Point}]|\.{3}|…|^(?:\.\/)?(?:path|relative\/path|your)[/-]|\bpath\/to\b|(?:^|\/)(?:X{2,}|foo)\b/iu;

/** A path with neither a folder nor an extension (`[text](url)`) is a word, not a file. */
const FILE_LIKE = /\/|[^.]\.[\p{L}\p{N}_-]{1,12}$/u;

/**
 * What the destination of a link or an image names (without its angle brackets): query and fragment are cut,
 * escapes and percent signs decoded, and the path is resolved against the skill's folder.
 */
export function fileOfDestination(destination: string): NamedFile {
  const written = destination
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]+);/gi, characterOf);
  if (ADDRESS.test(written) || HOST.test(written)) return NONE;
  return resolve(percentDecoded(written.replace(/[?#].*$/s, "")));
}

/** The folders that agentskills.io knows for what stands beside SKILL.md, and those that skills use besides. */
const SUPPORTING =
  /^(?:\.\/)?(?:references|templates|examples|assets|scripts)[/\\]\S*[^./\\]\.[\p{L}\p{N}]{1,12}$/u;

/** The words of a code span, each with its offset: `python scripts/run.py --fast`. */
const WORD = /[^\s"'`()[\],;]+/g;

/** The supporting files that a code span plainly names, each with the word that names it and its offset. */
export function filesOfCode(code: string): { at: number; word: string; file: FilePath }[] {
  return [...code.matchAll(WORD)].flatMap(({ 0: found, index }) => {
    const word = found.replace(/[.:]+$/, "");
    const file = SUPPORTING.test(word) ? resolve(word) : NONE;
    return file.kind === "none" ? [] : [{ at: index, word, file }];
  });
}

/** A text with a percent sign that begins no code is what it is. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

/** Dot segments are followed, backslashes read as slashes, letters composed. */
function resolve(written: string): NamedFile {
  if (!FILE_LIKE.test(written.replaceAll("\\", "/")) || PLACEHOLDER.test(written)) return NONE;
  const isSlashed = !written.includes("\\");
  const segments: string[] = [];
  const isAbsolute = /^[/\\~]/.test(written);
  let isOutside = isAbsolute;
  for (const segment of written.normalize("NFC").split(/[/\\]/)) {
    if (segment === "" || segment === "." || segment === "~") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) isOutside = true;
  }
  if (segments.length === 0 && !isOutside) return NONE;
  const isFolder = /[/\\](?:\.{1,2})?$/.test(written);
  const path = segments.join("/") + (isFolder && segments.length > 0 ? "/" : "");
  return { kind: isOutside ? "outside" : "inside", path, isSlashed };
}
