import type { SearchableEntry, SkillRecord } from "../../ir.ts";
import type { SkillStorage } from "../storage.ts";

/** What the store of user skills needs of the world. */
export interface UserSkillOptions {
  storage: SkillStorage;
  /** How long what was read stands for what is stored, in milliseconds. */
  freshnessMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Lets work go on after the reply. */
  waitUntil(work: Promise<void>): void;
  /** Takes note of a fault of the storage, or of something stored that is of no use any more. */
  report(operation: string, error: unknown): void;
  /**
   * The line that a record has in an index.
   * @param base the digest of the bundled skill that it was made from, or null
   */
  entryOf(record: SkillRecord, base: string | null): SearchableEntry;
  /**
   * Makes a record anew from its source where another version of this program made it; null where it can't.
   */
  upgrade(source: string, name: string): Promise<SkillRecord | null>;
}
