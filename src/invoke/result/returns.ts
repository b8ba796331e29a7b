import type { ArgumentFault } from "../../errors.ts";
import type { FunctionDefinition } from "../../ir.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import {
  MAX_CHECKED_VALUES,
  MAX_QUOTED_CHARACTERS,
  MAX_RETURNS_FAULTS,
  RETURNS_CHECK_INTERVAL_MS,
} from "../../limits.ts";
import { schemaValidator } from "../../schema/index.ts";
import { shorten } from "../../shorten.ts";

/** Where a result is not as its function's `returns` says; `unlisted` is how many more faults there are. */
export interface ReturnsReport {
  faults: ArgumentFault[];
  unlisted: number;
}

/** Holds the results of an isolate's calls against what their functions say, each function's now and then. */
export class ReturnsChecks {
  readonly #now: () => number;
  readonly #checkedAt = new WeakMap<FunctionDefinition, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** As `checkReturns`; null too where the function says nothing, or another result was looked at a moment ago. */
  check(definition: FunctionDefinition, data: JsonValue): ReturnsReport | null {
    if (definition.returns === null) return null;
    const now = this.#now();
    const before = this.#checkedAt.get(definition) ?? Number.NEGATIVE_INFINITY;
    if (now - before < RETURNS_CHECK_INTERVAL_MS) return null;
    this.#checkedAt.set(definition, now);
    return checkReturns(definition.returns, data);
  }
}

/**
 * Holds a result against `returns`. That is advice: an upstream that has changed since the skill was written gives a
 * result all the same. Null where the result is too large for checking.
 */
export function checkReturns(returns: JsonObject, data: JsonValue): ReturnsReport | null {
  if (!hasAtMost(MAX_CHECKED_VALUES, data)) return null;
  const faults = schemaValidator(returns).validate(data);
  const listed = faults
    .slice(0, MAX_RETURNS_FAULTS)
    .map((fault) => ({ ...fault, path: shorten(fault.path, MAX_QUOTED_CHARACTERS) }));
  return { faults: listed, unlisted: faults.length - listed.length };
}

/** Whether a value has at most so many values within, itself included. */
function hasAtMost(limit: number, data: JsonValue): boolean {
  const left: JsonValue[] = [data];
  for (let count = 1; ; count += 1) {
    const value = left.pop();
    if (value === undefined) return true;
    if (count > limit || left.length > limit) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Array.isArray(value) ? value : Object.values(value)) left.push(member);
  }
}
