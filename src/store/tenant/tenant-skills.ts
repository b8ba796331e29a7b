import { failed, type Result, success } from "../../errors.ts";
import type { SearchableEntry } from "../../ir.ts";
import { KV_MAX_VALUE_BYTES, KV_PROPAGATION_MS, MAX_USER_SKILLS } from "../../limits.ts";
import { attempt } from "../attempt.ts";
import { skillKey } from "../keys.ts";
import { SkillContents } from "./contents.ts";
import type { ManifestLine, ReadManifest } from "./manifest.ts";
import type { UserSkillOptions } from "./options.ts";
import {
  namedContents,
  nextSkill,
  type OwnSkill,
  readOwnSkill,
  type SkillChange,
  writeOwnSkill,
} from "./own-skill.ts";
import { OwnWrites } from "./own-writes.ts";
import { SkillReader, type Wanted } from "./skill-reader.ts";
import { TenantIndex } from "./tenant-index.ts";
import { Turns } from "./turns.ts";

/** What a write makes of a skill: another one, none, or (where nothing is to be written) what it is. */
export type Decision = SkillChange | "delete" | "keep";

/** Finds out what a write makes of a skill, which is null where there is none, and whatever else there is to say. */
export type Decide<Said> = (before: OwnSkill | null) => Promise<Result<{ decision: Decision; said: Said }>>;

/** What a write made. */
export interface Written<Said> {
  before: OwnSkill | null;
  after: OwnSkill | null;
  said: Said;
}

interface Cached<T> {
  value: T;
  readAt: number;
}

/** The skills of one tenant as one isolate sees them. */
export class TenantSkills {
  readonly #options: UserSkillOptions;
  readonly #tenant: string;
  readonly #own = new OwnWrites();
  readonly #reader: SkillReader;
  readonly #contents: SkillContents;
  readonly #turns: Turns;
  readonly #index: TenantIndex;
  /** By name; the skill of a name that has none is null. */
  readonly #skills = new Map<string, Cached<OwnSkill | null>>();

