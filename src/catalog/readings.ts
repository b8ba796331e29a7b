import type { IndexEntry } from "../ir.ts";

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
