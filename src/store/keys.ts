/**
 * Every key that user skills, results, issued keys and secrets have in KV. Names have at most 64 characters, so at most
 * 256 bytes of UTF-8, those of secrets at most 128 of ASCII; a tenant has at most 63 bytes, and no colon among them; KV
 * allows 512. Skills and secrets never expire.
 *
 * | key | value | written | consistency |
 * |---|---|---|---|
 * | `skill:<tenant>:<name>` | the skill's record as JSON, up to a few MiB | once for each change | the truth |
 * | `result:<tenant>:<function>:<sha256>` | a result's JSON text, for ten minutes | once | the value of its hash |
 * | `index:<tenant>` | the index lines of all the tenant's skills as JSON, and their version | after each change | derived |
 * | `key:<tenant>:<id>` | an issued key's record as JSON with the SHA-256 of the key, some 400 bytes to 20 KB; it goes when the key ends, a minute later at the earliest | when it is issued, rotated, revoked | the truth |
 * | `secret:<tenant>:<name>` | a secret's hosts as JSON, and its value under AES-GCM, up to 12 KB | when it is set or removed | the truth |
 *
 * KV shows a write at once where it was made and within 60 seconds or so elsewhere; keys and secrets are read so that it
 * is 30. Isolates look again after 5 seconds (`DEFAULT_FRESHNESS_MS`), and where KV answers nothing they go by what they
 * read last for a minute more (`STALE_RECORD_MS`). A key is one write: there is no second place that could differ.
 */

/** Where a skill of a tenant is kept. */
export function skillKey(tenant: string, name: string): string {
  return `${skillPrefix(tenant)}${name}`;
}

/** What the keys of all skills of a tenant begin with. */
export function skillPrefix(tenant: string): string {
  return `skill:${tenant}:`;
}

/** Where the index lines of a tenant's skills are kept. */
export function indexKey(tenant: string): string {
  return `index:${tenant}`;
}

/** What is kept of a tenant besides its skills and results. */
export type RecordKind = "key" | "secret";

/** Where a key or a secret of a tenant is kept. */
export function recordKey(kind: RecordKind, tenant: string, name: string): string {
  return `${recordPrefix(kind, tenant)}${name}`;
}

/** What the store keys of all keys or secrets of a tenant begin with. */
export function recordPrefix(kind: RecordKind, tenant: string): string {
  return `${kind}:${tenant}:`;
}

/** Where a result is held while its pages are read; its name is the hash of its text. */
export function resultKey(tenant: string, functionName: string, result: string): string {
  return `result:${tenant}:${functionName}:${result}`;
}
