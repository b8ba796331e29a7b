/**
 * Every way a request can fail, as one tagged union, and the one table that gives each its status and its
 * form on the wire. A new failure is a new arm here; the type checker then names every place that has to know
 * it.
 */
import type { JsonValue } from "./json.ts";
import { wallClock } from "./time-zone.ts";

/** Either a value or the reason there is none. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** A value as a result. */
export function success<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A failure as a result, of whatever type the value would have had. */
export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}

/** One argument that is wrong: where (JSON Pointer), by which rule, what was expected and what was got. */
export interface ArgumentFault {
  path: string;
  rule: string;
  expected: string;
  got: string;
}

/** What an upstream itself said about a failed call. */
export interface UpstreamAnswer {
  /** HTTP status, or null where no reply came. */
  status: number | null;
  /** The upstream's own error code, from the skill's `response.error.code`. */
  code: string | null;
  message: string | null;
}

/** What an upstream meant by a refusal, where that is known. */
export type RejectionKind = "unauthenticated" | "not_found" | "invalid";

/** Everything that can go wrong with a request, each with what its sentence, hint and details are made of. */
export type Failure = FailureArm & {
  /** In a chain of calls, the step that failed: `quotes`, `quotes[3]`, or `overview.quotes` for one of a chain within. */
  step?: string;
  /** How long ago it was answered, in milliseconds, where it is given again rather than asked for anew. */
  ageMs?: number;
  /** Whether the upstream may have done all the same what it must not be asked for twice. */
  mayBeDone?: boolean;
};

type FailureArm =
  /** `unlisted` is how many more faults there are than `faults` has. */
  | { code: "INVALID_ARGUMENTS"; function: string; faults: ArgumentFault[]; unlisted: number }
  | { code: "INVALID_REQUEST"; message: string; faults: ArgumentFault[] }
  /** `error` is the word of RFC 6750, section 3.1, for a key that was sent and is none. */
  | { code: "UNAUTHENTICATED"; message: string; error?: "invalid_token" }
  /** `scope` is the one that the caller lacks, where that is why. */
  | { code: "FORBIDDEN"; message: string; scope?: string }
  | { code: "UNKNOWN_ROUTE"; method: string; path: string }
  | { code: "UNKNOWN_SKILL"; skill: string; known: string[] }
  | { code: "UNKNOWN_FUNCTION"; function: string; known: string[] }
  | { code: "UNKNOWN_KEY"; key: string; known: string[] }
  | { code: "UNKNOWN_SECRET"; secret: string; known: string[] }
  /** `unlisted` is how many more sections there are than `known` has. */
  | { code: "UNKNOWN_SECTION"; skill: string; section: string; known: string[]; unlisted: number }
  | { code: "AMBIGUOUS_SECTION"; skill: string; section: string; paths: string[] }
  | { code: "UNKNOWN_FILE"; skill: string; path: string; known: string[] }
  | { code: "UNKNOWN_VERSION"; skill: string; version: number; known: number[] }
  /** What the caller would change is no longer as it read it. */
  | { code: "VERSION_CONFLICT"; skill: string; current: string | null }
  /** `conflicts` are places of a document that both sides changed. */
  | { code: "MERGE_CONFLICT"; skill: string; conflicts: JsonValue[] }
  /** The operator keeps tenants from changing a bundled skill so. */
  | { code: "OVERRIDE_FORBIDDEN"; skill: string; message: string; details: JsonValue[] }
  /** `instead` is a sentence on what to send, where that is more than less of it. */
  | { code: "PAYLOAD_TOO_LARGE"; what: string; limitBytes: number; instead?: string }
  | { code: "INVALID_SKILL"; skill: string; diagnostics: JsonValue[] }
  | { code: "NOT_COVERED"; function: string; message: string }
  | {
      code: "RATE_LIMIT_EXCEEDED";
      bucket: string;
      max: number;
      /** A day's limit is a quota, which has a failure of its own. */
      window: "minute";
      retryAfterMs: number | null;
    }
  | {
      code: "DAILY_QUOTA_EXCEEDED";
      bucket: string;
      max: number;
      /** The zone whose days are counted by, and when its next one begins (milliseconds since 1970). */
      timeZone: string;
      resetsAt: number | null;
      /** Null, as `resetsAt`, where a single call costs more than the quota. */
      retryAfterMs: number | null;
    }
  | { code: "CHAIN_REFUSED"; function: string; reason: string }
  /** One of the calls of a message, beyond the `max` of them that are made. */
  | { code: "TOO_MANY_CALLS"; function: string; max: number }
  | { code: "UPSTREAM_REJECTED"; upstream: UpstreamAnswer; kind: RejectionKind | null }
  | { code: "UPSTREAM_UNPARSABLE"; upstream: UpstreamAnswer; reason: string }
  | { code: "UPSTREAM_TOO_LARGE"; upstream: UpstreamAnswer; limitBytes: number }
  | { code: "UPSTREAM_UNAVAILABLE"; upstream: UpstreamAnswer; retryAfterMs: number | null }
  | { code: "UPSTREAM_RATE_LIMITED"; upstream: UpstreamAnswer; retryAfterMs: number | null }
  | { code: "UPSTREAM_QUOTA_EXHAUSTED"; upstream: UpstreamAnswer; retryAfterMs: number | null }
  | { code: "UPSTREAM_TIMEOUT"; timeoutMs: number }
  /** `host` is the token endpoint's, and `upstream` what that endpoint said. */
  | { code: "TOKEN_REFUSED"; host: string; variable: string; upstream: UpstreamAnswer }
  | { code: "TOKEN_UNAVAILABLE"; host: string; upstream: UpstreamAnswer; retryAfterMs: number | null }
  | { code: "EGRESS_DENIED"; host: string; reason: string }
  /** `variables` are all that are missing of those that the call needs, at least one. */
  | { code: "SECRET_NOT_SET"; variables: string[] }
  /** The secret is set, and no credential can be made of it; `reason` never quotes it. */
  | { code: "SECRET_UNUSABLE"; variable: string; reason: string }
  | { code: "EXPRESSION_FAILED"; where: string; reason: string }
  /** Pages of a result were asked for that is held no more. */
  | { code: "RESULT_GONE"; function: string }
  | { code: "STORE_UNAVAILABLE"; operation: string }
  | { code: "INTERNAL" };

