import { failed, type Result, success } from "../errors.ts";
import { KV_MIN_CACHE_TTL_SECONDS, KV_MIN_TTL_SECONDS } from "../limits.ts";
import { type RecordKind, recordKey, recordPrefix } from "./keys.ts";

/** What is needed of KV; a `KVNamespace` is one. */
export interface RecordStorage {
  get(key: string, options: { type: "text"; cacheTtl: number }): Promise<string | null>;
  put(key: string, value: string, options: { expiration?: number }): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string }): Promise<{ keys: readonly { name: string }[] }>;
}

export interface TenantRecordOptions {
  storage: RecordStorage;
  kind: RecordKind;
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes note of a fault of the storage. */
  report(operation: string, error: unknown): void;
}

/** The keys or the secrets of tenants, as texts. Faults of the storage are STORE_UNAVAILABLE. */
export class TenantRecords {
  readonly #options: TenantRecordOptions;

  constructor(options: TenantRecordOptions) {
    this.#options = options;
  }

  get(tenant: string, name: string): Promise<Result<string | null>> {
    const { storage, kind } = this.#options;
    const options = { type: "text", cacheTtl: KV_MIN_CACHE_TTL_SECONDS } as const;
    return this.#attempt("read", () => storage.get(recordKey(kind, tenant, name), options));
  }

  /** @param expiresAt when the record is of no use any more, in milliseconds since 1970; null for never */
  put(tenant: string, name: string, text: string, expiresAt: number | null): Promise<Result<null>> {
    const { storage, kind, now } = this.#options;
    // KV refuses a time that is less than a minute away.
    const earliest = Math.ceil(now() / 1_000) + KV_MIN_TTL_SECONDS + 1;
    const lifetime =
      expiresAt === null ? {} : { expiration: Math.max(earliest, Math.ceil(expiresAt / 1_000)) };
    return this.#attempt("write", async () => {
      await storage.put(recordKey(kind, tenant, name), text, lifetime);
      return null;
    });
  }

  delete(tenant: string, name: string): Promise<Result<null>> {
    const { storage, kind } = this.#options;
    return this.#attempt("remove", async () => {
      await storage.delete(recordKey(kind, tenant, name));
      return null;
    });
  }

  /** The names of all that a tenant has; a tenant may have fewer than one page of a list holds. */
  names(tenant: string): Promise<Result<string[]>> {
    const { storage, kind } = this.#options;
    const prefix = recordPrefix(kind, tenant);
    return this.#attempt("list", async () => {
      const { keys } = await storage.list({ prefix });
      return keys.map(({ name }) => name.slice(prefix.length));
    });
  }

  async #attempt<T>(verb: string, action: () => Promise<T>): Promise<Result<T>> {
    try {
      return success(await action());
    } catch (error) {
      const operation = `${verb} the ${this.#options.kind}`;
      this.#options.report(operation, error);
      return failed({ code: "STORE_UNAVAILABLE", operation });
    }
  }
}
