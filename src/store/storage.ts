/** What is said beside a skill's value, where a list shows it. */
export interface SkillNote {
  /** When the skill was written, in milliseconds since 1970. */
  writtenAt: number;
  digest: string;
  /** Characters (UTF-16 units) of the value. */
  characters: number;
}

/** What is said beside a content: when it was put, in milliseconds since 1970. */
export interface ContentNote {
  putAt: number;
}

/** A key as a list shows it. */
export interface ListedKey {
  name: string;
  note: unknown;
}

/** What user skills need of KV, each call one operation of it. */
export interface SkillStorage {
  /** At most KV_BULK_KEYS keys. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  getBytes(key: string): Promise<Uint8Array | null>;
  put(key: string, value: string | Uint8Array, note: SkillNote | ContentNote | null): Promise<void>;
  /** A put of what is gone after so many seconds. */
  hold(key: string, text: string, seconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** A page of at most 1,000 keys in the order of their bytes; `cursor` leads to the next one, where there is one. */
  list(prefix: string, cursor: string | null): Promise<{ keys: readonly ListedKey[]; cursor: string | null }>;
}

/** Workers KV as user skills see it. */
export function kvStorage(namespace: KVNamespace): SkillStorage {
  return {
    getAll: (keys) => namespace.get([...keys], "text"),
    getBytes: async (key) => {
      const bytes = await namespace.get(key, "arrayBuffer");
      return bytes === null ? null : new Uint8Array(bytes);
    },
    put: (key, value, note) => namespace.put(key, value, note === null ? {} : { metadata: note }),
    hold: (key, text, expirationTtl) => namespace.put(key, text, { expirationTtl }),
    delete: (key) => namespace.delete(key),
    list: async (prefix, cursor) => {
      const page = await namespace.list({ prefix, ...(cursor === null ? {} : { cursor }) });
      const keys = page.keys.map(({ name, metadata }) => ({ name, note: metadata }));
      return { keys, cursor: page.list_complete ? null : page.cursor };
    },
  };
}

/** All keys with a prefix. */
export async function listAll(storage: SkillStorage, prefix: string): Promise<ListedKey[]> {
  const keys: ListedKey[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await storage.list(prefix, cursor);
    keys.push(...page.keys);
    cursor = page.cursor;
    if (cursor === null) return keys;
  }
}

/** A note of a skill, or null where it is none: another version of this program wrote none. */
export function skillNoteOf(note: unknown): SkillNote | null {
  if (typeof note !== "object" || note === null) return null;
  const { writtenAt, digest, characters } = { writtenAt: null, digest: null, characters: null, ...note };
  return typeof writtenAt === "number" && typeof digest === "string" && typeof characters === "number"
    ? { writtenAt, digest, characters }
    : null;
}

/** When a content was put; 0 where that is not known, so that it counts as old. */
export function putAtOf(note: unknown): number {
  if (typeof note !== "object" || note === null) return 0;
  const { putAt } = { putAt: null, ...note };
  return typeof putAt === "number" ? putAt : 0;
}
