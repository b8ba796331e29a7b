import { type Result, success } from "../../errors.ts";
import type { SearchableEntry } from "../../ir.ts";
import { CHANGE_ANNOUNCED_MS, KV_PROPAGATION_MS } from "../../limits.ts";
import { attempt, putTwice } from "../attempt.ts";
import { changedKey, indexKey, skillPrefix } from "../keys.ts";
import { listAll } from "../storage.ts";
import {
  compareSettled,
  compareUnsettled,
  isListingDue,
  listedNotes,
  type Manifest,
  type ManifestLine,
  NO_LINES,
  overlaid,
  type ReadManifest,
  readManifest,
  sameLines,
  writeManifest,
} from "./manifest.ts";
import type { UserSkillOptions } from "./options.ts";
import type { OwnSkill } from "./own-skill.ts";
import type { OwnWrites } from "./own-writes.ts";
import type { SkillReader } from "./skill-reader.ts";
import type { Turns } from "./turns.ts";

/** What the index of a tenant shares with its skills. */
export interface IndexSurroundings {
  own: OwnWrites;
  reader: SkillReader;
  turns: Turns;
  /** What was read of a skill before, or null. */
  known(name: string): OwnSkill | null;
  /** Is told the names of all skills whenever a list surely shows them. */
  onSettled(names: ReadonlySet<string>): void;
}

/** The lines of an index with the entries that they are shown as. */
export interface ShownIndex {
  lines: readonly ManifestLine[];
  entries: readonly SearchableEntry[];
}

/** The index of one tenant's skills as one isolate sees it. */
export class TenantIndex {
  readonly #options: UserSkillOptions;
  readonly #around: IndexSurroundings;
  readonly #tenant: string;
  /** The keys that hold all that is to know of the index, for one read. */
  readonly keys: readonly [index: string, changed: string];
  #shown: { value: ShownIndex; readAt: number } | null = null;
  /** The manifest that was read last, with its text, which need not be parsed again. */
  #parsed: { text: string; read: ReadManifest } | null = null;
  /** The manifest that this isolate listed last; KV may show an older one. */
  #listed: Manifest | null = null;
  /** Since when writes could not store the index, so that the next look does; null where they could. */
  #owedSince: number | null = null;
  #announcedUntil = 0;

  constructor(options: UserSkillOptions, tenant: string, around: IndexSurroundings) {
    this.#options = options;
    this.#around = around;
    this.#tenant = tenant;
    this.keys = [indexKey(tenant), changedKey(tenant)];
  }

