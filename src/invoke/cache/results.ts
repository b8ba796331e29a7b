import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { CacheRule } from "../../ir.ts";
import { CALL_DEADLINE_MS, CLOCK_TOLERANCE_MS } from "../../limits.ts";
import type { Outcome } from "../call.ts";
import { type FlightPlatform, Flights } from "../memory/flights.ts";
import { backgroundRun, type Run } from "../run.ts";
import { callerGone } from "../upstream/send.ts";
import { freshnessOf, isOutage, keepFailureMs, keepMs, pauseMs } from "./freshness.ts";
import { type KeptEntry, KeptResults, outcomeOf } from "./kept-results.ts";

/** What the cache needs of its surroundings. */
export interface CachePlatform extends FlightPlatform {
  /** Milliseconds since 1970. */
  now(): number;
  /** Told of a stale result that could not be made anew while it was given. */
  report(fault: RefreshFault): void;
}

/** What failed where nobody was waiting for it. */
export interface RefreshFault {
  /** Of the call that was given the stale result. */
  request_id: string;
  skill: string;
  function: string;
  failure: Failure;
}

/** How one call uses the cache. */
export interface CacheUse {
  key: string;
  rule: CacheRule;
  skill: string;
  function: string;
  run: Run;
  /** Whether calls for the same thing at the same time are one. */
  isShared: boolean;
}

/** Makes a result within a run. */
type Make = (run: Run) => Promise<Result<Outcome>>;

/** What came of making a result. */
interface Making {
  result: Result<Outcome & { json: Uint8Array }>;
  /** Whether it ended as it did because of this caller's time and requests, which are nobody else's. */
  isPersonal: boolean;
}

const encoder = new TextEncoder();

const PATIENCE_MS = CALL_DEADLINE_MS / 2;

/**
 * Gives results again for as long as their functions allow, and failures only where they say so. What is given again
 * needs no upstream: no limit is asked, and no closed circuit is in its way.
 */
export class ResultCache {
  readonly #platform: CachePlatform;
  readonly #kept: KeptResults;
  readonly #flights: Flights<Making>;

  constructor(platform: CachePlatform) {
    this.#platform = platform;
    this.#kept = new KeptResults(platform.now);
    this.#flights = new Flights(platform);
  }

  async serve(use: CacheUse, make: Make): Promise<Result<Outcome>> {
    const entry = this.#kept.get(use.key);
    if (entry === undefined) return this.#made(use, make);
    if (!entry.kept.ok) return this.#again(entry, false);
    const isPaused = this.#platform.now() < entry.nextAttemptAt;
    switch (freshnessOf(use.rule, this.#ageOf(entry))) {
      case "fresh":
        return this.#again(entry, false);
      case "stale":
        if (!isPaused) this.#refresh(entry, use, make);
        return this.#again(entry, true);
      case "last resort":
        return isPaused && entry.attempts > 0 ? this.#again(entry, true) : this.#madeOrElse(entry, use, make);
      case "gone":
        return this.#made(use, make);
    }
  }

  #ageOf({ madeAt }: KeptEntry): number {
    return Math.max(0, this.#platform.now() - madeAt);
  }

  #again(entry: KeptEntry, stale: boolean): Result<Outcome> {
    const { kept } = entry;
    const ageMs = this.#ageOf(entry);
    return kept.ok ? success(outcomeOf(kept.result, { ageMs, stale })) : failed({ ...kept.failure, ageMs });
  }

  async #madeOrElse(entry: KeptEntry, use: CacheUse, make: Make): Promise<Result<Outcome>> {
    const result = await this.#made(use, make);
    return result.ok || !isOutage(result.failure) ? result : this.#again(entry, true);
  }

  /**
   * Makes a stale result anew while others are given the old one, on time and requests of its own. Where the platform
   * ends that without a word, the next one begins when it would have been over.
   */
  #refresh(entry: KeptEntry, use: CacheUse, make: Make): void {
    const now = this.#platform.now();
    entry.nextAttemptAt = now + CALL_DEADLINE_MS + CLOCK_TOLERANCE_MS;
    const run = backgroundRun(use.run, now);
    const work = this.#made({ ...use, run }, make).then((result) => {
      if (result.ok) return;
      const { skill, function: name } = use;
      this.#platform.report({ request_id: run.id, skill, function: name, failure: result.failure });
    });
    this.#platform.waitUntil(work);
  }

  /** Makes a result, or waits for the one who is making it. */
  async #made(use: CacheUse, make: Make): Promise<Result<Outcome>> {
    const { signal, deadline } = use.run;
    if (!use.isShared) return (await this.#makeAndKeep(use, make, signal)).result;
    const asker = { signal, patienceMs: PATIENCE_MS, timeLeftMs: deadline - this.#platform.now() };
    const landing = await this.#flights.join(use.key, asker, (deserted) =>
      this.#makeAndKeep(use, make, deserted),
    );
    if (landing === null)
      return failed(
        signal?.aborted === true ? callerGone() : { code: "UPSTREAM_TIMEOUT", timeoutMs: CALL_DEADLINE_MS },
      );
    const { result, isPersonal } = landing.value;
    if (landing.isOwn || (!result.ok && !isPersonal)) return result;
    if (isPersonal) return this.#made(use, make);
    return result.ok ? success(outcomeOf(result.value, { ageMs: 0, stale: false })) : result;
  }

  async #makeAndKeep(use: CacheUse, make: Make, signal: AbortSignal | null): Promise<Making> {
    const { run } = use;
    const made = await make({ ...run, signal });
    const result = made.ok
      ? success({ ...made.value, json: encoder.encode(JSON.stringify(made.value.data)) })
      : made;
    const isBroken = signal?.aborted === true || isOutOfRequests(result);
    const isKept = this.#keep(use, result);
    if (!isKept && !isBroken) this.#postpone(use.key, result.ok ? null : result.failure);
    const isOver = isBroken || this.#platform.now() >= run.deadline;
    return { result, isPersonal: isOver && !isAnswer(result) };
  }

  /** Keeps what may be given again; false where it is nothing of the kind, or too large. */
  #keep({ key, rule }: CacheUse, made: Making["result"]): boolean {
    if (!made.ok) {
      const milliseconds = keepFailureMs(rule, made.failure);
      return milliseconds !== null && this.#kept.put(key, made, milliseconds);
    }
    const { json, pages, returns } = made.value;
    return (
      isAnswer(made) && this.#kept.put(key, { ok: true, result: { json, pages, returns } }, keepMs(rule))
    );
  }

  /** Lets what is kept rest after an attempt that brought nothing in its place. */
  #postpone(key: string, failure: Failure | null): void {
    const entry = this.#kept.get(key);
    if (entry === undefined) return;
    entry.attempts += 1;
    entry.nextAttemptAt = this.#platform.now() + pauseMs(entry.attempts, failure);
  }
}

/** Whether it is what the next caller would get: a list that ended early because of this moment's circumstances is not. */
function isAnswer(result: Result<Outcome>): boolean {
  if (!result.ok) return false;
  const { pages } = result.value;
  return pages === null || pages.complete || pages.stoppedBy === "max_pages" || pages.stoppedBy === "bytes";
}

/** Whether a call had no requests left of those that it shares with others made for the same caller. */
function isOutOfRequests(result: Result<Outcome>): boolean {
  return result.ok ? result.value.pages?.stoppedBy === "requests" : result.failure.code === "CHAIN_REFUSED";
}
