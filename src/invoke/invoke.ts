import { failed, type Result, retryAfterMs, success } from "../errors.ts";
import type { Authentication, FunctionDefinition, RateLimit, Skill } from "../ir.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { CALL_DEADLINE_MS } from "../limits.ts";
import { prepareArguments } from "./arguments.ts";
import { checkCoverage } from "./coverage.ts";
import { checkEgress, type EgressPolicy } from "./guard.ts";
import { type BaseUrlLookup, type Plan, plan } from "./plan.ts";
import { callValues, type PreparedFunction, prepare } from "./prepared.ts";
import { type Credential, NO_CREDENTIAL } from "./request.ts";
import { nextDelay } from "./retry.ts";
import { send } from "./send.ts";
import { shapeReply } from "./shape.ts";

/** A limit that a call counts against; who shares it is told by `bucket`, how to name it by `label`. */
export interface CallLimit extends RateLimit {
  bucket: string;
  label: string;
}

/** What the runtime needs of a limiter: all limits of a call are admitted together, or none. */
export interface CallLimiter {
  admit(
    limits: readonly CallLimit[],
    cost: number,
  ): Promise<{ admitted: true } | { admitted: false; refusedBy: CallLimit; retryAfterMs: number | null }>;
  /** Gives back what an admitted call spent: the same limits and cost, once. */
  release(limits: readonly CallLimit[], cost: number): void;
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
  baseUrlOf: BaseUrlLookup;
  /** The value of a secret for a request to this URL; fails where it is not set or not for this host. */
  secretFor(variable: string, url: string): Result<string>;
  /** The limits that the operator's own skills put on a secret at a URL's host; they hold for whoever uses it. */
  limitsOfSecret(variable: string, url: string): readonly RateLimit[];
  /** The operator's SKILL_* variables. */
  vars: JsonObject;
}

/** One call of one function. */
export interface Call {
  /** Also the request id. */
  id: string;
  skill: Skill;
  definition: FunctionDefinition;
  arguments: JsonValue;
  /** Fires when the caller goes away. */
  signal: AbortSignal | null;
}

/** What came of a call. */
export interface Outcome {
  data: JsonValue;
  /** Requests that were sent to the upstream; 0 for a computation. */
  attempts: number;
}

/** A call that passed every check which needs no I/O. */
interface ReadyCall {
  prepared: PreparedFunction;
  values: ReadonlyMap<string, JsonValue>;
  plan: Plan;
}

/** Arguments, coverage, plan: all that is decided before anything is counted or sent. */
function decide(call: Call, dependencies: InvokeDependencies): Result<ReadyCall> {
  const prepared = prepare(call.skill, call.definition);
  const args = prepareArguments(prepared, call.arguments);
  if (!args.ok) return args;
  const { id, skill, definition } = call;
  const scope = { id, time: dependencies.now(), skill: skill.name, function: definition.name };
  const values = callValues(args.value, { call: scope, vars: dependencies.vars });
  const coverage = checkCoverage(prepared, values);
  if (!coverage.ok) return coverage;
  const planned = plan(prepared, args.value, values, dependencies.baseUrlOf);
  return planned.ok ? success({ prepared, values, plan: planned.value }) : planned;
}

/** Runs a call to its end: checks, plan, limits, credential, requests with retries, result. */
export async function invoke(call: Call, dependencies: InvokeDependencies): Promise<Result<Outcome>> {
  const ready = decide(call, dependencies);
  if (!ready.ok) return ready;
  const credential = authorise(ready.value.plan, dependencies);
  if (!credential.ok) return credential;
  const admitOnce = admissionOf(ready.value, dependencies);
  const admission = await admitOnce.admit();
  if (!admission.ok) return admission;
  const { plan: decided } = ready.value;
  if (decided.kind === "answer") return success({ data: decided.value, attempts: 0 });
  const watched = watchedFetch(dependencies.fetch);
  const sending = { ...dependencies, fetch: watched.fetch };
  const again = admitOnce.admit;
  const outcome = await sendWithRetries(ready.value, decided, credential.value, call.signal, sending, again);
  // A call that the sender itself refused, because no runtime would send it, costs no quota either.
  if (!watched.isCalled()) admitOnce.release();
  return outcome;
}

/** A `fetch` that knows whether it was called, and so whether anything of a call was sent. */
function watchedFetch(fetch: InvokeDependencies["fetch"]) {
  let called = false;
  const watched: InvokeDependencies["fetch"] = (input, init) => {
    called = true;
    return fetch(input, init);
  };
  return { fetch: watched, isCalled: () => called };
}

/** What a live call would send, with secrets shown by name only; nothing is counted or sent. */
export function dryRun(call: Call, dependencies: InvokeDependencies): Result<JsonObject> {
  const ready = decide(call, dependencies);
  if (!ready.ok) return ready;
  const { plan: decided } = ready.value;
  if (decided.kind === "answer") return success({ kind: "compute", data: decided.value });
  const { request, authentication, repeatable } = decided;
  const masked = credentialOf(authentication, (variable) => `[secret ${variable}]`);
  return success({
    kind: "request",
    method: request.method,
    url: request.url,
    headers: [...request.headers, ...masked.headers].map(([name, value]) => [name, value]),
    query_added: masked.query.map(([name, value]) => [name, value]),
    body: request.body,
    timeout_ms: request.timeoutMs,
    repeatable,
  });
}