export type FailureCode = Failure["code"];

type FailureOf<Code extends FailureCode> = Extract<Failure, { code: Code }>;

interface FailureRule<Code extends FailureCode> {
  status: number;
  /** Whether the very same call may succeed later, as a rule. */
  retryable: boolean;
  /** Where that is otherwise: whether this one will fail for ever. */
  isFinal?: (failure: FailureOf<Code>) => boolean;
  /** One sentence for people. */
  sentence: (failure: FailureOf<Code>) => string;
  /** What a model should do next. */
  hint: (failure: FailureOf<Code>) => string;
  details?: (failure: FailureOf<Code>) => JsonValue[];
}

const CORRECT_AND_CALL_AGAIN = "Correct what `details` lists and call again.";
const SAY_SO = "Tell the user; do not make up a result.";

const ABOVE_LIMIT =
  "Do not call again: it would be refused each time. Tell the user to ask the operator of this gateway.";

const MAY_BE_DONE =
  "The upstream may have done it all the same: find out, or ask the user, before you call again.";

const rejectionHints: { [Kind in RejectionKind]: string } = {
  unauthenticated:
    "The upstream does not accept the gateway's credential; the operator of this gateway sees to it.",
  not_found: `What was asked for does not exist there. Check the arguments. ${SAY_SO}`,
  invalid: "Correct the arguments as the upstream says and call again.",
};

