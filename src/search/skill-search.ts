import MiniSearch, { type Options, type SearchOptions } from "minisearch";
import type { SearchableEntry } from "../ir.ts";
import { isDense, questionTokens, tokensOf } from "./tokens.ts";

/** A skill as the index has it: one text a field. */
interface SkillDocument {
  name: string;
  title: string;
  category: string;
  description: string;
  functions: string;
  keywords: string;
}

/** What a word counts for, by where it stands. */
const boosts: Record<keyof SkillDocument, number> = {
  name: 4,
  title: 2,
  category: 1,
  description: 3,
  functions: 2,
  keywords: 1.5,
};

const options: Options<SkillDocument> = {
  idField: "name",
  fields: Object.keys(boosts),
  tokenize: tokensOf,
  processTerm: (token) => token,
  // Nothing goes on after a search: what runs between requests does not run on Workers.
  autoVacuum: false,
};

/** From this length on the beginning of a word is enough, and from that on one letter may be wrong. */
const MIN_PREFIX_LENGTH = 4;
const MIN_FUZZY_LENGTH = 6;

const searching: SearchOptions = {
  boost: boosts,
  tokenize: questionTokens,
  prefix: (token) => (isDense(token) ? [...token].length === 1 : token.length >= MIN_PREFIX_LENGTH),
  fuzzy: (token) => (isDense(token) || token.length < MIN_FUZZY_LENGTH ? false : 1),
  weights: { prefix: 0.4, fuzzy: 0.2 },
};

/** Finds skills by their names, descriptions, triggers, parameters and headings, best first (BM25). */
export class SkillSearch {
  readonly #index: MiniSearch<SkillDocument>;

  private constructor(index: MiniSearch<SkillDocument>) {
    this.#index = index;
  }

  /** Of no skills yet. */
  static empty(): SkillSearch {
    return new SkillSearch(new MiniSearch(options));
  }

  /** @param text what `text` gave, in the same version of this program */
  static load(text: string): SkillSearch {
    return new SkillSearch(MiniSearch.loadJSON(text, options));
  }

  /** All that there is to search, as JSON. */
  text(): string {
    return JSON.stringify(this.#index);
  }

  /** Adds skills, each in place of the one of its name. */
  add(entries: Iterable<SearchableEntry>): this {
    for (const entry of entries) {
      if (this.#index.has(entry.name)) this.#index.discard(entry.name);
      this.#index.add(documentOf(entry));
    }
    return this;
  }

  /** The names of the skills that a question is answered by, most likely first; equally likely ones by name. */
  find(question: string): string[] {
    const found = this.#index.search(question, searching);
    return found
      .map(({ id, score }) => ({ name: String(id), score }))
      .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
      .map(({ name }) => name);
  }
}

function documentOf({
  name,
  title,
  category,
  description,
  functions,
  keywords,
}: SearchableEntry): SkillDocument {
  const said = functions.map((definition) => `${definition.name}\n${definition.description}`);
  return { name, title, category: category ?? "", description, functions: said.join("\n"), keywords };
}
