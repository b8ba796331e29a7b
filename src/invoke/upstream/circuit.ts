/**
 * The circuit to an upstream's host: after failures in a row nothing is sent there for a pause, then one request goes
 * ahead as a probe, and what comes of it closes the circuit or begins a longer pause. Arithmetic only, on a clock that
 * the caller reads.
 */
import {
  CIRCUIT_BASE_PAUSE_MS,
  CIRCUIT_FAILURES,
  CIRCUIT_MAX_PAUSE_MS,
  CIRCUIT_PROBE_MS,
  CIRCUIT_PROBE_WAIT_MS,
} from "../../limits.ts";

/** A circuit; times in milliseconds since 1970. */
export type Circuit =
  /** Requests pass; so many in a row have failed. */
  | { state: "closed"; failures: number }
  /** None passes before `until`; `pauses` is how many there have been in a row, this one included. */
  | { state: "open"; pauses: number; until: number }
  /** The probe is under way, and nothing else passes unless it is not heard of until then. */
  | { state: "probing"; pauses: number; until: number };

/** The circuit of a host that nothing is known of. */
export const CLOSED: Circuit = { state: "closed", failures: 0 };

/** What a request has shown of its host: that it answers, that it is down, or neither. */
export type Evidence = "answers" | "down" | "none";

/** Whether a request may be sent. */
export type Passage =
  | { passes: true; isProbe: boolean; circuit: Circuit }
  /** `retryAfterMs` is the time until one may be sent again. */
  | { passes: false; retryAfterMs: number };

/** Decides whether a request passes. */
export function ask(circuit: Circuit, now: number): Passage {
  if (circuit.state === "closed") return { passes: true, isProbe: false, circuit };
  const { state, pauses, until } = circuit;
  if (now < until) {
    const waitMs = until - now;
    // What comes of a probe is known soon, as a rule; its patience is for those that are never heard of.
    return {
      passes: false,
      retryAfterMs: state === "open" ? waitMs : Math.min(waitMs, CIRCUIT_PROBE_WAIT_MS),
    };
  }
  return {
    passes: true,
    isProbe: true,
    circuit: { state: "probing", pauses, until: now + CIRCUIT_PROBE_MS },
  };
}

/** The circuit after what a request that passed has shown. */
export function learn(circuit: Circuit, evidence: Evidence, isProbe: boolean, now: number): Circuit {
  if (evidence === "answers") return CLOSED;
  if (circuit.state === "closed")
    return evidence === "down" ? afterFailure(circuit.failures + 1, now) : circuit;
  // Requests that were sent before the circuit opened say nothing new.
  if (circuit.state === "open" || !isProbe) return circuit;
  return evidence === "down"
    ? opened(circuit.pauses + 1, now)
    : { state: "open", pauses: circuit.pauses, until: now };
}

function afterFailure(failures: number, now: number): Circuit {
  return failures < CIRCUIT_FAILURES ? { state: "closed", failures } : opened(1, now);
}

function opened(pauses: number, now: number): Circuit {
  const pauseMs = Math.min(CIRCUIT_MAX_PAUSE_MS, CIRCUIT_BASE_PAUSE_MS * 2 ** (pauses - 1));
  return { state: "open", pauses, until: now + pauseMs };
}
