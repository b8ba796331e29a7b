import type { RateLimit } from "../../ir.ts";
import type { Caller } from "../caller.ts";

/** What a key may do. */
export interface Grant {
  name: string;
  scopes: readonly string[];
  skills: readonly string[] | null;
  limits: readonly RateLimit[];
  /** In milliseconds since 1970; null for never. */
  expiresAt: number | null;
}

/** A key as it is stored. The key itself is in nobody's hands but its holder's. */
export interface KeyRecord extends Grant {
  tenant: string;
  id: string;
  createdAt: number;
  /** The id of the key that issued it; null for the operator's own. */
  createdBy: string | null;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  /** The key before the last rotation, while it may still be used. */
  former: { hash: string; until: number } | null;
}

/** The holder of a key. */
export function callerOf({ tenant, id, name, scopes, skills, limits, expiresAt }: KeyRecord): Caller {
  return { tenant, key: { id, name }, scopes, skills, limits, expiresAt, isOperator: false };
}