const rules: { [Code in FailureCode]: FailureRule<Code> } = {
  INVALID_ARGUMENTS: {
    status: 400,
    retryable: false,
    sentence: ({ function: name, faults, unlisted }) => {
      const count = faults.length + unlisted;
      const said = [...faults.map(faultToText), ...(unlisted === 0 ? [] : [`and ${unlisted} more`])];
      return `${count === 1 ? "An argument" : `${count} arguments`} of ${name} did not fit: ${said.join("; ")}.`;
    },
    hint: () => CORRECT_AND_CALL_AGAIN,
    details: ({ faults }) => faults.map(faultToJson),
  },
  INVALID_REQUEST: {
    status: 400,
    retryable: false,
    sentence: ({ message }) => message,
    hint: () => "Correct the request; GET /openapi.json describes it.",
    details: ({ faults }) => faults.map(faultToJson),
  },
  UNAUTHENTICATED: {
    status: 401,
    retryable: false,
    sentence: ({ message }) => message,
    hint: () => "Send `Authorization: Bearer <key>`.",
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    sentence: ({ message }) => message,
    hint: () => "Ask the operator of this gateway.",
  },
  UNKNOWN_ROUTE: {
    status: 404,
    retryable: false,
    sentence: ({ method, path }) => `There is no ${method} ${path}.`,
    hint: () => "GET /openapi.json lists what there is.",
  },
  UNKNOWN_SKILL: {
    status: 404,
    retryable: false,
    sentence: ({ skill }) => `There is no skill named ${skill}.`,
    hint: ({ known }) => useOneOf(known, "skills"),
    details: ({ known }) => known,
  },
  UNKNOWN_FUNCTION: {
    status: 404,
    retryable: false,
    sentence: ({ function: name }) => `There is no function named ${name}.`,
    hint: ({ known }) => useOneOf(known, "functions"),
    details: ({ known }) => known,
  },
  UNKNOWN_KEY: {
    status: 404,
    retryable: false,
    sentence: ({ key }) => `There is no key with the id ${key}.`,
    hint: () => "GET /v1/keys lists the keys that there are.",
    details: ({ known }) => known,
  },
  UNKNOWN_SECRET: {
    status: 404,
    retryable: false,
    sentence: ({ secret }) => `There is no secret named ${secret}.`,
    hint: () => "GET /v1/secrets lists the secrets that there are.",
    details: ({ known }) => known,
  },
  UNKNOWN_SECTION: {
    status: 404,
    retryable: false,
    sentence: ({ skill, section }) => `There is no section ${JSON.stringify(section)} in the skill ${skill}.`,
    hint: ({ known, unlisted }) => {
      if (known.length === 0) return "This skill has no sections: read it without `section`, page by page.";
      const others = unlisted === 0 ? "" : `, or of the ${unlisted} other sections of the outline`;
      return `Use one of the names in \`details\`${others}.`;
    },
    details: ({ known }) => known,
  },
  AMBIGUOUS_SECTION: {
    status: 409,
    retryable: false,
    sentence: ({ skill, section, paths }) =>
      `${paths.length} sections of the skill ${skill} are named ${JSON.stringify(section)}.`,
    hint: () => "Use one of the paths in `details`.",
    details: ({ paths }) => paths,
  },
  UNKNOWN_FILE: {
    status: 404,
    retryable: false,
    sentence: ({ skill, path }) => `The skill ${skill} has no file ${path}.`,
    hint: ({ known }) => useOneOf(known, "files"),
    details: ({ known }) => known,
  },
  UNKNOWN_VERSION: {
    status: 404,
    retryable: false,
    sentence: ({ skill, version }) => `There is no version ${version} of your skill ${skill}.`,
    hint: ({ known }) => useOneOf(known.map(String), "versions"),
    details: ({ known }) => known,
  },
  VERSION_CONFLICT: {
    status: 412,
    retryable: false,
    sentence: ({ skill, current }) =>
      current === null
        ? `There is no skill ${skill}, so nothing was changed.`
        : `The skill ${skill} is not as the request supposes, so nothing was changed.`,
    hint: () => "Read the skill again and make the change anew, with the ETag that it has now.",
    details: ({ current }) => (current === null ? [] : [current]),
  },
  MERGE_CONFLICT: {
    status: 409,
    retryable: false,
    sentence: ({ skill, conflicts }) =>
      `Your ${skill} and the bundled one changed the same lines in ${conflicts.length === 1 ? "one place" : `${conflicts.length} places`}.`,
    hint: () => "Put the document with both changes in it, with rebased=1.",
    details: ({ conflicts }) => conflicts,
  },
  OVERRIDE_FORBIDDEN: {
    status: 403,
    retryable: false,
    sentence: ({ message }) => message,
    hint: () => "Put a skill under a name of its own, or ask the operator of this gateway.",
    details: ({ details }) => details,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    sentence: ({ what, limitBytes }) => `${what} is larger than the ${limitBytes} bytes allowed.`,
    hint: ({ instead }) => instead ?? "Send less.",
  },
  INVALID_SKILL: {
    status: 422,
    retryable: false,
    sentence: ({ skill, diagnostics }) =>
      `The skill ${skill} was not stored: it has ${diagnostics.length === 1 ? "a fault" : `${diagnostics.length} faults`}.`,
    hint: () => CORRECT_AND_CALL_AGAIN,
    details: ({ diagnostics }) => diagnostics,
  },
  NOT_COVERED: {
    status: 422,
    retryable: false,
    sentence: ({ message }) => message,
    hint: () => `This data does not exist. ${SAY_SO}`,
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    isFinal: ({ retryAfterMs }) => retryAfterMs === null,
    sentence: ({ bucket, max, window, retryAfterMs }) =>
      retryAfterMs === null
        ? `One such call costs more than the limit of ${max} a ${window} for ${bucket} ever allows.`
        : `The limit of ${max} a ${window} for ${bucket} is used up.`,
    hint: ({ retryAfterMs }) =>
      retryAfterMs === null ? ABOVE_LIMIT : `Call again ${afterWait(retryAfterMs)}.`,
  },
  DAILY_QUOTA_EXCEEDED: {
    status: 429,
    retryable: false,
    sentence: ({ bucket, max, timeZone, resetsAt }) =>
      resetsAt === null
        ? `One such call costs more than the quota of ${max} a day for ${bucket} ever allows.`
        : `Today's quota of ${max} for ${bucket} is used up; the next day begins at ${localTime(resetsAt, timeZone)}.`,
    hint: ({ resetsAt }) => (resetsAt === null ? ABOVE_LIMIT : SAY_SO),
  },
  CHAIN_REFUSED: {
    status: 422,
    retryable: false,
    sentence: ({ function: name, reason }) => `The call of ${name} was ended: ${reason}.`,
    hint: () => "Ask for less at once; where that is not it, the skill is at fault.",
  },
  TOO_MANY_CALLS: {
    status: 429,
    retryable: true,
    sentence: ({ function: name, max }) =>
      `${name} was not called: of the calls of one message at most ${max} are made, and this one is beyond them.`,
    hint: ({ max }) => `Call again in your next message, at most ${max} together.`,
  },
  UPSTREAM_REJECTED: {
    status: 502,
    retryable: false,
    sentence: ({ upstream }) => `The upstream refused the call${said(upstream)}`,
    hint: ({ kind }) => (kind === null ? SAY_SO : rejectionHints[kind]),
  },
  UPSTREAM_UNPARSABLE: {
    status: 502,
    retryable: false,
    sentence: ({ reason }) => `The upstream's reply could not be read: ${reason}.`,
    hint: () => SAY_SO,
  },
  UPSTREAM_TOO_LARGE: {
    status: 502,
    retryable: false,
    sentence: ({ limitBytes }) => `The upstream's reply is larger than the ${limitBytes} bytes allowed.`,
    hint: () => "Ask for less: fewer items, a shorter period, fewer fields.",
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    retryable: true,
    sentence: ({ upstream }) => `The upstream is not available${said(upstream)}`,
    hint: ({ retryAfterMs }) => `Call again ${afterWait(retryAfterMs)}. ${SAY_SO}`,
  },
  UPSTREAM_RATE_LIMITED: {
    status: 503,
    retryable: true,
    sentence: ({ upstream }) => `The upstream takes no more requests for now${said(upstream)}`,
    hint: ({ retryAfterMs }) => `Call again ${afterWait(retryAfterMs)}.`,
  },
  UPSTREAM_QUOTA_EXHAUSTED: {
    status: 503,
    retryable: false,
    sentence: ({ upstream }) => `The quota at the upstream is used up${said(upstream)}`,
    hint: () => SAY_SO,
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    retryable: true,
    sentence: ({ timeoutMs }) => `The upstream did not answer within ${timeoutMs} ms.`,
    hint: () => `Call again later. ${SAY_SO}`,
  },
  TOKEN_REFUSED: {
    status: 502,
    retryable: false,
    sentence: ({ host, upstream }) => `${host} gave no access token for the upstream${said(upstream)}`,
    hint: ({ variable }) => `The operator checks the client and its secret ${variable}. ${SAY_SO}`,
  },
  TOKEN_UNAVAILABLE: {
    status: 503,
    retryable: true,
    sentence: ({ host, upstream }) =>
      `${host}, which gives access tokens for the upstream, is not available${said(upstream)}`,
    hint: ({ retryAfterMs }) => `Call again ${afterWait(retryAfterMs)}.`,
  },
  EGRESS_DENIED: {
    status: 403,
    retryable: false,
    sentence: ({ host, reason }) => `No request goes to ${host}: ${reason}.`,
    hint: () => "Ask the operator of this gateway.",
  },
  SECRET_NOT_SET: {
    status: 500,
    retryable: false,
    sentence: ({ variables }) => {
      const [noun, verb] = variables.length === 1 ? ["secret", "is"] : ["secrets", "are"];
      return `The ${noun} ${variables.join(" and ")}, which this function needs, ${verb} not set.`;
    },
    hint: ({ variables }) => {
      const commands = variables.map((variable) => `wrangler secret put ${variable}`);
      return `The operator sets ${variables.length === 1 ? "it" : "them"}: ${commands.join("; ")}`;
    },
  },
  SECRET_UNUSABLE: {
    status: 500,
    retryable: false,
    sentence: ({ variable, reason }) => `No credential can be made of the secret ${variable}: ${reason}.`,
    hint: ({ variable }) =>
      `Set it anew: the operator's by wrangler secret put ${variable}, a tenant's own by PUT /v1/secrets/${variable}`,
  },
  EXPRESSION_FAILED: {
    status: 422,
    retryable: false,
    sentence: ({ where, reason }) => `The expression ${where} could not be computed: ${reason}.`,
    hint: () => "Check the arguments; where they are right, the skill is at fault.",
  },
  RESULT_GONE: {
    status: 410,
    retryable: true,
    sentence: ({ function: name }) => `This result of ${name} is no longer held, so it has no further pages.`,
    hint: ({ function: name }) => `Call ${name} again without result and offset: its pages begin anew.`,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    sentence: ({ operation }) => `The store could not ${operation}.`,
    hint: () => "Call again later.",
  },
  INTERNAL: {
    status: 500,
    retryable: true,
    sentence: () => "Something went wrong inside the gateway.",
    hint: () => "Call once more; if it fails again, give the operator the request_id.",
  },
};

