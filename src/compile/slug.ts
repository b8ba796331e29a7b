/**
 * A name as agentskills.io wants it: lower-case letters of any script, digits and single hyphens, composed
 * (NFKC), 64 characters at most.
 */
const SLUG = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

/** Whether a name is written as agentskills.io wants it. */
export function isSlug(name: string): boolean {
  return SLUG.test(name) && name === name.normalize("NFKC");
}

/** The slug nearest to a name, or "" where nothing of it can stay. Equal names give equal slugs. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
