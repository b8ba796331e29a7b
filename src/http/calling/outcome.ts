/** A call's result in the form that callers see. */
import type { Outcome, PagesReport, ResultPage, ReturnsReport, StepReport } from "../../invoke/index.ts";
import type { LogEvent } from "../gateway.ts";

/** What was called. */
export interface CalledFunction {
  request_id: string;
  skill: string;
  function: string;
  source: string;
}

const decoder = new TextDecoder();

/** A result as JSON text. */
export function resultText(outcome: Outcome): string {
  return outcome.json === null ? JSON.stringify(outcome.data) : decoder.decode(outcome.json);
}

/** What goes with a result. */
export function describeOutcome(
  called: CalledFunction,
  outcome: Omit<Outcome, "data" | "json">,
  page: ResultPage | null,
) {
  const { attempts, cached, stale, ageMs, pages, steps, returns } = outcome;
  return {
    ...called,
    attempts,
    cached,
    stale,
    age_ms: ageMs,
    pages: pages === null ? null : describePages(pages),
    page: page === null ? null : describePage(page),
    steps: steps === null ? null : steps.map(describeStep),
    returns_faults: returns === null ? null : { count: faultsIn(returns), listed: returns.faults },
  };
}

/** The line of the log for a result that is not as its function says; null where it is. Values are not logged. */
export function returnsFaultLine(called: CalledFunction, { cached, returns }: Outcome): LogEvent | null {
  if (cached || returns === null || returns.faults.length === 0) return null;
  const faults = returns.faults.map(({ path, rule }) => ({ path, rule }));
  return { level: "warning", event: "returns-fault", ...called, count: faultsIn(returns), faults };
}

function faultsIn({ faults, unlisted }: ReturnsReport): number {
  return faults.length + unlisted;
}

/** How a list that comes in pages was gathered. */
export function describePages({ count, complete, stoppedBy, next }: PagesReport) {
  return { count, complete, stopped_by: stoppedBy, next };
}

/** Where a page stands in its result. */
export function describePage({ result, offset, nextOffset, totalCharacters }: ResultPage) {
  return {
    result,
    offset,
    next_offset: nextOffset,
    total_chars: totalCharacters,
    complete: nextOffset === null,
  };
}

function describeStep({ ageMs, pages, returnsFaults, ...step }: StepReport) {
  return {
    ...step,
    age_ms: ageMs,
    pages: pages === null ? null : describePages(pages),
    returns_faults: returnsFaults,
  };
}
