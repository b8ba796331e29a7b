import { sha256Hex } from "../digest.ts";
import type { BundledUpstream, IndexEntry, SkillRecord } from "../ir.ts";
import type { DialectName } from "../vocabulary.ts";

/** A reply that is ready to be sent: its body as text and its strong entity tag, quotes included. */
export interface PreparedBody {
  body: string;
  etag: string;
}

/** A body with the entity tag that is made of its digest. */
export async function prepareBody(body: string): Promise<PreparedBody> {
  return { body, etag: `"${(await sha256Hex(body)).slice(0, 32)}"` };
}

const encodings = new WeakMap<PreparedBody, Uint8Array>();

/** A prepared body in UTF-8, encoded once: of a text, the runtime would make these bytes anew for every reply. */
export function bytesOf(prepared: PreparedBody): Uint8Array {
  let bytes = encodings.get(prepared);
  if (bytes === undefined) {
    bytes = new TextEncoder().encode(prepared.body);
    encodings.set(prepared, bytes);
  }
  return bytes;
}

/** What a build makes of `skills/`. Everything but the index stays text until it is asked for. */
export interface Bundle {
  /** SHA-256 over the skills and the version of their form; the same for the same skills. */
  hash: string;
  /** In the order in which an index shows them. */
  index: readonly IndexEntry[];
  upstreams: readonly BundledUpstream[];
  /** The records as JSON, by the skill's name. */
  records: Readonly<Record<string, string>>;
  /** The whole reply of `GET /v1/tools` for each dialect. */
  tools: Readonly<Record<DialectName, PreparedBody>>;
  /** What searches find the skills by, as `search/` writes it. */
  search: string;
  /** The description of the HTTP interface, as JSON. */
  openapi: PreparedBody;
}

/** Bundled records, parsed when first asked for and then kept. */
export class BundledSkills {
  readonly bundle: Bundle;
  readonly #parsed = new Map<string, SkillRecord>();

  constructor(bundle: Bundle) {
    this.bundle = bundle;
  }

  record(name: string): SkillRecord | null {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.bundle.records, name)) return null;
    const record: SkillRecord = JSON.parse(this.bundle.records[name] ?? "");
    this.#parsed.set(name, record);
    return record;
  }
}
