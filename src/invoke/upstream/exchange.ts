import { type Failure, failed, type Result, retryAfterMs, success } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { CALL_DEADLINE_MS, MAX_REDIRECTS } from "../../limits.ts";
import type { InvokeDependencies } from "../call.ts";
import { joinCredentials, obtainCredentials, renewCredentials } from "../credential/credentials.ts";
import type { CredentialDependencies } from "../credential/methods.ts";
import type { ReadyCall } from "../decide.ts";
import { type Admission, admissionOf, countedOf } from "../limits/admission.ts";
import { type Place, upstreamPlace, variablesOf } from "../limits/call-limits.ts";
import type { RequestPlan } from "../plan/request-plan.ts";
import type { Run } from "../run.ts";
import { evidenceOf, type Passed } from "./circuits.ts";
import { closedFailure, closingOf, documentPlace } from "./closing.ts";
import { checkEgress } from "./guard.ts";
import type { Credential, UpstreamReply, UpstreamRequest } from "./request.ts";
import { nextDelay } from "./retry.ts";
import { callerGone, send } from "./send.ts";
import { shapeReply } from "./shape.ts";

/** A good reply, and what the skill makes of it. */
export interface Answer {
  data: JsonValue;
  reply: UpstreamReply;
}

/** What one call says to its upstream: all its requests share the credentials, the limits and the deadline. */
export class Exchange {
  /** Requests that were sent, those that redirects asked for included. */
  attempts = 0;
  readonly #ready: ReadyCall<RequestPlan>;
  readonly #run: Run;
  readonly #dependencies: InvokeDependencies;
  readonly #admission: Admission;
  readonly #place: Place;
  /** The upstream's own: where a redirect leads is another's. */
  readonly #origin: string;
  /** The places that keep the requests out while they are closed. */
  readonly #closable: readonly Place[];
  /** In the order of the skill's; null before they are come by. */
  #credentials: readonly Credential[] | null = null;
  #wasRenewed = false;

  constructor(ready: ReadyCall<RequestPlan>, run: Run, dependencies: InvokeDependencies) {
    this.#ready = ready;
    this.#run = run;
    this.#dependencies = dependencies;
    this.#admission = admissionOf(ready, run, dependencies);
    const { url } = ready.plan.request;
    const counted = countedOf(ready, dependencies);
    const variables = variablesOf(counted.skill);
    const placeOf = (users: readonly string[]) => upstreamPlace(url, users, counted);
    this.#place = placeOf(variables);
    this.#origin = URL.parse(url)?.origin ?? "";
    // A secret of several that has been refused alone will not do for them together.
    const ofEach = variables.length > 1 ? variables.map((variable) => placeOf([variable])) : [];
    this.#closable = [this.#place, documentPlace(this.#place, ready.digest), ...ofEach];
  }

