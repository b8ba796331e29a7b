import { type Failure, failed, type Result, success } from "../../errors.ts";
import { dayAround } from "../../time-zone.ts";
import { timeZoneOf } from "../../vocabulary.ts";
import type { CallLimit, CallRefusal, InvokeDependencies } from "../call.ts";
import type { CheckedCall, ReadyCall } from "../decide.ts";
import type { Run } from "../run.ts";
import { closedFailure } from "../upstream/closing.ts";
import { type Counted, limitsOf, variablesOf } from "./call-limits.ts";

/** What of a run admissions take part in. */
type CountedRun = Pick<Run, "caller" | "limits" | "patience">;

/**
 * How a call is counted. Each request to an upstream is one for it, so each is admitted by itself; the first of them
 * counts against what the caller may spend, too.
 */
export class Admission {
  readonly #own: readonly CallLimit[];
  readonly #cost: number;
  readonly #run: CountedRun;
  readonly #dependencies: InvokeDependencies;
  readonly #waits: boolean;
  #last: { limits: readonly CallLimit[]; countedCaller: boolean } = { limits: [], countedCaller: false };

  /**
   * @param own the limits besides those of the caller
   * @param waits whether it is worth the caller's time to ask what other isolates have counted
   */
  constructor(
    { own, cost, waits }: { own: readonly CallLimit[]; cost: number; waits: boolean },
    run: CountedRun,
    dependencies: InvokeDependencies,
  ) {
    this.#own = own;
    this.#cost = cost;
    this.#waits = waits;
    this.#run = run;
    this.#dependencies = dependencies;
  }

  async admit(): Promise<Result<null>> {
    const { caller, limits: report } = this.#run;
    const { due } = caller;
    const limits = [...due, ...this.#own];
    this.#last = { limits: [], countedCaller: false };
    if (limits.length === 0) return success(null);
    const mayWait = this.#waits && this.#run.patience.take();
    const decision = await this.#dependencies.limiter.admit(limits, this.#cost, mayWait);
    report.note(decision.states);
    if (!decision.admitted) return failed(refusalFailure(decision, Math.floor(this.#dependencies.now())));
    this.#last = { limits, countedCaller: due.length > 0 };
    caller.isCounted = true;
    return success(null);
  }

  /** Gives the last one back. */
  release(): void {
    const { limits, countedCaller } = this.#last;
    if (limits.length === 0) return;
    this.#last = { limits: [], countedCaller: false };
    this.#dependencies.limiter.release(limits, this.#cost);
    this.#run.limits.noteGivenBack(limits, this.#cost);
    if (countedCaller) this.#run.caller.isCounted = false;
  }
}

/** How a call is counted: at its function's cost, by all limits that hold for it. */
export function admissionOf(ready: ReadyCall, run: CountedRun, dependencies: InvokeDependencies): Admission {
  const { definition } = ready.prepared;
  const { plan } = ready;
  // A request that carries a secret is one for the upstream, whatever the skill says that it costs.
  const carriesSecret = plan.kind === "request" && plan.authentication.length > 0;
  const isFree = definition.cost === 0 && !carriesSecret;
  const url = plan.kind === "request" ? plan.request.url : null;
  const counted = countedOf(ready, dependencies);
  const own = isFree ? [] : limitsOf(counted, definition, url);
  return new Admission({ own, cost: costOf(ready, dependencies), waits: true }, run, dependencies);
}

/** Whose calls a call is counted with. */
export function countedOf(
  { prepared: { skill }, uploaded }: CheckedCall,
  { secrets }: Pick<InvokeDependencies, "secrets">,
): Counted {
  return { skill, tenant: uploaded?.tenant ?? null, secrets };
}

/**
 * How a call is counted whose result may be there already: it costs its caller as much as one that is made, and the
 * upstream nothing. What is there is given without waiting for anything.
 */
export function callerAdmission(
  checked: CheckedCall,
  run: CountedRun,
  dependencies: InvokeDependencies,
): Admission {
  return new Admission({ own: [], cost: costOf(checked, dependencies), waits: false }, run, dependencies);
}

/**
 * A skill may say that its calls cost nothing; for whoever shares the gateway they are calls all the same. One that a
 * tenant uploaded says nothing of what the operator's secrets allow to everybody: with them a request costs one.
 */
function costOf(checked: CheckedCall, dependencies: Pick<InvokeDependencies, "secrets">): number {
  const { skill, tenant, secrets } = countedOf(checked, dependencies);
  const isShared = tenant !== null && variablesOf(skill).some((name) => secrets.holderOf(name) === null);
  return isShared ? 1 : Math.max(1, checked.prepared.definition.cost);
}

function refusalFailure({ because, refusedBy, retryAfterMs }: CallRefusal, now: number): Failure {
  if (because === "closed") return closedFailure(retryAfterMs);
  const { label: bucket, max, window } = refusedBy;
  if (window === "minute") return { code: "RATE_LIMIT_EXCEEDED", bucket, max, window, retryAfterMs };
  const timeZone = timeZoneOf(window);
  const resetsAt = retryAfterMs === null ? null : dayAround(now, timeZone).end;
  return { code: "DAILY_QUOTA_EXCEEDED", bucket, max, timeZone, resetsAt, retryAfterMs };
}