/** A failure in the one form that callers see. */
interface WireFailure {
  error: string;
  error_code: FailureCode;
  retryable: boolean;
  retry_after_ms: number | null;
  hint: string;
  request_id: string;
  /** Whether it was kept from an earlier call, and how long ago that was. */
  cached: boolean;
  age_ms: number;
  /** The step of a chain that failed, or null. */
  step: string | null;
  details: JsonValue[];
  upstream: UpstreamAnswer | null;
}

/** The HTTP status of a failure. */
export function statusOf(failure: Failure): number {
  return rules[failure.code].status;
}

/** Whether the same call, unchanged, may succeed later. */
export function isRetryable<Code extends FailureCode>(failure: FailureOf<Code>): boolean {
  const { retryable, isFinal } = ruleFor<Code>(failure);
  return retryable && isFinal?.(failure) !== true;
}

/** Milliseconds until a retry makes sense, or null where the failure does not know. */
export function retryAfterMs(failure: Failure): number | null {
  return "retryAfterMs" in failure ? failure.retryAfterMs : null;
}

/** Writes a failure in the one form. */
export function toWire<Code extends FailureCode>(failure: FailureOf<Code>, requestId: string): WireFailure {
  const rule = ruleFor<Code>(failure);
  const { step = null, ageMs } = failure;
  return {
    error: step === null ? rule.sentence(failure) : `In the step ${step}: ${rule.sentence(failure)}`,
    error_code: failure.code,
    retryable: isRetryable<Code>(failure),
    retry_after_ms: retryAfterMs(failure),
    hint: failure.mayBeDone === true ? MAY_BE_DONE : rule.hint(failure),
    request_id: requestId,
    cached: ageMs !== undefined,
    age_ms: ageMs ?? 0,
    step,
    details: rule.details?.(failure) ?? [],
    upstream: upstreamOf(failure),
  };
}

