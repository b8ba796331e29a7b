/** The store that counts are kept in, and what may go wrong with it. */
import { MAX_COUNTER_PAGES } from "../../limits.ts";
import type { Window } from "../../vocabulary.ts";
import type { ListedKey } from "./keys.ts";

/** What the limiter needs of KV; a `KVNamespace` is one. */
export interface CounterStore {
  list(options: { prefix: string; cursor?: string }): Promise<CounterPage>;
  put(
    key: string,
    value: string,
    options: { expirationTtl: number; metadata: { count: number } },
  ): Promise<void>;
}

/** One page of a list. */
export interface CounterPage {
  keys: readonly ListedKey[];
  list_complete: boolean;
  /** Where the next page begins; there is none where the list is complete. */
  cursor?: string;
}

/** Something that went wrong with the store. The calls concerned were decided all the same. */
export interface StoreFault {
  operation: "list" | "put";
  bucket: string;
  window: Window;
  reason: string;
  /**
   * Operations of this kind that failed in a row for this counter; 0 where it was carried out, but not in
   * full.
   */
  inARow: number;
}

/** All keys of a prefix, or those of the first pages where there are too many of these. */
export async function listAll(
  store: CounterStore,
  prefix: string,
): Promise<{ keys: ListedKey[]; complete: boolean }> {
  const keys: ListedKey[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_COUNTER_PAGES; pages += 1) {
    const page = await store.list(cursor === undefined ? { prefix } : { prefix, cursor });
    keys.push(...page.keys);
    cursor = page.list_complete ? undefined : page.cursor;
    if (cursor === undefined) return { keys, complete: true };
  }
  return { keys, complete: false };
}

/** Runs an operation of the store and turns its rejection into a value. */
export async function attempt<T>(
  operation: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; reason: string }> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "no reason given" };
  }
}
