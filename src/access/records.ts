import { type Result, success } from "../errors.ts";
import { MAX_REMEMBERED_RECORDS, STALE_RECORD_MS } from "../limits.ts";

/** Where the records of tenants are kept, by name, as texts. Fails with STORE_UNAVAILABLE. */
export interface Records {
  get(tenant: string, name: string): Promise<Result<string | null>>;
  /** @param expiresAt when the record is of no use any more, in milliseconds since 1970; null for never */
  put(tenant: string, name: string, text: string, expiresAt: number | null): Promise<Result<null>>;
  delete(tenant: string, name: string): Promise<Result<null>>;
  names(tenant: string): Promise<Result<string[]>>;
}

/** A record as it was written; null for a text that is damaged. */
export function parseRecord<Value extends object>(text: string): Value | null {
  try {
    const record: Value | null = JSON.parse(text);
    return record;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

interface Remembered<Value> {
  value: Value;
  /** Until when it is not read again, in milliseconds since 1970. */
  freshUntil: number;
}

/**
 * Records as an isolate remembers them: read again once they are no longer fresh. Where the store then answers nothing,
 * one that was there is good for a while longer; one that was not, or that nobody has looked for, is not known.
 */
export class RememberedRecords<Value> {
  readonly #freshnessMs: number;
  readonly #now: () => number;
  readonly #present = new Map<string, Remembered<Value>>();
  readonly #absent = new Map<string, Remembered<null>>();

  constructor(freshnessMs: number, now: () => number) {
    this.#freshnessMs = freshnessMs;
    this.#now = now;
  }

  /** What is remembered of a name and needs no reading; undefined where it has to be read. */
  fresh(name: string): Value | null | undefined {
    const known = this.#known(name);
    return known !== undefined && this.#now() < known.freshUntil ? known.value : undefined;
  }

  /** Whether a name was there when it was last looked at, however long ago. */
  hasSeen(name: string): boolean {
    return this.#present.has(name);
  }

  /** Takes note of what a reading came to, and says what holds then. */
  async refresh(name: string, read: () => Promise<Result<Value | null>>): Promise<Result<Value | null>> {
    const before = this.#known(name);
    const result = await read();
    const known = this.#known(name);
    // Who has written it meanwhile knows better than a reading that was begun before.
    if (known !== undefined && known !== before) return success(known.value);
    if (result.ok) {
      this.remember(name, result.value);
      return result;
    }
    const stale = this.#present.get(name);
    return stale !== undefined && this.#now() - stale.freshUntil < STALE_RECORD_MS
      ? success(stale.value)
      : result;
  }

  /**
   * Remembers a record, or that there is none.
   * @param forMs how long that stands, whatever the store may still show
   */
  remember(name: string, value: Value | null, forMs = this.#freshnessMs): void {
    this.#present.delete(name);
    this.#absent.delete(name);
    const freshUntil = this.#now() + forMs;
    if (value === null) keep(this.#absent, name, { value, freshUntil });
    else keep(this.#present, name, { value, freshUntil });
  }

  #known(name: string): Remembered<Value | null> | undefined {
    return this.#present.get(name) ?? this.#absent.get(name);
  }
}

/** The one that was written longest ago makes room. */
function keep<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  for (const oldest of entries.keys()) {
    if (entries.size < MAX_REMEMBERED_RECORDS) break;
    entries.delete(oldest);
  }
  entries.set(name, entry);
}
