import type { SkillSection } from "../ir.ts";

const SEPARATOR = " > ";

/**
 * The names by which the sections of one document can be asked for: a heading, or a heading after those that it
 * stands under (`Parent > Child`), and where that is not enough a number in the order of the document
 * (`Parent > Child #2`).
 */
export class SectionNames {
  /** For each section the shortest name that is its alone. */
  readonly labels: readonly string[];
  readonly #exact = new Map<string, number[]>();
  readonly #alike = new Map<string, number[]>();
  /** By all the headings that sections stand under, with their own. */
  readonly #full = new Map<string, number[]>();

  constructor(sections: readonly SkillSection[]) {
    const paths = pathsOf(sections);
    paths.forEach((path, index) => {
      for (const name of endingsOf(path)) {
        add(this.#exact, name, index);
        add(this.#alike, alike(name), index);
      }
      add(this.#full, joined(path), index);
    });
    this.labels = paths.map((path, index) => this.#labelOf(path, index));
  }

  /**
   * The sections that a name may mean, by their place; several where it is ambiguous. One that is written in the very
   * same way goes ahead of those that are written alike.
   */
  find(name: string): readonly number[] {
    const asked = oneSpaced(name);
    return (
      this.#exact.get(asked) ??
      this.#alike.get(alike(asked)) ??
      this.#alike.get(alike(asked.replace(/^#+ /, ""))) ??
      this.#numbered(asked)
    );
  }

  /** `Name #2` is the second section of that full name; any number of marks will do. */
  #numbered(asked: string): readonly number[] {
    const [, name = "", number = ""] = /^(.*?) ?#+(\d{1,4})$/s.exec(asked) ?? [];
    const index = this.#full.get(name)?.[Number(number) - 1];
    return index === undefined ? [] : [index];
  }

  #labelOf(path: readonly string[], index: number): string {
    const short = endingsOf(path).find((name) => name !== "" && this.#isAlone(name, index));
    if (short !== undefined) return short;
    const full = joined(path);
    const number = (this.#full.get(full)?.indexOf(index) ?? 0) + 1;
    // A heading may itself end in a mark and a number, but not in every number of marks.
    let marks = "#";
    while (!this.#isAlone(numberedName(full, marks, number), index)) marks += "#";
    return numberedName(full, marks, number);
  }

  #isAlone(name: string, index: number): boolean {
    const found = this.find(name);
    return found.length === 1 && found[0] === index;
  }
}

function numberedName(name: string, marks: string, number: number): string {
  return oneSpaced(`${name} ${marks}${number}`);
}

/** For each section the headings that it stands under, outermost first, and its own. */
function pathsOf(sections: readonly SkillSection[]): string[][] {
  const open: SkillSection[] = [];
  return sections.map((section) => {
    while ((open.at(-1)?.level ?? 0) >= section.level) open.pop();
    open.push(section);
    return open.map(({ title }) => title);
  });
}

/** The names that a path has: its last heading, the last two, and so on. */
function endingsOf(path: readonly string[]): string[] {
  return path.map((_, index) => joined(path.slice(path.length - 1 - index)));
}

function joined(titles: readonly string[]): string {
  return oneSpaced(titles.join(SEPARATOR));
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What names have in common that differ in case, in width, or in the blanks around `>`. */
function alike(name: string): string {
  return oneSpaced(
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/\s*>\s*/g, SEPARATOR),
  );
}

function add(table: Map<string, number[]>, name: string, index: number): void {
  const known = table.get(name);
  if (known === undefined) table.set(name, [index]);
  else if (known.at(-1) !== index) known.push(index);
}
