/** Gathers the pages of a list into one. */
import { type Failure, failed, type Result, success } from "../../../errors.ts";
import type { Pagination } from "../../../ir.ts";
import type { JsonValue } from "../../../json.ts";
import type { PagesStop } from "../../../vocabulary.ts";
import type { PagesReport } from "../../call.ts";
import type { PreparedFunction } from "../../prepared.ts";
import { unparsable } from "../decode.ts";
import type { Answer } from "../exchange.ts";
import type { UpstreamRequest } from "../request.ts";
import { readReply } from "../shape.ts";
import { firstTurn, nextTurn, type Page, type Turn } from "./turns.ts";

/** A list of all that came, and how it came. */
export interface Gathered {
  data: JsonValue[];
  report: PagesReport;
}

/** What the gathering of pages needs. */
export interface GatherDependencies {
  prepared: PreparedFunction;
  /** What expressions see. */
  values: ReadonlyMap<string, JsonValue>;
  answer(request: UpstreamRequest): Promise<Result<Answer>>;
  /** Whether the time of the whole call is used up. */
  isOver(): boolean;
}

/**
 * Asks for page after page: at most the declared number, until the bytes that one reply may have, the time of the call
 * or the requests that it may lead to are used up, or a limit lets no further page through; the report says which. A
 * page that the upstream itself fails to give is the failure of the whole call: a list with a hole is worse than none.
 */
export async function gatherPages(
  rule: Pagination,
  planned: UpstreamRequest,
  dependencies: GatherDependencies,
): Promise<Result<Gathered>> {
  const data: JsonValue[] = [];
  let bytesLeft = planned.maxResponseBytes;
  let turn = firstTurn(rule, planned);
  const asked = new Set<string>();
  for (let count = 1; ; count += 1) {
    asked.add(turn.request.url);
    const answer = await dependencies.answer({ ...turn.request, maxResponseBytes: bytesLeft });
    if (!answer.ok) {
      const stoppedBy = count === 1 ? null : stopOf(answer.failure, dependencies.isOver());
      return stoppedBy === null ? answer : success({ data, report: partial(count - 1, stoppedBy, turn) });
    }
    const page = pageOf(answer.value, dependencies);
    if (!page.ok) return page;
    for (const item of page.value.items) data.push(item);
    bytesLeft -= page.value.reply.bytes;
    const next = nextTurn(rule, turn, page.value);
    if (!next.ok) return next;
    if (next.value === null)
      return success({ data, report: { count, complete: true, stoppedBy: null, next: null } });
    const stoppedBy = boundOf(rule, bytesLeft, asked, next.value);
    if (stoppedBy !== null) return success({ data, report: partial(count, stoppedBy, next.value) });
    turn = next.value;
  }
}

function partial(count: number, stoppedBy: PagesStop, { position }: Turn): PagesReport {
  return { count, complete: false, stoppedBy, next: position };
}

/**
 * What forbids another page before it is asked for.
 * @param asked where all pages were that there have been; one that leads back to any of them goes round in a circle
 */
function boundOf(
  { maxPages }: Pagination,
  bytesLeft: number,
  asked: ReadonlySet<string>,
  { request }: Turn,
): PagesStop | null {
  if (asked.has(request.url)) return "repetition";
  if (asked.size >= maxPages) return "max_pages";
  return bytesLeft <= 0 ? "bytes" : null;
}

/** Which bound of the gathering it was that a page failed by; null where it was the upstream. */
function stopOf({ code }: Failure, isOver: boolean): PagesStop | null {
  // Earlier pages have used up the bytes that this one lacks.
  if (code === "UPSTREAM_TOO_LARGE") return "bytes";
  if (code === "RATE_LIMIT_EXCEEDED" || code === "DAILY_QUOTA_EXCEEDED") return "limits";
  if (code === "CHAIN_REFUSED") return "requests";
  return code === "UPSTREAM_TIMEOUT" && isOver ? "deadline" : null;
}

/** A page's payload is a list; none at all is an empty one. */
function pageOf({ data, reply }: Answer, { prepared, values }: GatherDependencies): Result<Page> {
  const items = data ?? [];
  if (!Array.isArray(items)) return failed(unparsable("a page of it is not a list", reply.status));
  return success({ items, reply, read: (source) => readReply(prepared, source, reply, values) });
}
