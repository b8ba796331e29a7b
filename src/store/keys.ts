/**
 * Every key that user skills and results have in KV. Names have at most 64 characters, so at most 256 bytes of UTF-8; a
 * tenant has at most 64 bytes; KV allows 512. Skills never expire.
 *
 * | key | value | written | consistency |
 * |---|---|---|---|
 * | `skill:<tenant>:<name>` | the skill's record as JSON, up to a few MiB | once for each change | the truth |
 * | `result:<tenant>:<function>:<sha256>` | a result's JSON text, for ten minutes | once | the value of its hash |
 * | `index:<tenant>` | the index lines of all the tenant's skills as JSON, and their version | after each change | derived |
 *
 * KV shows a write at once where it was made and within 60 seconds or so elsewhere.
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

/** Where a result is held while its pages are read; its name is the hash of its text. */
export function resultKey(tenant: string, functionName: string, result: string): string {
  return `result:${tenant}:${functionName}:${result}`;
}
