import { failed, type Result, success } from "../errors.ts";
import { HELD_RESULT_MS } from "../limits.ts";
import { resultKey } from "./keys.ts";

/** What is needed of KV; a `KVNamespace` is one. */
export interface ResultStorage {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
}

export interface HeldResultOptions {
  storage: ResultStorage;
  /** Lets work go on after the reply. */
  waitUntil(work: Promise<void>): void;
  /** Takes note of a fault of the storage. */
  report(operation: string, error: unknown): void;
}

interface Owner {
  tenant: string;
  function: string;
}

/**
 * Results whose pages are being read, where every isolate finds them. KV shows a new key at once where it was written,
 * which is where its reader most probably comes back to.
 */
export class HeldResultStore {
  readonly #options: HeldResultOptions;

  constructor(options: HeldResultOptions) {
    this.#options = options;
  }

  /** A result's text; null where it is held no more. STORE_UNAVAILABLE where that cannot be found out. */
  async get({ tenant, function: name }: Owner, result: string): Promise<Result<string | null>> {
    try {
      return success(await this.#options.storage.get(resultKey(tenant, name, result)));
    } catch (error) {
      const operation = "read the result";
      this.#options.report(operation, error);
      return failed({ code: "STORE_UNAVAILABLE", operation });
    }
  }

  /** Holds a result; nobody waits for that, since this isolate has it anyway. */
  put({ tenant, function: name }: Owner, result: string, text: string): void {
    const { storage, waitUntil, report } = this.#options;
    const lifetime = { expirationTtl: HELD_RESULT_MS / 1_000 };
    const written = storage.put(resultKey(tenant, name, result), text, lifetime);
    waitUntil(written.catch((error: unknown) => report("hold the result", error)));
  }
}
