import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { CacheRule } from "../../ir.ts";
import { CALL_DEADLINE_MS, CLOCK_TOLERANCE_MS, FLIGHT_PATIENCE_MS } from "../../limits.ts";
import type { Outcome } from "../call.ts";
import { type FlightPlatform, Flights } from "../memory/flights.ts";
import { backgroundRun, type Run } from "../run.ts";
import { callerGone } from "../upstream/send.ts";
import { freshnessOf, keepFailureMs, keepMs, pauseMs, renewalOf } from "./freshness.ts";
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
    if (!entry.kept.ok) return this.#again(entry, use.rule);
    const isPaused = this.#platform.now() < entry.nextAttemptAt;
    switch (freshnessOf(use.rule, this.#ageOf(entry))) {
      case "fresh":
        return this.#again(entry, use.rule);
      case "stale":
        if (!isPaused) this.#refresh(entry, use, make);
        return this.#again(entry, use.rule);
      case "last resort":
        return isPaused && entry.standsIn ? this.#again(entry, use.rule) : this.#madeOrElse(use, make);
      case "gone":
        return this.#made(use, make);
    }
  }

  #ageOf({ madeAt }: KeptEntry): number {
    return Math.max(0, this.#platform.now() - madeAt);
  }

  #again(entry: KeptEntry, { ttlMs }: CacheRule): Result<Outcome> {
    const { kept } = entry;
    const ageMs = this.#ageOf(entry);
    if (!kept.ok) return failed({ ...kept.failure, ageMs });
    return success(outcomeOf(kept.result, { ageMs, stale: ageMs >= ttlMs }));
  }

  /** Makes a result, or gives what is still kept then where there is an outage. */
  async #madeOrElse(use: CacheUse, make: Make): Promise<Result<Outcome>> {
    const result = await this.#made(use, make);
    if (renewalOf(result) !== "outage") return result;
    const entry = this.#kept.get(use.key);
    return entry === undefined ? result : this.#again(entry, use.rule);
  }

  /**
   * Makes a stale result anew while others are given the old one, on time of its own and on the requests that the call
   * may make behind its reply; where those are used up, the next call may try. Where the platform ends that without a
   * word, the next attempt begins when it would have been over.
   */
  #refresh(entry: KeptEntry, use: CacheUse, make: Make): void {
    const now = this.#platform.now();
    entry.nextAttemptAt = now + CALL_DEADLINE_MS + CLOCK_TOLERANCE_MS;
    const run = backgroundRun(use.run, now);
    const work = this.#made({ ...use, run }, make).then((result) => {
      if (result.ok) return;
      if (isOutOfRequests(result)) entry.nextAttemptAt = this.#platform.now();
      const { skill, function: name } = use;
      this.#platform.report({ request_id: run.id, skill, function: name, failure: result.failure });
    });
    this.#platform.waitUntil(work);
  }

  /** Makes a result, or waits for the one who is making it. */
  async #made(use: CacheUse, make: Make): Promise<Result<Outcome>> {
    const { signal, deadline } = use.run;
    if (!use.isShared) return (await this.#makeAndKeep(use, make, signal)).result;
    const asker = { signal, patienceMs: FLIGHT_PATIENCE_MS, timeLeftMs: deadline - this.#platform.now() };
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
    return result.ok ? success(outcomeOf(result.value, result.value)) : result;
  }

  async #makeAndKeep(use: CacheUse, make: Make, signal: AbortSignal | null): Promise<Making> {
    const { run } = use;
    const made = await make({ ...run, signal });
    const result = made.ok
      ? success({ ...made.value, json: encoder.encode(JSON.stringify(made.value.data)) })
      : made;
    const isBroken = signal?.aborted === true || isOutOfRequests(result);
    if (!isBroken) this.#note(use, result);
    const isOver = isBroken || this.#platform.now() >= run.deadline;
    const isWhole = result.ok && renewalOf(result) !== "outage";
    return { result, isPersonal: isOver && !isWhole };
  }

  /** An answer ends what was kept before it, also where it is not kept itself; after anything else, that rests. */
  #note(use: CacheUse, made: Making["result"]): void {
    const renewal = renewalOf(made);
    if (renewal !== "answer") this.#postpone(use.key, made.ok ? null : made.failure, renewal === "outage");
    else if (!this.#keep(use, made)) this.#kept.delete(use.key);
  }

  /** Keeps what may be given again; false where it is nothing of the kind, too large, or of data that is too old. */
  #keep({ key, rule }: CacheUse, made: Making["result"]): boolean {
    if (!made.ok) {
      const milliseconds = keepFailureMs(rule, made.failure);
      return milliseconds !== null && this.#kept.put(key, made, milliseconds);
    }
    const { json, pages, returns, ageMs } = made.value;
    if (ageMs >= rule.ttlMs) return false;
    return this.#kept.put(key, { ok: true, result: { json, pages, returns } }, keepMs(rule) - ageMs, ageMs);
  }

  /** Lets what is kept rest after an attempt that brought nothing in its place. */
  #postpone(key: string, failure: Failure | null, standsIn: boolean): void {
    const entry = this.#kept.get(key);
    if (entry === undefined) return;
    entry.attempts += 1;
    entry.standsIn = standsIn;
    entry.nextAttemptAt = this.#platform.now() + pauseMs(entry.attempts, failure);
  }
}

/** Whether a call had no requests left of those that it shares with others made for the same caller. */
function isOutOfRequests(result: Result<Outcome>): boolean {
  return result.ok ? result.value.pages?.stoppedBy === "requests" : result.failure.code === "CHAIN_REFUSED";
}
