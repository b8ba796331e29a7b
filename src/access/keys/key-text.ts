import { toBase64Url } from "../bytes.ts";

/** A key as it was sent: where its record is, and the whole text, of which only the hash is stored. */
export interface PresentedKey {
  tenant: string;
  id: string;
  text: string;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;

/** `sg_<tenant>_<id>_<secret>`: the first three only say whose it is; the secret is 256 random bits. */
const KEY = /^sg_([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** What a key's id looks like. */
export const KEY_ID = /^[0-9a-f]{16}$/;

/** Reads a key; null where the text is none that was ever issued. */
export function readKey(text: string): PresentedKey | null {
  const [, tenant, id] = KEY.exec(text) ?? [];
  return tenant === undefined || id === undefined ? null : { tenant, id, text };
}

/** A new id for a key. */
export function newKeyId(randomBytes: (count: number) => Uint8Array): string {
  return Array.from(randomBytes(ID_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A new key for an id. */
export function newKeyText(
  tenant: string,
  id: string,
  randomBytes: (count: number) => Uint8Array,
): PresentedKey {
  return { tenant, id, text: `sg_${tenant}_${id}_${toBase64Url(randomBytes(SECRET_BYTES))}` };
}
