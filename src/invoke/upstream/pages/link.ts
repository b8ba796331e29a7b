/** The `Link` header (RFC 8288). */

const PARAMETER = /\s*;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;
/** A link's target and its parameters; commas and semicolons may stand within both. */
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, "g");

/** The target of the first link whose relation is `next`, as it is written; null where there is none. */
export function nextLink(header: string): string | null {
  for (const [, target = "", parameters = ""] of header.matchAll(LINK)) {
    if (relationsOf(parameters).includes("next")) return target;
  }
  return null;
}

/** Of several `rel` only the first counts (section 3.3); it may hold several relations (section 3). */
function relationsOf(parameters: string): string[] {
  for (const [, name = "", quoted, bare = ""] of parameters.matchAll(PARAMETER)) {
    if (name.toLowerCase() === "rel") return (quoted ?? bare).toLowerCase().split(/\s+/);
  }
  return [];
}
