import { sha256Hex } from "../digest.ts";
import { type Failure, failed, type Result, success } from "../errors.ts";
import type { RateLimit } from "../ir.ts";
import { type Caller, OPERATOR } from "./caller.ts";
import type { KeyRing } from "./keys/key-ring.ts";
import { readKey } from "./keys/key-text.ts";

/** How the gateway is opened: to the holders of keys, or (for local runs) to everybody. */
export interface GateOptions {
  /** The key that the operator set, or null. */
  operatorKey: string | null;
  /** The limits of that key, which hold for whoever comes in without one too. */
  operatorLimits: readonly RateLimit[];
  /** The keys that were issued; null where there is no store to keep any. */
  keys: Pick<KeyRing, "identify"> | null;
  /** Whether whoever sends no issued key is the operator; only ever right where nobody else can connect. */
  open: boolean;
  /** Compares bytes of the same length in a time that tells nothing of them. */
  timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

/** What to do where no key is set. */
export const HOW_TO_OPEN =
  "No key is set, so the gateway is closed. The operator sets one: npx wrangler secret put SKILLGATE_KEY";

const NOT_VALID: Failure = {
  code: "UNAUTHENTICATED",
  message: "The key is not valid.",
  error: "invalid_token",
};

/** Finds out who sends a request. Closed by default: without any key, nobody comes in. */
export class Gate {
  readonly #options: GateOptions;
  readonly #operator: Caller;
  #operatorDigest: Uint8Array | null = null;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#operator = { ...OPERATOR, limits: options.operatorLimits };
  }

  /** The caller that an `Authorization` header speaks for. */
  async identify(authorization: string | null): Promise<Result<Caller>> {
    const { open, operatorKey, keys } = this.#options;
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    const issued = given === undefined || keys === null ? null : readKey(given);
    if (open && issued === null) return success(this.#operator);
    if (given !== undefined && operatorKey !== null && (await this.#isOperators(given, operatorKey)))
      return success(this.#operator);
    const found = issued === null || keys === null ? success(null) : await keys.identify(issued);
    if (!found.ok) return found;
    if (found.value !== null) return success(found.value);
    if (operatorKey === null && !open) return failed({ code: "UNAUTHENTICATED", message: HOW_TO_OPEN });
    return given === undefined
      ? failed({ code: "UNAUTHENTICATED", message: "The request carries no key." })
      : failed(NOT_VALID);
  }

  async #isOperators(given: string, key: string): Promise<boolean> {
    const digest = await digestOf(given);
    // The digest is kept once it is made, never its promise: a Worker's request must not wait for what another one
    // began, which never ends where that one is gone.
    this.#operatorDigest ??= await digestOf(key);
    return this.#options.timingSafeEqual(digest, this.#operatorDigest);
  }
}

/** Digests have one length, whatever the key's. */
async function digestOf(key: string): Promise<Uint8Array> {
  return new TextEncoder().encode(await sha256Hex(key));
}
