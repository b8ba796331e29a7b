import type { Caller } from "../../access/index.ts";
import type { CallLimit } from "../../invoke/index.ts";

/** What a caller may spend in all: the limits of the key that it has shown, each key counted by itself. */
export function budgetOf({ key, limits }: Caller): CallLimit[] {
  const bucket = `key:${key?.id ?? "operator"}`;
  return limits.map((limit) => ({ ...limit, bucket, group: bucket, label: "this key" }));
}
