import { type Failure, failed, type Result, success } from "../../errors.ts";
import { CIRCUIT_MEMORY_MS, MAX_CIRCUITS } from "../../limits.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";
import { ask, type Circuit, CLOSED, type Evidence, learn } from "./circuit.ts";

/** Leave to send one request. */
export interface Passed {
  /** Says, once, what the request has shown of its host. */
  report(evidence: Evidence): void;
}

/**
 * The circuits of an isolate. Each is that of one host as one tenant's calls of one document see it, or of a token
 * endpoint as those see it who ask the very same of it: what others send there, with paths, arguments, credentials or
 * patience of their own, closes it to nobody else.
 */
export class Circuits {
  readonly #now: () => number;
  readonly #circuits: ExpiringMap<Circuit>;

  constructor(now: () => number) {
    this.#now = now;
    this.#circuits = new ExpiringMap(now, MAX_CIRCUITS);
  }

  /** Circuits that are not as new. */
  get size(): number {
    return this.#circuits.size;
  }

  /** Asks to send a request; UPSTREAM_UNAVAILABLE, with the time to wait, where none is sent for now. */
  pass(key: string): Result<Passed> {
    const passage = ask(this.#circuits.get(key) ?? CLOSED, this.#now());
    if (!passage.passes) return failed(refusal(passage.retryAfterMs));
    const { circuit, isProbe } = passage;
    if (isProbe) this.#keep(key, circuit);
    return success({ report: (evidence) => this.#learn(key, evidence, isProbe) });
  }

  #learn(key: string, evidence: Evidence, isProbe: boolean): void {
    const before = this.#circuits.get(key) ?? CLOSED;
    const after = learn(before, evidence, isProbe, this.#now());
    if (after === CLOSED) this.#circuits.delete(key);
    else if (after !== before) this.#keep(key, after);
  }

  #keep(key: string, circuit: Circuit): void {
    this.#circuits.set(key, circuit, CIRCUIT_MEMORY_MS);
  }
}

/** What a request has shown of its host: any reply of its own is a sign of life. */
export function evidenceOf(failure: Failure | null): Evidence {
  const isDown = failure?.code === "UPSTREAM_UNAVAILABLE" || failure?.code === "UPSTREAM_TIMEOUT";
  return isDown ? "down" : "answers";
}

function refusal(retryAfterMs: number): Failure {
  const message = "it failed several times in a row, so nothing is sent to it for now";
  return { code: "UPSTREAM_UNAVAILABLE", upstream: { status: null, code: null, message }, retryAfterMs };
}
