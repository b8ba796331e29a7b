import type { Catalog } from "../../catalog/index.ts";
import { type Result, success } from "../../errors.ts";
import { MAX_KEPT_SEARCHES } from "../../limits.ts";
import type { SkillSearch } from "../../search/index.ts";
import type { Gateway } from "../gateway.ts";

/** Searches through what callers see. The one through the bundled skills is made at build time. */
export class SkillSearches {
  readonly #gateway: Pick<Gateway, "bundled" | "searcher">;
  /** By the hash of what is searched, in the order in which they were last used. */
  readonly #kept = new Map<string, SkillSearch>();

  constructor(gateway: Pick<Gateway, "bundled" | "searcher">) {
    this.#gateway = gateway;
  }

  /** The names of the skills that a question is answered by, best first. */
  async find(question: string, catalog: Catalog): Promise<Result<string[]>> {
    // What is hidden of the skills found is left out after the search, so that all callers of a tenant share one.
    const own = await catalog.whole().ownEntries();
    if (!own.ok) return own;
    const { hash, entries } = own.value;
    let search = this.#kept.get(hash);
    if (search === undefined) {
      const { SkillSearch } = await this.#gateway.searcher();
      search = SkillSearch.load(this.#gateway.bundled.bundle.search).add(entries);
    }
    this.#keep(hash, search);
    return success(search.find(question));
  }

  #keep(hash: string, search: SkillSearch): void {
    this.#kept.delete(hash);
    this.#kept.set(hash, search);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT_SEARCHES) this.#kept.delete(oldest);
  }
}