  /**
   * Sends a request until its answer is good, or until trying once more makes no sense: the failure is then the last
   * one that the upstream gave, or the refusal of the first attempt.
   */
  async answer(request: UpstreamRequest): Promise<Result<Answer>> {
    const egress = checkEgress(request.url, this.#dependencies.egress);
    if (!egress.ok) return egress;
    const circuit = JSON.stringify([this.#run.tenant, this.#ready.digest, egress.value.host]);
    let last: Result<Answer> | null = null;
    for (let retries = 0; ; ) {
      const passed = this.#pass(circuit);
      // Where there is no room for another request, what the upstream said last is the answer.
      if (!passed.ok) return last ?? passed;
      const admitted = await this.#admit(request, passed.value);
      if (!admitted.ok) return last ?? admitted;
      const answer = await this.#attempt(request, passed.value);
      if (answer.ok) return answer;
      last = answer;
      const renewal = await this.#renewal(request, answer.failure);
      if (!renewal.ok) return renewal;
      if (renewal.value) continue;
      if (!(await this.#pause(answer.failure, retries))) return answer;
      retries += 1;
    }
  }

  /** Whether another request may be made at all, at this time and to this host. */
  #pass(circuit: string): Result<Passed> {
    if (hasGone(this.#run.signal)) return failed(callerGone());
    if (this.#dependencies.now() >= this.#run.deadline)
      return failed({ code: "UPSTREAM_TIMEOUT", timeoutMs: CALL_DEADLINE_MS });
    const closedMs = this.#closedFor();
    return closedMs > 0 ? failed(closedFailure(closedMs)) : this.#dependencies.circuits.pass(circuit);
  }

  /** How long the upstream has asked to be left alone, by a reply to whomever or to this document's calls. */
  #closedFor(): number {
    const { closures } = this.#dependencies;
    return Math.max(...this.#closable.map(({ bucket }) => closures.closedFor(bucket)));
  }

  /**
   * Comes by the credentials that go with the request and counts it. A limit is asked last: what is not sent anyway is
   * not to be counted.
   */
  async #admit(request: UpstreamRequest, passed: Passed): Promise<Result<null>> {
    const obtained = await this.#obtained(request);
    const admission = obtained.ok ? await this.#count() : obtained;
    if (!admission.ok) passed.report("none");
    return admission;
  }

  /** Counts one request, be it an attempt's first or one that a redirect asks for. */
  async #count(): Promise<Result<null>> {
    const taken = this.#takeRequest();
    return taken.ok ? this.#admission.admit() : taken;
  }

  /** Comes by the credentials, once for all requests. */
  async #obtained({ url }: UpstreamRequest): Promise<Result<null>> {
    if (this.#credentials !== null) return success(null);
    const { authentication } = this.#ready.plan;
    const credentials = await obtainCredentials(authentication, url, this.#credentialDependencies());
    if (!credentials.ok) return credentials;
    this.#credentials = credentials.value;
    return success(null);
  }

  #credentialDependencies(): CredentialDependencies {
    const { budget, deadline } = this.#run;
    return { ...this.#dependencies, deadline, countRequest: () => budget.countRequest() };
  }

  #takeRequest(): Result<null> {
    const reason = this.#run.budget.takeRequest();
    if (reason === null) return success(null);
    const { name } = this.#ready.prepared.definition;
    return failed({ code: "CHAIN_REFUSED", function: this.#run.path[0] ?? name, reason });
  }

  async #attempt(request: UpstreamRequest, passed: Passed): Promise<Result<Answer>> {
    const { fetch, egress, now } = this.#dependencies;
    const { deadline, signal } = this.#run;
    const timeoutMs = Math.max(1, Math.min(request.timeoutMs, deadline - now()));
    const sentBefore = this.attempts;
    const reply = await send({ ...request, timeoutMs }, joinCredentials(this.#credentials ?? []), {
      fetch: (input, init) => {
        this.#noteSent();
        return fetch(input, init);
      },
      egress,
      signal,
      maxRedirects: MAX_REDIRECTS,
      admitRedirect: () => this.#count(),
    });
    // A request that the sender itself refused, because no runtime would send it, costs no quota either.
    const isSent = this.attempts > sentBefore;
    if (!isSent) this.#admission.release();
    const answer = reply.ok ? this.#read(reply.value) : reply;
    if (!answer.ok) this.#close(answer.failure, reply.ok ? reply.value : null);
    // An attempt that was ended by the caller, or had less than its time, says nothing of the upstream.
    const isTelling = isSent && !hasGone(signal) && timeoutMs === request.timeoutMs;
    passed.report(answer.ok || isTelling ? evidenceOf(answer.ok ? null : answer.failure) : "none");
    return answer.ok || !isSent ? answer : failed(this.#judged(answer.failure));
  }

  /** A failure that tells where the request may have been carried out although nobody knows what came of it. */
  #judged(failure: Failure): Failure {
    const isUnfinished = failure.code === "UPSTREAM_UNAVAILABLE" || failure.code === "UPSTREAM_TIMEOUT";
    return isUnfinished && !this.#ready.plan.repeatable ? { ...failure, mayBeDone: true } : failure;
  }

  #noteSent(): void {
    this.attempts += 1;
    this.#run.traffic.sent += 1;
  }

  /** Where the upstream has said how long it is to be left alone, that holds for the requests of others too. */
  #close(failure: Failure, reply: UpstreamReply | null): void {
    const { closures, now } = this.#dependencies;
    const closing = closingOf(failure, reply, this.#origin, this.#place, this.#ready.digest, now());
    if (closing !== null) closures.close(closing.place, closing.milliseconds);
  }

  #read(reply: UpstreamReply): Result<Answer> {
    const { plan, prepared, values } = this.#ready;
    const data = shapeReply(prepared, plan.response, reply, values, this.#dependencies.now());
    if (!data.ok) return data;
    this.#run.budget.takeBytes(reply.bytes);
    return success({ data: data.value, reply });
  }

  /**
   * Whether a refused credential has been renewed, which happens once: a call that was refused for its credential was
   * not made, so that even one that must not be repeated may follow.
   */
  async #renewal({ url }: UpstreamRequest, failure: Failure): Promise<Result<boolean>> {
    const isRefused = failure.code === "UPSTREAM_REJECTED" && failure.kind === "unauthenticated";
    if (!isRefused || this.#wasRenewed || this.#credentials === null) return success(false);
    this.#wasRenewed = true;
    const { authentication } = this.#ready.plan;
    const renewed = await renewCredentials(
      authentication,
      url,
      this.#credentials,
      this.#credentialDependencies(),
    );
    if (renewed === null) return success(false);
    if (!renewed.ok) return renewed;
    this.#credentials = renewed.value;
    return success(true);
  }

  /** Waits before another attempt; false where there is to be none. */
  async #pause(failure: Failure, attempt: number): Promise<boolean> {
    const { now, random, sleep } = this.#dependencies;
    const { deadline, signal } = this.#run;
    const failedAttempt = {
      failure,
      attempt,
      repeatable: this.#ready.plan.repeatable,
      retryAfterMs: retryAfterMs(failure),
      timeLeftMs: deadline - now(),
    };
    const { errorHandling } = this.#ready.prepared.skill.constraints;
    const delay = nextDelay(errorHandling, failedAttempt, random);
    if (delay === null || hasGone(signal)) return false;
    await sleep(delay, signal);
    // A pause may end late, or with the caller gone; another attempt would only spend a request.
    return !hasGone(signal) && now() < deadline;
  }
}

/** Whether the caller has gone. */
function hasGone(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}
