import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { MAX_DIFFERING_LINES } from "../../limits.ts";

/** A document with the name that a difference calls it by. */
export interface NamedText {
  name: string;
  text: string;
}

/**
 * What is different, as a unified diff that `patch` and `git apply` take; empty where nothing is, and null where more
 * is different than anybody reads.
 */
export function unifiedDifference(before: NamedText, after: NamedText): string | null {
  if (before.text === after.text) return "";
  const patch = createTwoFilesPatch(before.name, after.name, before.text, after.text, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: MAX_DIFFERING_LINES,
  });
  return patch ?? null;
}
