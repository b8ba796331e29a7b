/** A host as somebody may write it: a name in any script, or an address, and perhaps a port. No wildcards. */
const WRITTEN_HOST =
  /^(?:\[[0-9A-Fa-f:.]+\]|[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}])?)(?::\d{1,5})?$/u;

/**
 * A host as URLs have it, so that it can be compared with theirs: in lower case, its labels in ASCII, without the
 * default port. Null for what is not exactly one host.
 */
export function canonicalHost(written: string): string | null {
  if (!WRITTEN_HOST.test(written)) return null;
  const host = URL.parse(`https://${written}`)?.host;
  return host === undefined || host === "" ? null : host;
}

/** The host of a URL as `canonicalHost` has it, or null. */
export function hostOf(url: string): string | null {
  const host = URL.parse(url)?.host;
  return host === undefined || host === "" ? null : host;
}
