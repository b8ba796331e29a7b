import { KV_PROPAGATION_MS, MAX_SWEPT_CONTENTS } from "../../limits.ts";
import { contentKey, contentPrefix, tenantContentPrefix } from "../keys.ts";
import { listAll, putAtOf, type SkillStorage } from "../storage.ts";

/** How old a content is at least before it is swept away: a skill that is about to name it has done so by then. */
const SWEPT_AFTER_MS = 2 * KV_PROPAGATION_MS;

/** What the files and former versions of a tenant's skills hold, each under its digest. */
export class SkillContents {
  readonly #storage: SkillStorage;
  readonly #tenant: string;
  readonly #now: () => number;

  constructor(storage: SkillStorage, tenant: string, now: () => number) {
    this.#storage = storage;
    this.#tenant = tenant;
    this.#now = now;
  }

  get(name: string, digest: string): Promise<Uint8Array | null> {
    return this.#storage.getBytes(contentKey(this.#tenant, name, digest));
  }

  async put(name: string, contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const note = { putAt: this.#now() };
    await Promise.all(
      [...contents].map(([digest, bytes]) =>
        this.#storage.put(contentKey(this.#tenant, name, digest), bytes, note),
      ),
    );
  }

  /** Deletes old contents of a skill that it does not name. */
  async sweep(name: string, isNamed: (digest: string) => boolean): Promise<void> {
    const prefix = contentPrefix(this.#tenant, name);
    await this.#deleteOld(prefix, (rest) => !isNamed(rest));
  }

  /** Deletes old contents of skills that are there no more. */
  async sweepGone(names: ReadonlySet<string>): Promise<void> {
    const prefix = tenantContentPrefix(this.#tenant);
    await this.#deleteOld(prefix, (rest) => !names.has(rest.slice(0, rest.lastIndexOf(":"))));
  }

  async #deleteOld(prefix: string, isIdle: (rest: string) => boolean): Promise<void> {
    const keys = await listAll(this.#storage, prefix);
    const now = this.#now();
    const idle = keys.filter(
      ({ name, note }) => now - putAtOf(note) >= SWEPT_AFTER_MS && isIdle(name.slice(prefix.length)),
    );
    await Promise.all(idle.slice(0, MAX_SWEPT_CONTENTS).map(({ name }) => this.#storage.delete(name)));
  }
}
