import { type Failure, failed, type Result, success } from "../../errors.ts";
import { KV_PROPAGATION_MS, MAX_SECRETS_PER_TENANT } from "../../limits.ts";
import { parseRecord, type Records, RememberedRecords } from "../records.ts";
import { HOW_TO_ENCRYPT, type SealedSecret, type Sealer } from "./sealing.ts";

export interface TenantSecretsOptions {
  records: Records;
  /** Null where the operator has set no key to encrypt with, or a wrong one. */
  sealer: Sealer | null;
  /** What is wrong with the keys that the operator has set, one sentence each, without a full stop. */
  keyFaults: readonly string[];
  /** How long what was read stands for what is stored, in milliseconds. */
  freshnessMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes note of a record that cannot be read. */
  report(operation: string, error: unknown): void;
}

/** A secret that somebody sets. */
export interface AskedSecret {
  name: string;
  value: string;
  /** As `canonicalHost` gives them. */
  hosts: readonly string[];
  /** The id of the key that sets it; null for the operator's own. */
  by: string | null;
}

/** What can be known of a secret, which is all but its value. */
export interface SecretLine {
  name: string;
  hosts: readonly string[];
  /** In milliseconds since 1970. */
  updatedAt: number;
  /** The id of the key that set it; null for the operator's own. */
  updatedBy: string | null;
}

/** A secret as it is listed. */
export interface ListedSecret extends SecretLine {
  /** Whether it is encrypted under the key that new ones are. */
  isCurrent: boolean;
}

/** A secret that is ready to be sent, or why it cannot be. */
export interface OpenSecret {
  hosts: ReadonlySet<string>;
  value: Result<string>;
}

interface SecretRecord extends SecretLine {
  sealed: SealedSecret;
}

/** Why nothing can be encrypted. */
function noSealer([fault]: readonly string[]): Failure {
  const cause = fault ?? "This gateway has no key to encrypt secrets under";
  const message = `${cause}, so no secret is taken. The operator sets one: ${HOW_TO_ENCRYPT}.`;
  return { code: "FORBIDDEN", message };
}

/** The secrets that tenants set for skills of their own. */
export class TenantSecrets {
  readonly #options: TenantSecretsOptions;
  readonly #opened: RememberedRecords<OpenSecret>;

  constructor(options: TenantSecretsOptions) {
    this.#options = options;
    this.#opened = new RememberedRecords(options.freshnessMs, options.now);
  }

  /**
   * Sets a secret and the hosts that it is bound to, in place of the one of that name. Fails with FORBIDDEN where the
   * tenant has as many as it may, and where there is no key to encrypt under.
   */
  async put(tenant: string, secret: AskedSecret): Promise<Result<SecretLine & { created: boolean }>> {
    const { records, sealer, keyFaults, now } = this.#options;
    if (sealer === null) return failed(noSealer(keyFaults));
    const { name, value, hosts, by } = secret;
    const names = await records.names(tenant);
    if (!names.ok) return names;
    const created = !names.value.includes(name);
    if (created && names.value.length >= MAX_SECRETS_PER_TENANT) {
      const message = `There are ${MAX_SECRETS_PER_TENANT} secrets already, and more are not allowed.`;
      return failed({ code: "FORBIDDEN", message });
    }
    const line = { name, hosts, updatedAt: now(), updatedBy: by };
    const sealed = await sealer.seal(value, { tenant, name, hosts });
    const record: SecretRecord = { ...line, sealed };
    const stored = await records.put(tenant, name, JSON.stringify(record), null);
    if (!stored.ok) return stored;
    this.#opened.remember(idOf(tenant, name), { hosts: new Set(hosts), value: success(value) });
    return success({ ...line, created });
  }

  /** A tenant's secrets by name, without their values. */
  async list(tenant: string): Promise<Result<ListedSecret[]>> {
    const { records, sealer } = this.#options;
    const names = await records.names(tenant);
    if (!names.ok) return names;
    const found: ListedSecret[] = [];
    for (const read of await Promise.all(names.value.map((name) => this.#stored(tenant, name)))) {
      // What is known of a damaged one is that it is to be set anew, which its users are told.
      if (isDamaged(read)) continue;
      if (!read.ok) return read;
      if (read.value === null) continue;
      const { sealed, ...line } = read.value;
      found.push({ ...line, isCurrent: (await sealer?.isCurrent(sealed)) ?? false });
    }
    return success(found.sort((left, right) => (left.name < right.name ? -1 : 1)));
  }

  /** Removes a secret. Fails with UNKNOWN_SECRET. */
  async delete(tenant: string, name: string): Promise<Result<null>> {
    const stored = await this.#stored(tenant, name);
    if (!stored.ok && !isDamaged(stored)) return stored;
    if (stored.ok && stored.value === null) {
      const names = await this.#options.records.names(tenant);
      if (!names.ok) return names;
      const known = names.value.filter((other) => other !== name);
      return failed({ code: "UNKNOWN_SECRET", secret: name, known });
    }
    const deleted = await this.#options.records.delete(tenant, name);
    if (deleted.ok) this.#opened.remember(idOf(tenant, name), null, KV_PROPAGATION_MS);
    return deleted;
  }

  /** Those of the named secrets that the tenant has set, ready to be sent. */
  async open(tenant: string, names: readonly string[]): Promise<Result<Map<string, OpenSecret>>> {
    const opened = new Map<string, OpenSecret>();
    for (const name of names) {
      const id = idOf(tenant, name);
      const fresh = this.#opened.fresh(id);
      const found =
        fresh === undefined ? await this.#opened.refresh(id, () => this.#open(tenant, name)) : success(fresh);
      if (!found.ok) return found;
      if (found.value !== null) opened.set(name, found.value);
    }
    return success(opened);
  }

  async #open(tenant: string, name: string): Promise<Result<OpenSecret | null>> {
    const read = await this.#read(tenant, name);
    if (!read.ok || read.value === null) return read.ok ? success(null) : read;
    const { hosts, sealed } = read.value;
    const unusable = (reason: string): Result<string> =>
      failed({ code: "SECRET_UNUSABLE", variable: name, reason });
    const { sealer, keyFaults } = this.#options;
    if (sealer === null) {
      const value = unusable(keyFaults[0] ?? "the gateway has no key to decrypt it with");
      return success({ hosts: new Set(hosts), value });
    }
    const opened = await sealer.open(sealed, { tenant, name, hosts });
    const value = opened.value === null ? unusable(opened.reason) : success(opened.value);
    return success({ hosts: new Set(hosts), value });
  }

  /** A secret as it is stored now, but for one that was removed here, which the store may still show. */
  async #stored(tenant: string, name: string): Promise<Result<SecretRecord | null>> {
    return this.#opened.fresh(idOf(tenant, name)) === null ? success(null) : this.#read(tenant, name);
  }

  async #read(tenant: string, name: string): Promise<Result<SecretRecord | null>> {
    const text = await this.#options.records.get(tenant, name);
    if (!text.ok || text.value === null) return text.ok ? success(null) : text;
    const record = parseRecord<SecretRecord>(text.value);
    if (record !== null) return success(record);
    this.#options.report("read the secret", new Error(`what is stored of ${idOf(tenant, name)} is damaged`));
    return failed({ code: "SECRET_UNUSABLE", variable: name, reason: "what is stored of it is damaged" });
  }
}

/** Whether a record is there that cannot be read. */
function isDamaged(read: Result<unknown>): boolean {
  return !read.ok && read.failure.code === "SECRET_UNUSABLE";
}

/** A tenant's name has no slash. */
function idOf(tenant: string, name: string): string {
  return `${tenant}/${name}`;
}
