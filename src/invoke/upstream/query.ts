/** Query parameters of URLs that are there already. */

type Parameters = readonly (readonly [name: string, value: string])[];

/** The URL with these parameters in place of its own of the same names; the rest of its query stays as it is written. */
export function withParameters(url: URL, added: Parameters): string {
  if (added.length === 0) return url.href;
  const parameters = new URLSearchParams(added.map(([name, value]) => [name, value]));
  return withSearch(url, [...foreignParameters(url, added), parameters.toString()]);
}

/** The URL without the parameters of these names. */
export function withoutParameters(url: URL, removed: Parameters): string {
  return removed.length === 0 ? url.href : withSearch(url, foreignParameters(url, removed));
}

function foreignParameters(url: URL, own: Parameters): string[] {
  const names = new Set(own.map(([name]) => name));
  const parts = url.search.slice(1).split("&");
  return parts.filter(
    (part) => part !== "" && ![...new URLSearchParams(part).keys()].some((name) => names.has(name)),
  );
}

function withSearch(url: URL, parts: readonly string[]): string {
  const changed = new URL(url);
  changed.search = parts.join("&");
  return changed.href;
}
