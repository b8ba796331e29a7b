import { joinScopes, RESPONSE_SCOPE, type Scope } from "../../../../expression/index.ts";
import type { Pagination } from "../../../../ir.ts";
import { MAX_PAGES } from "../../../../limits.ts";
import { conditionAt, expressionAt } from "../../reading/expressions.ts";
import { report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { reportForeignFields, type VariantFields } from "../../reading/variants.ts";

const FIELDS = {
  cursor: ["parameter", "next"],
  page: ["parameter", "first", "more"],
  offset: ["parameter", "more"],
  link: [],
} as const satisfies VariantFields<Pagination["kind"]>;

const KINDS = ["cursor", "page", "offset", "link"] as const;

/** Page numbers begin at 0 or 1; a skill may begin further on. */
const MAX_FIRST_PAGE = 1_000_000;

/**
 * Reads `paginate`; null, with diagnostics, where it is not a good one.
 * @param scope what the function's expressions see; those of `paginate` see the reply too
 */
export function readPagination(fields: FieldReader, scope: Scope): Pagination | null {
  if (!fields.has("kind")) reportMissing(fields, "kind", "kind: cursor");
  const kind = fields.oneOf("kind", KINDS);
  if (!fields.has("max_pages")) reportMissing(fields, "max_pages", "max_pages: 10");
  const maxPages = fields.number("max_pages", 1, MAX_PAGES, true) ?? 1;
  if (kind === null) return null;
  const pagination = readKind(kind, fields, joinScopes(scope, RESPONSE_SCOPE), maxPages);
  reportForeignFields(fields, FIELDS, kind, "the kind");
  fields.finish();
  return pagination;
}

function readKind(
  kind: Pagination["kind"],
  fields: FieldReader,
  scope: Scope,
  maxPages: number,
): Pagination | null {
  if (kind === "link") return { kind, maxPages };
  const parameter = fields.requiredText("parameter") ?? "";
  if (kind === "cursor") {
    if (!fields.has("next")) reportMissing(fields, "next", "next: body.next_cursor");
    const next = expressionAt(fields.at("next"), fields.nameOf("next"), scope);
    return next === null ? null : { kind, parameter, next, maxPages };
  }
  const more = conditionAt(fields.at("more"), fields.nameOf("more"), scope);
  if (kind === "offset") return { kind, parameter, more, maxPages };
  return { kind, parameter, first: fields.number("first", 0, MAX_FIRST_PAGE, true) ?? 1, more, maxPages };
}

function reportMissing(fields: FieldReader, key: string, fix: string): void {
  report(fields.place, "missing-field", `${fields.nameOf(key)} is missing`, fix);
}

/** The expressions of a pagination, which may name parameters. */
export function paginationSources(pagination: Pagination | null): string[] {
  if (pagination === null || pagination.kind === "link") return [];
  const source = pagination.kind === "cursor" ? pagination.next : pagination.more;
  return source === null ? [] : [source];
}
