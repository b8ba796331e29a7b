/** How a tenant's secret is encrypted: AES-GCM under a key that the operator holds, never under one that is stored. */
import { sha256Hex } from "../../digest.ts";
import { fromBase64, toBase64 } from "../bytes.ts";
import { isEncryptionKey } from "./encryption-key.ts";

/** A secret as it is stored: all but its value can be read. */
export interface SealedSecret {
  /** Which encryption key; the beginning of the SHA-256 of its text. */
  key: string;
  iv: string;
  data: string;
}

/** What a sealed secret is bound to: moved to another place or given other hosts, it cannot be opened. */
export interface SealBinding {
  tenant: string;
  name: string;
  hosts: readonly string[];
}

/** What must be set, and how, for tenants to have secrets of their own. */
export const HOW_TO_ENCRYPT =
  "openssl rand -base64 32 | npx wrangler secret put SECRETS_KEY; while keys are changed, SECRETS_KEY_NEW beside it";

const IV_BYTES = 12;

interface EncryptionKey {
  id: string;
  key: CryptoKey;
}

/** Seals secrets under the first of its keys, and opens what was sealed under any. */
export class Sealer {
  readonly #texts: readonly string[];
  readonly #randomBytes: (count: number) => Uint8Array;
  #keys: readonly EncryptionKey[] | null = null;

  private constructor(texts: readonly string[], randomBytes: (count: number) => Uint8Array) {
    this.#texts = texts;
    this.#randomBytes = randomBytes;
  }

  /**
   * A sealer with these keys, the one to seal under first; null where there is none, or one that is not 32 bytes in
   * Base64.
   */
  static from(texts: readonly string[], randomBytes: (count: number) => Uint8Array): Sealer | null {
    return texts.length > 0 && texts.every(isEncryptionKey) ? new Sealer(texts, randomBytes) : null;
  }

  async seal(value: string, binding: SealBinding): Promise<SealedSecret> {
    const [current] = await this.#imported();
    if (current === undefined) throw new Error("a sealer has a key");
    const iv = Uint8Array.from(this.#randomBytes(IV_BYTES));
    const bytes = new TextEncoder().encode(value);
    const data = await crypto.subtle.encrypt(cipher(iv, binding), current.key, bytes);
    return { key: current.id, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
  }

  /** The value of a sealed secret, or why it cannot be had, in words that complete "… be made of the secret: …". */
  async open(
    sealed: SealedSecret,
    binding: SealBinding,
  ): Promise<{ value: string } | { value: null; reason: string }> {
    const known = (await this.#imported()).find(({ id }) => id === sealed.key);
    if (known === undefined)
      return { value: null, reason: "it was encrypted under a key that is no longer set" };
    const iv = fromBase64(sealed.iv);
    const data = fromBase64(sealed.data);
    if (iv === null || data === null) return { value: null, reason: "what is stored of it is damaged" };
    try {
      const bytes = await crypto.subtle.decrypt(cipher(iv, binding), known.key, data);
      return { value: new TextDecoder().decode(bytes) };
    } catch (error) {
      // Web Crypto says OperationError where the seal does not hold; anything else is a fault of the program.
      if (!(error instanceof Error) || error.name !== "OperationError") throw error;
      return { value: null, reason: "what is stored of it was changed" };
    }
  }

  /** Whether a secret was sealed under the key that seals now. */
  async isCurrent({ key }: SealedSecret): Promise<boolean> {
    return (await this.#imported())[0]?.id === key;
  }

  async #imported(): Promise<readonly EncryptionKey[]> {
    this.#keys ??= await Promise.all(this.#texts.map(importKey));
    return this.#keys;
  }
}

async function importKey(text: string): Promise<EncryptionKey> {
  const bytes = fromBase64(text) ?? new Uint8Array();
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: (await sha256Hex(toBase64(bytes))).slice(0, 8), key };
}

function cipher(iv: Uint8Array<ArrayBuffer>, { tenant, name, hosts }: SealBinding) {
  const additionalData = new TextEncoder().encode(JSON.stringify(["skillgate", 1, tenant, name, hosts]));
  return { name: "AES-GCM", iv, additionalData };
}
