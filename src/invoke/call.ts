/** The vocabulary of calls: what is called, by whom, what it touches, and what comes of it. */
import type { Result } from "../errors.ts";
import type { FunctionDefinition, RateLimit, Skill } from "../ir.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { PagesStop } from "../vocabulary.ts";
import type { ResultCache } from "./cache/results.ts";
import type { TokenStore } from "./credential/token-store.ts";
import type { LimitReport } from "./limits/report.ts";
import type { BaseUrlLookup } from "./plan/base-url.ts";
import type { ReturnsChecks, ReturnsReport } from "./result/returns.ts";
import type { Circuits } from "./upstream/circuits.ts";
import type { UpstreamClosures } from "./upstream/closing.ts";
import type { EgressPolicy } from "./upstream/guard.ts";

/** A function that can be called, with the skill that has it. */
export interface Callable {
  skill: Skill;
  /** Names the skill's document: another document, another digest. */
  digest: string;
  definition: FunctionDefinition;
  /** Where the skill is one that a tenant uploaded; null for a bundled one, which has the operator's secrets. */
  uploaded: UploadedSkill | null;
  /** What its caller calls members of the arguments, by their own names, where those are others. */
  names?: ReadonlyMap<string, string>;
}

/** Whose skill it is, and the secrets that it may use, got when a request is about to be sent. */
export interface UploadedSkill {
  tenant: string;
  secrets(): Promise<Result<CallSecrets>>;
}

/** The secrets that a call may use, and where. */
export interface CallSecrets {
  /** The value of a secret for a request to this URL; fails where it is not set or not for this host. */
  secretFor(variable: string, url: string): Result<string>;
  /** Why a token that this secret buys may not go to a URL, or null where it may. */
  tokenRefusal(variable: string, url: string): string | null;
  /** The limits that the operator's own skills put on a secret at a URL's host; they hold for whoever uses it. */
  limitsOfSecret(variable: string, url: string): readonly RateLimit[];
  /** The tenant whose own secret it is; null for the operator's. */
  holderOf(variable: string): string | null;
}

/** Finds a function of the caller's catalog by its name; UNKNOWN_FUNCTION where the caller sees none. */
export type FunctionLookup = (name: string) => Promise<Result<Callable>>;

/** One call of one function. */
export interface Call extends Callable {
  /** Also the request id. */
  id: string;
  arguments: JsonValue;
  /** Whose call it is; tenants share no results unless a function says so. */
  tenant: string;
  /** Names what the caller sees, the same for the same: what a chain comes to depends on it. */
  view: string;
  /** What its caller may spend in all, whichever functions it calls. */
  budget: readonly CallLimit[];
  /** Is told how all limits stand that the call meets. */
  limits: LimitReport;
  /** How the steps of a chain find the functions that they call. */
  find: FunctionLookup;
  /** Fires when the caller goes away. */
  signal: AbortSignal | null;
}

/** What a call made. */
export interface Made {
  data: JsonValue;
  /** Requests that were sent to upstreams; 0 for a computation, and for a result that was kept. */
  attempts: number;
  /** How the pages were gathered, where the function gathers pages; where it is a chain, those of all its steps. */
  pages: PagesReport | null;
  /** Whether it is of data whose time is over: its own, or what a step of a chain was given. */
  stale: boolean;
  /** How long ago the oldest of its data was made, in milliseconds. */
  ageMs: number;
  /** What ran, where the function is a chain; in the order in which the skill has its steps. */
  steps: StepReport[] | null;
}

/** What came of a call. */
export interface Outcome extends Made {
  /** `data` as JSON text in UTF-8, where that is at hand; null where it has not been written. */
  json: Uint8Array | null;
  /** Whether the result was there already, or was made for somebody else at this moment. */
  cached: boolean;
  /** Where the result is not as the function says; null where that was not looked at. */
  returns: ReturnsReport | null;
}

/** How a list that comes in pages was gathered, or several of them. */
export interface PagesReport {
  count: number;
  /** Whether all pages there are have been gathered. */
  complete: boolean;
  stoppedBy: PagesStop | null;
  /** Where the rest begins: the next cursor, page or offset; null where nothing is left, for links, and for several lists. */
  next: string | number | null;
}

/** What a step of a chain did. */
export interface StepReport {
  id: string;
  function: string;
  /** How often its function was called; 0 where its condition did not hold, and for an empty list. */
  calls: number;
  attempts: number;
  skipped: boolean;
  /** Whether it was given data whose time is over, and how long ago the oldest of its data was made, in milliseconds. */
  stale: boolean;
  ageMs: number;
  /** How the lists of its calls were gathered; null where they are none that come in pages. */
  pages: PagesReport | null;
  /** Faults of its results, where they are not as its function says. */
  returnsFaults: number;
}

/** A limit that a call counts against; who shares it is told by `bucket`, how to name it by `label`. */
export interface CallLimit extends RateLimit {
  bucket: string;
  /** Buckets of one group are counted in one place, where there is such a place. */
  group: string;
  label: string;
}

/** How a limit stands: whole calls used and left, and the milliseconds until more is left, and until all of it is. */
export interface CallLimitState {
  limit: CallLimit;
  used: number;
  left: number;
  moreMs: number;
  resetMs: number;
}

/** A call that was not admitted, the limit to wait longest for, and how long; null for ever. */
export interface CallRefusal {
  admitted: false;
  /** Whether the limit is used up, or its bucket closed at the upstream's word. */
  because: "used up" | "closed";
  refusedBy: CallLimit;
  retryAfterMs: number | null;
  states: CallLimitState[];
}

/** What the runtime needs of a limiter: all limits of a call are admitted together, or none. */
export interface CallLimiter {
  /** @param mayWait whether the reply may wait for what isolates share; without that, what is known decides */
  admit(
    limits: readonly CallLimit[],
    cost: number,
    mayWait: boolean,
  ): Promise<{ admitted: true; states: CallLimitState[] } | CallRefusal>;
  /** Gives back what an admitted call spent: the same limits and cost, once. */
  release(limits: readonly CallLimit[], cost: number): void;
  /** How limits stand, without spending. */
  look(limits: readonly CallLimit[]): Promise<CallLimitState[]>;
}

/** Everything that a call touches beyond its arguments. */
export interface InvokeDependencies {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to 1, 1 excluded. */
  random(): number;
  /** Waits, or ends early when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal | null): Promise<void>;
  fetch: typeof fetch;
  egress: EgressPolicy;
  limiter: CallLimiter;
  closures: UpstreamClosures;
  baseUrlOf: BaseUrlLookup;
  /** The operator's, for bundled skills. */
  secrets: CallSecrets;
  /** The operator's SKILL_* variables. */
  vars: JsonObject;
  tokens: TokenStore;
  results: ResultCache;
  circuits: Circuits;
  returns: ReturnsChecks;
}