  /** The index as it is, at most as old as reads may be. Where KV does not answer, what was read last stands in. */
  async shown(): Promise<Result<ShownIndex>> {
    const { now, freshnessMs, storage, report } = this.#options;
    const known = this.#shown;
    const begin = now();
    if (known !== null && begin - known.readAt < freshnessMs && this.#owedSince === null)
      return success(known.value);
    const texts = await attempt(report, "read the index", () => storage.getAll(this.keys));
    const read = texts.ok ? await this.#current(this.manifestIn(texts.value)) : texts;
    if (read.ok) return success(this.#show(read.value.lines, begin));
    return known === null ? read : success(this.#show(known.value.lines, known.readAt));
  }

  /**
   * For whoever has the turn: what was read in it as the index, so that a look at the index from within the turn finds it
   * and has not to wait for a turn of its own. It is made anew where there is none, or it is owed; else the write does that.
   */
  async currentInTurn(read: ReadManifest, begin: number): Promise<Manifest> {
    const known = read.manifest ?? NO_LINES;
    const isMissing = read.manifest === null || this.#owedSince !== null;
    const made =
      isMissing && this.#isDue(read)
        ? await attempt(this.#options.report, "list the skills", () => this.#reconcile())
        : success(known);
    const manifest = made.ok ? made.value : known;
    this.#show(manifest.lines, begin);
    return manifest;
  }

  /** The manifest, made anew where that is due and can be done. */
  async #current(read: ReadManifest): Promise<Result<Manifest>> {
    const { manifest } = read;
    if (!this.#isDue(read)) return success(manifest ?? NO_LINES);
    const made = await attempt(this.#options.report, "list the skills", () =>
      this.#around.turns.take(() => this.#reconcile()),
    );
    return made.ok || manifest === null ? made : success(manifest);
  }

  /** What values say that were read, or what this isolate listed itself where that is later. */
  manifestIn(texts: ReadonlyMap<string, string | null>): ReadManifest {
    const [index, changed] = this.keys.map((key) => texts.get(key) ?? null);
    const read = this.#parse(index ?? null, changed ?? null);
    const listed = this.#listed;
    if (listed === null || (read.manifest !== null && read.manifest.listedAt >= listed.listedAt)) return read;
    return { ...read, manifest: listed };
  }

  /** Lines with what this isolate wrote that a read begun at a moment may not show. */
  overlaid(lines: readonly ManifestLine[], begin: number): readonly ManifestLine[] {
    return overlaid(lines, this.#around.own.sinceIndex(begin), (skill) => this.#lineOf(skill));
  }

  /** Says that skills may change, unless that was said for long enough. */
  async announce(): Promise<void> {
    const now = this.#options.now();
    if (this.#announcedUntil - now >= CHANGE_ANNOUNCED_MS / 2) return;
    const until = now + CHANGE_ANNOUNCED_MS;
    await putTwice(this.#options, "announce the change", changedKey(this.#tenant), String(until));
    this.#announcedUntil = until;
  }

  /**
   * Stores the index after a write. The skill is stored already, so nothing is lost where that fails: the next look
   * stores it, or whoever finds that the announced change is not in it.
   */
  async store(before: Manifest): Promise<void> {
    const stored = await attempt(this.#options.report, "write the index", async () => {
      // A put that took long may have ended later than it was announced for.
      await this.announce();
      await this.#put((await this.#list(before, false)).manifest);
    });
    this.#noteStored(stored.ok);
  }

  /** Makes the index anew from the keys that there are and stores it, unless somebody has just done so. */
  async #reconcile(): Promise<Manifest> {
    const { now, storage, report } = this.#options;
    const read = this.manifestIn(await storage.getAll(this.keys));
    const before = read.manifest ?? NO_LINES;
    if (!this.#isDue(read)) return before;
    const isSettled = read.changedUntil === null || now() >= read.changedUntil + KV_PROPAGATION_MS;
    const { manifest, names } = await this.#list(before, isSettled);
    const stored = await attempt(report, "write the index", () => this.#put(manifest));
    this.#noteStored(stored.ok);
    if (isSettled) this.#around.onSettled(names);
    return manifest;
  }

  #isDue(read: ReadManifest): boolean {
    return this.#owedSince !== null || isListingDue(read, this.#options.now());
  }

  #noteStored(isStored: boolean): void {
    this.#owedSince = isStored ? null : (this.#owedSince ?? this.#options.now());
  }

  #put(manifest: Manifest): Promise<void> {
    return putTwice(this.#options, "write the index", indexKey(this.#tenant), writeManifest(manifest));
  }

  /**
   * The manifest as a list of the keys has it, and the names of all skills.
   * @param isSettled whether the list surely shows everything
   */
  async #list(
    { lines }: Manifest,
    isSettled: boolean,
  ): Promise<{ manifest: Manifest; names: ReadonlySet<string> }> {
    const { now, storage } = this.#options;
    const { own, reader, known } = this.#around;
    const listedAt = now();
    const prefix = skillPrefix(this.#tenant);
    const listed = listedNotes(await listAll(storage, prefix), prefix);
    const { kept, missing } = (isSettled ? compareSettled : compareUnsettled)(lines, listed);
    // What an owed index lacks is as old as the debt: those writes still stand before what is listed.
    const since = isSettled ? listedAt : (this.#owedSince ?? listedAt);
    const written = own.sinceIndex(since);
    const wanted = missing
      .filter((name) => !written.has(name))
      .map((name) => ({ name, characters: listed.get(name)?.characters ?? 0 }));
    const read = await reader.read(wanted, known);
    const found = [...read.values()].flatMap((skill) => (skill === null ? [] : [this.#lineOf(skill)]));
    const manifest = { listedAt, lines: this.overlaid([...kept, ...found], since) };
    this.#listed = manifest;
    this.#show(manifest.lines, listedAt);
    return { manifest, names: new Set([...listed.keys(), ...written.keys()]) };
  }

  #parse(index: string | null, announced: string | null): ReadManifest {
    const known = this.#parsed;
    const read =
      known !== null && known.text === index
        ? { ...readManifest(null, announced), manifest: known.read.manifest, isExpected: true }
        : readManifest(index, announced);
    if (index !== null) this.#parsed = { text: index, read };
    return read;
  }

  /** Keeps lines as the index; the same lines as before are the same list of entries, by which they are known. */
  #show(lines: readonly ManifestLine[], readAt: number): ShownIndex {
    const all = this.overlaid(lines, readAt);
    const before = this.#shown?.value ?? null;
    const value =
      before !== null && sameLines(before.lines, all)
        ? before
        : { lines: all, entries: all.map(({ entry }) => entry) };
    this.#shown = { value, readAt };
    return value;
  }

  #lineOf({ record, base, writtenAt, digest, characters }: OwnSkill): ManifestLine {
    return { entry: this.#options.entryOf(record, base), writtenAt, digest, characters };
  }
}
