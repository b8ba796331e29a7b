import type { Failure } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import {
  KEPT_RESULT_OVERHEAD_BYTES,
  MAX_KEPT_RESULT_BYTES,
  MAX_KEPT_RESULTS,
  MAX_KEPT_RESULTS_BYTES,
} from "../../limits.ts";
import type { Outcome } from "../call.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";

/** What is kept of an outcome: its data as JSON text in UTF-8, and nothing of what was done for it; or a failure. */
export type Kept =
  | { ok: true; result: Pick<Outcome, "pages" | "returns"> & { json: Uint8Array } }
  | { ok: false; failure: Failure };

/** Something kept, with what came of making it anew since. */
export interface KeptEntry {
  readonly kept: Kept;
  /** When the oldest of its data was made, in milliseconds since 1970. */
  readonly madeAt: number;
  /** Attempts to make it anew, in a row, that brought nothing to keep. */
  attempts: number;
  /** Whether the last of them met an outage, in which it stands in until the next one. */
  standsIn: boolean;
  /** No attempt is made before this time, in milliseconds since 1970. */
  nextAttemptAt: number;
}

/** The results of one isolate, in its memory; it may forget any of them at any time. */
export class KeptResults {
  readonly #now: () => number;
  readonly #entries: ExpiringMap<KeptEntry>;

  constructor(now: () => number) {
    this.#now = now;
    this.#entries = new ExpiringMap(now, MAX_KEPT_RESULTS, MAX_KEPT_RESULTS_BYTES);
  }

  get(key: string): KeptEntry | undefined {
    return this.#entries.get(key);
  }

  /**
   * Keeps something for a time, in place of what the key had; false where it is too large.
   * @param ageMs how old its data are already
   */
  put(key: string, kept: Kept, milliseconds: number, ageMs = 0): boolean {
    const bytes = heldBytes(key) + keptBytes(kept) + KEPT_RESULT_OVERHEAD_BYTES;
    if (bytes > MAX_KEPT_RESULT_BYTES) return false;
    const entry = { kept, madeAt: this.#now() - ageMs, attempts: 0, standsIn: false, nextAttemptAt: 0 };
    this.#entries.set(key, entry, milliseconds, bytes);
    return true;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

function keptBytes(kept: Kept): number {
  if (!kept.ok) return heldBytes(JSON.stringify(kept.failure));
  const { json, pages, returns } = kept.result;
  return json.byteLength + heldBytes(JSON.stringify([pages, returns]));
}

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** Bytes that a text takes in memory: V8 holds one of Latin-1 in one for each unit, any other in two. */
function heldBytes(text: string): number {
  return BEYOND_LATIN_1.test(text) ? text.length * 2 : text.length;
}

/** A kept result as an outcome of its own: whoever changes its data changes nobody else's. */
export function outcomeOf(
  { json, pages, returns }: Extract<Kept, { ok: true }>["result"],
  { ageMs, stale }: Pick<Outcome, "ageMs" | "stale">,
): Outcome {
  let data: JsonValue | undefined;
  return {
    get data() {
      data ??= parsed(json);
      return data;
    },
    json,
    attempts: 0,
    cached: true,
    stale,
    ageMs,
    pages,
    steps: null,
    returns,
  };
}

const decoder = new TextDecoder();

function parsed(json: Uint8Array): JsonValue {
  return JSON.parse(decoder.decode(json));
}
