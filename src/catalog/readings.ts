import { sha256Hex } from "../digest.ts";
import type { IndexEntry } from "../ir.ts";
import { compareText } from "./order.ts";

/** The reading of a caller who sees all the bundled skills and has none of its own. */
export const BUNDLED_ONLY = "bundled";

let lastReading = 0;
const readings = new WeakMap<readonly IndexEntry[], string>();

/** Numbers an index as it was read, so that what was made of it can be found by it. */
export function readingOf(users: readonly IndexEntry[]): string {
  if (users.length === 0) return BUNDLED_ONLY;
  let reading = readings.get(users);
  if (reading === undefined) {
    lastReading += 1;
    reading = String(lastReading);
    readings.set(users, reading);
  }
  return reading;
}

/** The hashes of indexes that were read, each with that of the bundle that it was made with. */
const hashes = new WeakMap<readonly IndexEntry[], { bundled: string; hash: string }>();

/** Names all skills that there are for a tenant, whoever may see them, by the hash of the bundle and what they are. */
export async function hashOfAll(bundled: string, users: readonly IndexEntry[]): Promise<string> {
  if (users.length === 0) return bundled;
  const known = hashes.get(users);
  if (known?.bundled === bundled) return known.hash;
  const own = users.map(({ name, digest }) => [name, digest] as const);
  own.sort(([left], [right]) => compareText(left, right));
  const hash = await sha256Hex(JSON.stringify([bundled, own]));
  hashes.set(users, { bundled, hash });
  return hash;
}
