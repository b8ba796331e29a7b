import { sha256Hex } from "../digest.ts";
import { failed, type Result, success } from "../errors.ts";
import type { RateLimit } from "../ir.ts";

/** Who is calling. */
export interface Caller {
  tenant: string;
  /** Names the key that was shown, without telling it. */
  key: string;
  /** What may be spent with that key in all. */
  limits: readonly RateLimit[];
}

/** How the gateway is opened: to nobody, to the holder of one key, or (for local runs) to everybody. */
export interface GateOptions {
  /** The key that the operator set, or null. */
  key: string | null;
  /** The limits of that key, which hold for whoever comes in without one too. */
  keyLimits: readonly RateLimit[];
  /** Whether no key is asked for; only ever right where nobody else can connect. */
  open: boolean;
}

/** The holder of the operator's own key. */
function operator({ keyLimits }: GateOptions): Caller {
  return { tenant: "operator", key: "operator", limits: keyLimits };
}

const HOW_TO_OPEN =
  "No key is set, so the gateway is closed. The operator sets one: wrangler secret put SKILLGATE_KEY";

/** Finds out who sends a request. Closed by default: without a key that the operator set, nobody comes in. */
export async function identify(authorization: string | null, options: GateOptions): Promise<Result<Caller>> {
  if (options.open) return success(operator(options));
  if (options.key === null) return failed({ code: "UNAUTHENTICATED", message: HOW_TO_OPEN });
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (given === undefined) {
    return failed({ code: "UNAUTHENTICATED", message: "The request carries no key." });
  }
  if (await isSame(given, options.key)) return success(operator(options));
  return failed({ code: "UNAUTHENTICATED", message: "The key is not valid." });
}

/** Compares digests to the end, so that the time taken tells nothing of the key. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256Hex(given), digestOf(expected)]);
  let difference = 0;
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

let digested: { key: string; digest: string } | null = null;

/**
 * The digest of the operator's key, which does not change, is kept once it is made. Never its promise: a
 * Worker's request must not wait for what another one began, which never ends where that one is gone.
 */
async function digestOf(key: string): Promise<string> {
  if (digested?.key === key) return digested.digest;
  const digest = await sha256Hex(key);
  digested = { key, digest };
  return digest;
}