  constructor(options: UserSkillOptions, tenant: string) {
    const { storage, upgrade, report, now } = options;
    this.#options = options;
    this.#tenant = tenant;
    this.#reader = new SkillReader({ storage, tenant, upgrade, report });
    this.#contents = new SkillContents(storage, tenant, now);
    this.#turns = new Turns(options);
    this.#index = new TenantIndex(options, tenant, {
      own: this.#own,
      reader: this.#reader,
      turns: this.#turns,
      known: (name) => this.#known(name),
      onSettled: (names) => this.#later("sweep contents", () => this.#contents.sweepGone(names)),
    });
  }

  /** The index lines of all skills. Where KV does not answer, what was read last stands in. */
  async index(): Promise<Result<readonly SearchableEntry[]>> {
    const shown = await this.#index.shown();
    return shown.ok ? success(shown.value.entries) : shown;
  }

  /** A skill by name, also one that no index has yet; null where there is none. */
  async skill(name: string): Promise<Result<OwnSkill | null>> {
    const known = this.#skills.get(name);
    if (known !== undefined && this.#isFresh(known)) return success(known.value);
    const read = await this.#read([{ name, characters: 0 }]);
    return read.ok ? success(read.value.get(name) ?? null) : read;
  }

  /** Skills by name, as the index has them: what did not change since it was read is not read again. */
  async skills(names: readonly string[]): Promise<Result<ReadonlyMap<string, OwnSkill | null>>> {
    const shown = await this.#index.shown();
    if (!shown.ok) return shown;
    const lines = new Map(shown.value.lines.map((line) => [line.entry.name, line]));
    const known = new Map<string, OwnSkill | null>();
    const wanted: Wanted[] = [];
    for (const name of names) {
      const cached = this.#skills.get(name);
      const line = lines.get(name);
      if (cached !== undefined && (this.#isFresh(cached) || isOf(cached.value, line)))
        known.set(name, cached.value);
      else wanted.push({ name, characters: line?.characters ?? 0 });
    }
    const read = wanted.length === 0 ? success(NO_SKILLS) : await this.#read(wanted);
    return read.ok ? success(new Map([...known, ...read.value])) : read;
  }

  /** What a file or a former version holds; null where it is not there. */
  content(name: string, digest: string): Promise<Result<Uint8Array | null>> {
    return attempt(this.#options.report, "read the file", () => this.#contents.get(name, digest));
  }

  /**
   * Changes a skill, in its turn, so that what is decided about is still so when it is written. What it names is
   * written first, then the skill by one put, then the index. Fails with FORBIDDEN where the tenant has as many skills
   * as it may, with PAYLOAD_TOO_LARGE where KV takes no value of its size.
   */
  change<Said>(name: string, author: string, decide: Decide<Said>): Promise<Result<Written<Said>>> {
    const { now, report } = this.#options;
    return this.#turns.take(async () => {
      const begin = now();
      const found = await attempt(report, "write the skill", () => this.#beforeWrite(name));
      if (!found.ok) return found;
      const { before } = found.value;
      const manifest = await this.#index.currentInTurn(found.value, begin);
      const decided = await decide(before);
      if (!decided.ok) return decided;
      const { decision, said } = decided.value;
      if (decision === "keep" || (decision === "delete" && before === null))
        return success({ before, after: before, said });
      if (before === null && this.#isFull(name, this.#index.overlaid(manifest.lines, begin))) return FULL;
      const next = decision === "delete" ? null : nextSkill(before, decision, author, now());
      const stored = next === null ? null : writeOwnSkill(next);
      if (stored !== null && isTooLarge(stored.text)) return TOO_LARGE;
      const written = await attempt(report, "write the skill", () =>
        decision === "delete" || stored === null
          ? this.#delete(name)
          : this.#put(name, before, decision, stored),
      );
      if (!written.ok) return written;
      const after = written.value;
      this.#own.keep(name, after, now());
      this.#remember(name, after);
      await this.#index.store(manifest);
      this.#sweep(name, before, after);
      return success({ before, after, said });
    });
  }

  /** The skill as it is stored now, and the manifest, by one read. */
  async #beforeWrite(name: string): Promise<{ before: OwnSkill | null } & ReadManifest> {
    const { keys } = this.#index;
    const key = skillKey(this.#tenant, name);
    const own = this.#own.of(name, this.#options.now());
    const texts = await this.#options.storage.getAll(own === undefined ? [...keys, key] : keys);
    const text = texts.get(key) ?? null;
    const stored = text === null ? null : readOwnSkill(text);
    return { before: own === undefined ? stored : own, ...this.#index.manifestIn(texts) };
  }

  #isFull(name: string, lines: readonly ManifestLine[]): boolean {
    return lines.length >= MAX_USER_SKILLS && lines.every(({ entry }) => entry.name !== name);
  }

  async #put(
    name: string,
    before: OwnSkill | null,
    change: SkillChange,
    { text, skill }: ReturnType<typeof writeOwnSkill>,
  ): Promise<OwnSkill> {
    const { storage } = this.#options;
    const { writtenAt, digest, characters } = skill;
    const contents = new Map(change.contents);
    if (before !== null && before.digest !== digest)
      contents.set(before.digest, new TextEncoder().encode(before.source));
    await this.#contents.put(name, contents);
    await this.#index.announce();
    await storage.put(skillKey(this.#tenant, name), text, { writtenAt, digest, characters });
    return skill;
  }

  async #delete(name: string): Promise<null> {
    await this.#index.announce();
    await this.#options.storage.delete(skillKey(this.#tenant, name));
    return null;
  }

  /** Reads skills, and keeps them; what this isolate wrote lately, or meanwhile, it knows better. */
  async #read(wanted: readonly Wanted[]): Promise<Result<Map<string, OwnSkill | null>>> {
    const { now, report } = this.#options;
    const begin = now();
    const unwritten = wanted.filter(({ name }) => this.#own.of(name, begin) === undefined);
    const read = await attempt(report, "read the skill", () =>
      this.#reader.read(unwritten, (name) => this.#known(name)),
    );
    const found = new Map<string, OwnSkill | null>();
    for (const { name } of wanted) {
      const own = this.#own.of(name, begin);
      const known = this.#skills.get(name);
      if (own !== undefined) found.set(name, this.#remember(name, own));
      else if (read.ok) found.set(name, this.#remember(name, read.value.get(name) ?? null));
      else if (known !== undefined) found.set(name, known.value);
      else return read;
    }
    return success(found);
  }

  #known(name: string): OwnSkill | null {
    return this.#skills.get(name)?.value ?? null;
  }

  /** Where nothing was written since, what was kept is kept on as the very same object. */
  #remember(name: string, skill: OwnSkill | null): OwnSkill | null {
    const known = this.#known(name);
    const isSame = known?.record === skill?.record && known?.writtenAt === skill?.writtenAt;
    const value = isSame ? known : skill;
    if (this.#skills.size >= 2 * MAX_USER_SKILLS && !this.#skills.has(name)) this.#skills.clear();
    this.#skills.set(name, { value, readAt: this.#options.now() });
    return value;
  }

  #isFresh({ readAt }: Cached<unknown>): boolean {
    return this.#options.now() - readAt < this.#options.freshnessMs;
  }

  /**
   * Sweeps away what neither the skill before nor the one after names. Where the one before is young, another place may
   * not have seen it yet, and make the next one of an older one; a later write then sweeps.
   */
  #sweep(name: string, before: OwnSkill | null, after: OwnSkill | null): void {
    if (before === null || after === null) return;
    if (this.#options.now() - before.writtenAt < 2 * KV_PROPAGATION_MS) return;
    const named = new Set([...namedContents(before), ...namedContents(after)]);
    this.#later("sweep contents", () => this.#contents.sweep(name, (digest) => named.has(digest)));
  }

  /** Does something after the reply. */
  #later(operation: string, work: () => Promise<void>): void {
    const { waitUntil, report } = this.#options;
    waitUntil(attempt(report, operation, work).then(() => undefined));
  }
}

const NO_SKILLS: ReadonlyMap<string, OwnSkill | null> = new Map();

/** Texts are told by their length where that is enough: a UTF-16 unit is one to three bytes of UTF-8. */
function isTooLarge(text: string): boolean {
  if (text.length > KV_MAX_VALUE_BYTES) return true;
  return text.length * 3 > KV_MAX_VALUE_BYTES && new TextEncoder().encode(text).length > KV_MAX_VALUE_BYTES;
}

/** A small document may come to a large record, which has its tools in every provider's words. */
const TOO_LARGE = failed({
  code: "PAYLOAD_TOO_LARGE",
  what: "The skill, with the tools that are made of it for every provider,",
  limitBytes: KV_MAX_VALUE_BYTES,
  instead: "Declare fewer or simpler parameters, or divide the functions among several skills.",
});

const FULL = failed({
  code: "FORBIDDEN",
  message: `There are ${MAX_USER_SKILLS} skills already, and more are not allowed.`,
});

/** Whether a skill is the one that a line of the index was made of. */
function isOf(skill: OwnSkill | null, line: ManifestLine | undefined): boolean {
  if (skill === null || line === undefined) return false;
  return skill.writtenAt === line.writtenAt && skill.digest === line.digest;
}
