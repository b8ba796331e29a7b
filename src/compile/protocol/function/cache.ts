import type { CacheRule, ErrorHandling } from "../../../ir.ts";
import { MAX_CACHE_TTL_MS, MIN_CACHE_TTL_MS } from "../../../limits.ts";
import { cacheScopeNames, keptErrorKindNames } from "../../../vocabulary.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";
import type { FunctionSection } from "./function.ts";

/** Reads a function's `cache`; null, with a diagnostic, where it does not say how long a result is fresh. */
export function readCache(fields: FieldReader | null): CacheRule | null {
  if (fields === null) return null;
  if (!fields.has("ttl"))
    report(fields.place, "missing-field", `${fields.nameOf("ttl")} is missing`, "ttl: 5m");
  const ttlMs = readTime(fields, "ttl");
  const cache = {
    scope: fields.oneOf("scope", cacheScopeNames) ?? "tenant",
    staleWhileRevalidateMs: readTime(fields, "stale_while_revalidate") ?? 0,
    staleIfErrorMs: readTime(fields, "stale_if_error") ?? 0,
    failures: readFailures(fields.mapping("failures")),
  };
  fields.finish();
  return ttlMs === null ? null : { ttlMs, ...cache };
}

/** The failures that are kept too, each with its time. */
function readFailures(fields: FieldReader | null): CacheRule["failures"] {
  const failures = keptErrorKindNames.flatMap((kind) => {
    const ttlMs = fields === null ? null : readTime(fields, kind);
    return ttlMs === null ? [] : [{ kind, ttlMs }];
  });
  fields?.finish();
  return failures;
}

function readTime(fields: FieldReader, key: string): number | null {
  return fields.milliseconds(key, MIN_CACHE_TTL_MS, MAX_CACHE_TTL_MS);
}

/** Says which failures are kept that no call of the function can come to: only the skill's own `codes` tell kinds apart. */
export function checkKeptFailures(
  { definition, fields }: FunctionSection,
  { codes }: Pick<ErrorHandling, "codes">,
): void {
  const { cache, binding, name } = definition;
  const kept =
    cache === null || cache.failures.length === 0 ? null : fields.mapping("cache")?.mapping("failures");
  for (const { kind } of cache?.failures ?? []) {
    const place = kept?.keyPlace(kind) ?? fields.place;
    if (binding.kind !== "request")
      report(
        place,
        "kept-failure-unmet",
        `${name} asks no upstream itself, so it has no failure ${kind} to keep`,
      );
    else if (!codes.some((code) => code.kind === kind))
      report(
        place,
        "kept-failure-unmet",
        `no code of constraints.error_handling.codes means ${kind}, so ${name} has no such failure to keep`,
        `codes: {CODE: ${kind}}`,
      );
  }
}
