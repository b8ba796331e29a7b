/**
 * Every key that user skills, results, issued keys and secrets have in KV: this file is the one place that says so.
 *
 * | key | value | size | lives | consistency |
 * |---|---|---|---|---|
 * | `skill:<tenant>:<name>` | the skill: source, what it compiled to, version, author, time, base, files, former versions | to a few MiB | till it is deleted | the truth; one put for each change |
 * | `content:<tenant>:<name>:<sha256>` | a file's bytes, or the source of a former version or of the base | to 1 MiB | till no version names it | the value of its hash; put before the skill that names it |
 * | `compiled:<tenant>:<name>:<version>:<sha256>` | what a source compiles to for one version of the record's form | to a few MiB | thirty days | the value of its hash |
 * | `index:<tenant>` | the index lines of all the tenant's skills, and when the keys behind them were listed | some KB a skill | till it is replaced | derived |
 * | `changed:<tenant>` | until when skills may change, in milliseconds since 1970 | 13 bytes | till it is replaced | an announcement; put before the skill |
 * | `result:<tenant>:<function>:<sha256>` | a result's JSON text | to 8 MiB | ten minutes | the value of its hash |
 * | `key:<tenant>:<id>` | an issued key's record as JSON with the SHA-256 of the key; put when it is issued, rotated, revoked | 400 bytes to 20 KB | till the key ends, and a minute more at the least | the truth |
 * | `secret:<tenant>:<name>` | a secret's hosts as JSON, and its value under AES-GCM | to 12 KB | till it is removed | the truth |
 *
 * `skill:` keys have metadata (when the skill was written, its digest, the characters of its value), so that one list says
 * which lines of an index are out of date; `content:` keys have the time of their put, so that none is swept away that
 * a skill is about to name. Metadata is at most 1,024 bytes.
 *
 * Names have at most 64 characters, so at most 256 bytes of UTF-8, those of secrets at most 128 of ASCII; a tenant has at
 * most 63 bytes, a hash has 64: with the longest prefix that is some 400, and KV allows 512. Neither a tenant's name nor a
 * skill's has a colon in it.
 *
 * KV shows a write at once where it was made and within 60 seconds or so elsewhere. So whatever was written by two
 * places at once is put right afterwards: an index whose keys were listed earlier than `KV_PROPAGATION_MS` after the
 * time in `changed:` is made anew from a list as soon as that time has come. Keys and secrets are read so that it is 30
 * seconds. Isolates look again after 5 seconds (`DEFAULT_FRESHNESS_MS`), and where KV answers nothing they go by what they
 * read of keys and secrets last for a minute more (`STALE_RECORD_MS`). A key is one write: there is no second place that
 * could differ.
 */

import { IR_VERSION } from "../vocabulary.ts";

/** Where a skill of a tenant is kept. */
export function skillKey(tenant: string, name: string): string {
  return `${skillPrefix(tenant)}${name}`;
}

/** What the keys of all skills of a tenant begin with. */
export function skillPrefix(tenant: string): string {
  return `skill:${tenant}:`;
}

/** Where a file or a former source of a skill is kept. */
export function contentKey(tenant: string, name: string, digest: string): string {
  return `${contentPrefix(tenant, name)}${digest}`;
}

/** What the keys of all contents of a skill begin with. */
export function contentPrefix(tenant: string, name: string): string {
  return `${tenantContentPrefix(tenant)}${name}:`;
}

/** What the keys of all contents of a tenant begin with. */
export function tenantContentPrefix(tenant: string): string {
  return `content:${tenant}:`;
}

/** Where the record of a source is kept that another version of this program compiled. */
export function compiledKey(tenant: string, name: string, digest: string): string {
  return `compiled:${tenant}:${name}:${IR_VERSION}:${digest}`;
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

/** Where it is announced until when a tenant's skills may change. */
export function changedKey(tenant: string): string {
  return `changed:${tenant}`;
}

/** Where a result is held while its pages are read; its name is the hash of its text. */
export function resultKey(tenant: string, functionName: string, result: string): string {
  return `result:${tenant}:${functionName}:${result}`;
}