/** The type checker can't see that a failure of some code has that very code, which the cast says. */
function ruleFor<Code extends FailureCode>(failure: FailureOf<Code>): FailureRule<Code> {
  return rules[failure.code as Code];
}

function upstreamOf(failure: Failure): UpstreamAnswer | null {
  return "upstream" in failure ? { ...failure.upstream } : null;
}

/** Every failure code with its status and whether it may be retried as a rule; for documentation and its tests. */
export function failureTable(): { code: FailureCode; status: number; retryable: boolean }[] {
  return (Object.keys(rules) as FailureCode[]).map((code) => ({
    code,
    status: rules[code].status,
    retryable: rules[code].retryable,
  }));
}

function faultToJson({ path, rule, expected, got }: ArgumentFault): JsonValue {
  return { path, rule, expected, got };
}

function faultToText({ path, expected, got }: ArgumentFault): string {
  return `${path === "" ? "the arguments" : path}: expected ${expected}, got ${got}`;
}

function useOneOf(known: readonly string[], what: string): string {
  return known.length === 0
    ? `There are no ${what} to choose from. ${SAY_SO}`
    : "Use one of the names in `details`.";
}

function afterWait(milliseconds: number | null): string {
  if (milliseconds === null) return "later";
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds === 0) return "at once";
  return seconds === 1 ? "after 1 second" : `after ${seconds} seconds`;
}

/** A moment as it is told where it matters: `2026-11-02 00:00 (America/New_York)`. */
function localTime(moment: number, timeZone: string): string {
  const clock = wallClock(new Date(moment), timeZone) ?? new Date(moment);
  return `${clock.toISOString().slice(0, 16).replace("T", " ")} (${timeZone})`;
}

function said({ status, code, message }: UpstreamAnswer): string {
  const parts = [
    status === null ? null : `status ${status}`,
    code === null ? null : `code ${code}`,
    message === null ? null : JSON.stringify(message),
  ].filter((part) => part !== null);
  return parts.length === 0 ? "." : `: ${parts.join(", ")}.`;
}
