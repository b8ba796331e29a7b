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
  /** Milliseconds since 1970, as all that follow. */
  readonly madeAt: number;
  /** Attempts to make it anew, in a row, that brought nothing to keep. */
  attempts: number;
  /** No attempt is made before this time. */
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

  /** Keeps something for a time, in place of what the key had; false where it is too large. */
  put(key: string, kept: Kept, milliseconds: number): boolean {
    const bytes = heldBytes(key) + keptBytes(kept) + KEPT_RESULT_OVERHEAD_BYTES;
    if (bytes > MAX_KEPT_RESULT_BYTES) return false;
    this.#entries.set(key, { kept, madeAt: this.#now(), attempts: 0, nextAttemptAt: 0 }, milliseconds, bytes);
    return true;
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
  age: Pick<Outcome, "ageMs" | "stale">,
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
    ...age,
    pages,
    steps: null,
    returns,
  };
}

const decoder = new TextDecoder();

function parsed(json: Uint8Array): JsonValue {
  return JSON.parse(decoder.decode(json));
}
