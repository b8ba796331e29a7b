/** How one page leads to the next: one entry for each kind of pagination. */
import { failed, type Result, success } from "../../../errors.ts";
import type { Pagination } from "../../../ir.ts";
import type { JsonValue } from "../../../json.ts";
import { unparsable } from "../decode.ts";
import { nameOfHost } from "../guard.ts";
import { withParameters } from "../query.ts";
import type { UpstreamReply, UpstreamRequest } from "../request.ts";
import { nextLink } from "./link.ts";

/** A page to ask for. */
export interface Turn {
  request: UpstreamRequest;
  /** The parameter that tells this page from others, as far as it is known. */
  position: string | number | null;
}

/** A page that came. */
export interface Page {
  items: readonly JsonValue[];
  reply: UpstreamReply;
  /** Computes an expression over the reply. */
  read(source: string): Result<JsonValue>;
}

/** A kind of pagination. */
interface PageTurner<Rule> {
  first(rule: Rule, planned: UpstreamRequest): Turn;
  /** The page after one, or null where that was the last. */
  next(rule: Rule, turn: Turn, page: Page): Result<Turn | null>;
}

type Kind = Pagination["kind"];
type RuleOf<Name extends Kind> = Extract<Pagination, { kind: Name }>;

const turners: { [Name in Kind]: PageTurner<RuleOf<Name>> } = {
  cursor: {
    first: ({ parameter }, planned) => ({ request: planned, position: given(planned, parameter) }),
    next: nextCursor,
  },
  page: {
    first: (rule, planned) =>
      numbered(rule.parameter, planned, givenNumber(planned, rule.parameter) ?? rule.first),
    next: (rule, turn, page) => counted(rule, turn, page, 1),
  },
  offset: {
    first: (rule, planned) => numbered(rule.parameter, planned, givenNumber(planned, rule.parameter) ?? 0),
    next: (rule, turn, page) => counted(rule, turn, page, page.items.length),
  },
  link: { first: (_rule, planned) => ({ request: planned, position: null }), next: followLink },
};

/** The type checker can't see that a rule of some kind has that very kind, which the cast says. */
function turnerOf<Name extends Kind>(rule: RuleOf<Name>): PageTurner<RuleOf<Name>> {
  return turners[rule.kind as Name];
}

/** The first page: where the caller's arguments say, otherwise at the beginning. */
export function firstTurn<Name extends Kind>(rule: RuleOf<Name>, planned: UpstreamRequest): Turn {
  return turnerOf<Name>(rule).first(rule, planned);
}

/** The page after one; null where it was the last. A link may lead to another path, and never to another origin. */
export function nextTurn<Name extends Kind>(rule: RuleOf<Name>, turn: Turn, page: Page): Result<Turn | null> {
  return turnerOf<Name>(rule).next(rule, turn, page);
}

function given({ url }: UpstreamRequest, parameter: string): string | null {
  return new URL(url).searchParams.get(parameter);
}

function givenNumber(request: UpstreamRequest, parameter: string): number | null {
  const text = given(request, parameter);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function positioned(parameter: string, request: UpstreamRequest, value: string): UpstreamRequest {
  return { ...request, url: withParameters(new URL(request.url), [[parameter, value]]) };
}

function numbered(parameter: string, request: UpstreamRequest, position: number): Turn {
  return { request: positioned(parameter, request, String(position)), position };
}

function nextCursor(
  { parameter, next }: RuleOf<"cursor">,
  { request }: Turn,
  page: Page,
): Result<Turn | null> {
  const cursor = page.read(next);
  if (!cursor.ok) return cursor;
  const { value } = cursor;
  if (value === null || value === "") return success(null);
  if (typeof value !== "string" && typeof value !== "number")
    return failed(unparsable("its next cursor is neither a text nor a number", page.reply.status));
  return success({ request: positioned(parameter, request, String(value)), position: value });
}

function counted(
  { parameter, more }: RuleOf<"page"> | RuleOf<"offset">,
  { request, position }: Turn,
  page: Page,
  step: number,
): Result<Turn | null> {
  const goesOn = more === null ? success(page.items.length > 0) : page.read(more);
  if (!goesOn.ok) return goesOn;
  if (goesOn.value !== true) return success(null);
  return success(numbered(parameter, request, Number(position) + step));
}

function followLink(_rule: RuleOf<"link">, { request }: Turn, { reply }: Page): Result<Turn | null> {
  const target = nextLink(reply.headers.get("link") ?? "");
  if (target === null) return success(null);
  const url = URL.parse(target, request.url);
  if (url === null) return failed(unparsable("its link to the next page is no URL", reply.status));
  if (url.origin !== new URL(request.url).origin) {
    const reason = "a link to the next page leads to another origin";
    return failed({ code: "EGRESS_DENIED", host: nameOfHost(url), reason });
  }
  return success({ request: { ...request, url: url.href }, position: null });
}
