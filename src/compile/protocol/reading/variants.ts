import { report } from "./place.ts";
import type { FieldReader } from "./reader.ts";

/** The fields that only some variants of a mapping have, by variant. */
export type VariantFields<Variant extends string> = Readonly<Record<Variant, readonly string[]>>;

/**
 * Warns of fields that mean nothing in the variant that a mapping is, but something in another.
 * @param what what the variants are called, e.g. `the method`
 */
export function reportForeignFields<Variant extends string>(
  fields: FieldReader,
  table: VariantFields<Variant>,
  variant: Variant,
  what: string,
): void {
  const own: readonly string[] = table[variant];
  const owners = new Map<string, string[]>();
  for (const [other, keys] of Object.entries<readonly string[]>(table))
    for (const key of keys) owners.set(key, [...(owners.get(key) ?? []), other]);
  for (const [key, others] of owners) {
    if (own.includes(key) || !fields.has(key)) continue;
    const message = `${fields.nameOf(key)} belongs to ${what} ${others.join(" and ")}, not to ${variant}`;
    report(fields.keyPlace(key), "field-of-another-kind", message, "remove it");
  }
}
