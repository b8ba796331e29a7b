import { fromBase64 } from "../bytes.ts";

const KEY_BYTES = 32;

/** Whether a text is a key to encrypt secrets under: 32 bytes in Base64. A start reads it, without what encrypts. */
export function isEncryptionKey(text: string): boolean {
  return fromBase64(text)?.length === KEY_BYTES;
}
