/** What reports on lists that come in pages mean, and what several of them come to. */
import type { PagesReport } from "../call.ts";

/** Whether a list ended early because of this moment's circumstances: the next caller's may be longer. */
export function isCutShort({ complete, stoppedBy }: PagesReport): boolean {
  return !complete && stoppedBy !== "max_pages" && stoppedBy !== "bytes";
}

/**
 * The report on several lists together, null where there is none: all their pages, and where one of them is not
 * complete, why that is; what may be otherwise next time comes first.
 */
export function pagesTogether(reports: readonly (PagesReport | null)[]): PagesReport | null {
  const lists = reports.filter((report) => report !== null);
  if (lists.length === 0) return null;
  const partial = lists.find(isCutShort) ?? lists.find(({ complete }) => !complete);
  const count = lists.reduce((total, list) => total + list.count, 0);
  return { count, complete: partial === undefined, stoppedBy: partial?.stoppedBy ?? null, next: null };
}
