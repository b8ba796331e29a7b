import { type Result, success } from "../../errors.ts";
import {
  CALL_DEADLINE_MS,
  MAX_KEPT_CHARACTERS,
  MAX_KEPT_RESULT_CHARACTERS,
  MAX_KEPT_RESULTS,
} from "../../limits.ts";
import type { Outcome } from "../call.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";
import { Flights } from "../memory/flights.ts";

/** What is kept of an outcome: all but what was done for it. */
export type KeptResult = Pick<Outcome, "data" | "pages" | "returns">;

/** Where results are kept; it may forget any of them at any time. */
export interface ResultStore {
  get(key: string): Promise<{ result: KeptResult; ageMs: number } | null>;
  put(key: string, result: KeptResult, ttlMs: number): Promise<void>;
}

/** The results of one isolate, in its memory. Those that are too large to be kept are not. */
export function createMemoryResults(now: () => number): ResultStore {
  const kept = new ExpiringMap<{ result: KeptResult; madeAt: number }>(
    now,
    MAX_KEPT_RESULTS,
    MAX_KEPT_CHARACTERS,
  );
  return {
    get: async (key) => {
      const entry = kept.get(key);
      return entry === undefined ? null : { result: entry.result, ageMs: now() - entry.madeAt };
    },
    put: async (key, result, ttlMs) => {
      const characters = JSON.stringify(result.data).length;
      if (characters > MAX_KEPT_RESULT_CHARACTERS) return;
      kept.set(key, { result, madeAt: now() }, ttlMs, characters);
    },
  };
}

/** How one call uses the cache. */
export interface CacheUse {
  key: string;
  ttlMs: number;
  /** Whether calls for the same thing at the same time are one. */
  isShared: boolean;
  /** Whether the caller has gone; what it then got is nobody else's answer. */
  hasGone(): boolean;
}

/** Gives results again for as long as their functions allow. Failures are never kept. */
export class ResultCache {
  readonly #store: ResultStore;
  readonly #flights = new Flights<{ result: Result<Outcome>; isCallerGone: boolean }>();

  constructor(store: ResultStore) {
    this.#store = store;
  }

  async serve(use: CacheUse, make: () => Promise<Result<Outcome>>): Promise<Result<Outcome>> {
    const kept = await this.#store.get(use.key);
    if (kept !== null) return success(again(kept.result, kept.ageMs));
    const makeAndKeep = async () => {
      const result = await make();
      if (result.ok && isWhole(result.value)) await this.#store.put(use.key, result.value, use.ttlMs);
      return { result, isCallerGone: !result.ok && use.hasGone() };
    };
    if (!use.isShared) return (await makeAndKeep()).result;
    const { value, isOwn } = await this.#flights.join(use.key, makeAndKeep, CALL_DEADLINE_MS / 2);
    if (isOwn) return value.result;
    if (value.isCallerGone) return this.serve(use, make);
    return value.result.ok ? success(again(value.result.value, 0)) : value.result;
  }
}

function again({ data, pages, returns }: KeptResult, ageMs: number): Outcome {
  return { data, attempts: 0, cached: true, ageMs, pages, steps: null, returns };
}

/** A list that ended early because of this moment's circumstances is not what the next caller would get. */
function isWhole({ pages }: Outcome): boolean {
  return pages === null || pages.complete || pages.stoppedBy === "max_pages" || pages.stoppedBy === "bytes";
}
