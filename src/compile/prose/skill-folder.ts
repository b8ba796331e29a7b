import { probablyMeant } from "../../nearest.ts";

/** A file that stands in a skill's folder beside its document. */
export interface SkillFile {
  /** From the skill's folder, with slashes, e.g. `references/api.md`. */
  path: string;
  /** What it says; null where it is no text, or was not read. */
  text: string | null;
}

/** What is known of the folder that a document stands in. */
export class SkillFolder {
  readonly files: readonly SkillFile[];
  readonly #name: string | null;
  /** Files by their composed paths, and folders by theirs with a slash at the end. */
  readonly #paths = new Set<string>();
  /** The same, by their form in lower case. */
  readonly #folded = new Map<string, string>();

  /**
   * @param name the folder's own name, or null where it is not known
   * @param files all that it holds but for the document
   */
  constructor(name: string | null, files: readonly SkillFile[]) {
    this.#name = name?.normalize("NFC") ?? null;
    this.files = files;
    for (const { path } of files) for (const one of [path, ...foldersOf(path)]) this.#add(one);
  }

  #add(path: string): void {
    const composed = path.normalize("NFC");
    const folded = composed.toLowerCase();
    this.#paths.add(composed);
    if (!this.#folded.has(folded)) this.#folded.set(folded, composed);
  }

  get isEmpty(): boolean {
    return this.files.length === 0;
  }

  /**
   * The path under which something is found: as it stands, else from the folder that holds all skills, else in
   * another letter case; null where it is not found. A folder's ends in a slash.
   */
  find(path: string): string | null {
    return this.#exact(path) ?? this.findFromCollection(path) ?? this.#folded.get(path.toLowerCase()) ?? null;
  }

  #exact(path: string): string | null {
    return [path, `${path}/`].find((one) => this.#paths.has(one)) ?? null;
  }

  /** The same for a path that goes through the folder's own name: `skills/tides/references/api.md`. */
  findFromCollection(path: string): string | null {
    if (this.#name === null) return null;
    const segments = path.split("/");
    const at = segments.indexOf(this.#name);
    return at === -1 ? null : this.#exact(segments.slice(at + 1).join("/"));
  }

  /** The file that a path was probably meant to be: one of that name elsewhere, or one that is spelt alike. */
  nearest(path: string): string | null {
    const name = fileName(path);
    const [namesake, another] = this.files.filter((file) => fileName(file.path) === name);
    if (namesake !== undefined && another === undefined) return namesake.path;
    const candidates = this.files.map((file) => file.path);
    return probablyMeant(path, candidates);
  }
}

/** The name of a file without its folders. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folders that a path leads through, from the outermost on, each with a slash at the end. */
export function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}