/** Checks where the request goes and fetches the secret that goes with it. */
function authorise(decided: Plan, dependencies: InvokeDependencies): Result<Credential> {
  if (decided.kind === "answer") return success(NO_CREDENTIAL);
  const { request, authentication } = decided;
  const egress = checkEgress(request.url, dependencies.egress);
  if (!egress.ok) return egress;
  if (authentication.method === "none") return success(NO_CREDENTIAL);
  const secret = dependencies.secretFor(authentication.variable, request.url);
  return secret.ok ? success(credentialOf(authentication, () => secret.value)) : secret;
}

function credentialOf(authentication: Authentication, secretOf: (variable: string) => string): Credential {
  switch (authentication.method) {
    case "none":
      return NO_CREDENTIAL;
    case "bearer": {
      const secret = secretOf(authentication.variable);
      return { headers: [["authorization", `Bearer ${secret}`]], query: [], secrets: [secret] };
    }
    case "api_key": {
      const secret = secretOf(authentication.variable);
      const field = [authentication.name, secret] as const;
      return authentication.in === "header"
        ? { headers: [field], query: [], secrets: [secret] }
        : { headers: [], query: [field], secrets: [secret] };
    }
  }
}

/**
 * The limits on a call: those of the credential at its upstream (the operator's too, whichever skill uses it), and
 * the function's own.
 */
function limitsOf({ prepared, plan: decided }: ReadyCall, dependencies: InvokeDependencies): CallLimit[] {
  const { skill, definition } = prepared;
  const { globalLimits, functionLimits } = skill.constraints;
  const own = functionLimits.find((entry) => entry.function === definition.name)?.limits ?? [];
  const name = `${skill.name}/${definition.name}`;
  const ofFunction = own.map((limit) => ({
    ...limit,
    bucket: `function:${name}`,
    label: `the function ${definition.name}`,
  }));
  if (decided.kind === "answer") return ofFunction;
  const { authentication, request } = decided;
  const variable = authentication.method === "none" ? null : authentication.variable;
  const bucket = `upstream:${new URL(request.url).host}:${variable ?? "none"}`;
  const label = `the upstream of ${skill.name}`;
  const ofCredential = variable === null ? [] : dependencies.limitsOfSecret(variable, request.url);
  const shared = new Map(
    [...globalLimits, ...ofCredential].map((limit) => [`${limit.max} ${limit.window}`, limit]),
  );
  return [...[...shared.values()].map((limit) => ({ ...limit, bucket, label })), ...ofFunction];
}

function carriesSecret(decided: Plan): boolean {
  return decided.kind === "request" && decided.authentication.method !== "none";
}

/** How the requests of a call are counted: each attempt is one for the upstream, so each is admitted. */
interface Admission {
  admit(): Promise<Result<null>>;
  /** Gives the last one back. */
  release(): void;
}

function admissionOf(ready: ReadyCall, dependencies: InvokeDependencies): Admission {
  const { cost: declared } = ready.prepared.definition;
  // A request that carries a secret is one for the upstream, whatever the skill says that it costs.
  const cost = carriesSecret(ready.plan) ? Math.max(1, declared) : declared;
  const limits = cost === 0 ? [] : limitsOf(ready, dependencies);
  return {
    admit: () => admit(limits, cost, dependencies),
    release: () => dependencies.limiter.release(limits, cost),
  };
}

async function admit(
  limits: readonly CallLimit[],
  cost: number,
  { limiter }: InvokeDependencies,
): Promise<Result<null>> {
  if (limits.length === 0) return success(null);
  const decision = await limiter.admit(limits, cost);
  if (decision.admitted) return success(null);
  const { refusedBy, retryAfterMs } = decision;
  const { label, max, window } = refusedBy;
  return window === "day"
    ? failed({ code: "DAILY_QUOTA_EXCEEDED", bucket: label, max, retryAfterMs })
    : failed({ code: "RATE_LIMIT_EXCEEDED", bucket: label, max, window, retryAfterMs });
}

type RequestPlan = Extract<Plan, { kind: "request" }>;

async function sendWithRetries(
  { prepared, values }: ReadyCall,
  { request, response, repeatable }: RequestPlan,
  credential: Credential,
  signal: AbortSignal | null,
  dependencies: InvokeDependencies,
  admitAgain: () => Promise<Result<null>>,
): Promise<Result<Outcome>> {
  const deadline = dependencies.now() + CALL_DEADLINE_MS;
  for (let attempt = 0; ; attempt++) {
    const timeoutMs = Math.max(1, Math.min(request.timeoutMs, deadline - dependencies.now()));
    const { fetch, egress } = dependencies;
    const reply = await send({ ...request, timeoutMs }, credential, { fetch, egress, signal });
    const shaped = reply.ok ? shapeReply(prepared, response, reply.value, values, dependencies.now()) : reply;
    if (shaped.ok) return success({ data: shaped.value, attempts: attempt + 1 });
    const timeLeftMs = deadline - dependencies.now();
    const failedAttempt = {
      failure: shaped.failure,
      attempt,
      repeatable,
      retryAfterMs: retryAfterMs(shaped.failure),
      timeLeftMs,
    };
    const delay = nextDelay(prepared.skill.constraints.errorHandling, failedAttempt, dependencies.random);
    if (delay === null || hasGone(signal)) return shaped;
    await dependencies.sleep(delay, signal);
    // A pause may end late, or with the caller gone; another attempt would only spend a request.
    if (hasGone(signal) || dependencies.now() >= deadline) return shaped;
    // Where the limit has no room for another request, what the upstream said last is the answer.
    if (!(await admitAgain()).ok) return shaped;
  }
}

/** Whether the caller has gone. */
function hasGone(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}
