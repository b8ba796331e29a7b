import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, type Circuit, CLOSED, type Evidence, learn } from "../../../src/invoke/upstream/circuit.ts";
import {
  CIRCUIT_BASE_PAUSE_MS,
  CIRCUIT_FAILURES,
  CIRCUIT_MAX_PAUSE_MS,
  CIRCUIT_PROBE_MS,
  CIRCUIT_PROBE_WAIT_MS,
} from "../../../src/limits.ts";

const NOW = 1_000_000;

function closed(failures: number): Circuit {
  return { state: "closed", failures };
}

function open(pauses: number, until: number): Circuit {
  return { state: "open", pauses, until };
}

function probing(pauses: number, until: number): Circuit {
  return { state: "probing", pauses, until };
}

describe("a request asks a circuit", () => {
  test.each<[string, Circuit, ReturnType<typeof ask>]>([
    ["closed: it passes", closed(3), { passes: true, isProbe: false, circuit: closed(3) }],
    ["open: it waits for the rest of the pause", open(1, NOW + 700), { passes: false, retryAfterMs: 700 }],
    ["open to the last millisecond", open(1, NOW + 1), { passes: false, retryAfterMs: 1 }],
    [
      "open, with the pause over: it is the probe",
      open(2, NOW),
      { passes: true, isProbe: true, circuit: probing(2, NOW + CIRCUIT_PROBE_MS) },
    ],
    [
      "being probed: it waits for the probe",
      probing(1, NOW + CIRCUIT_PROBE_MS),
      { passes: false, retryAfterMs: CIRCUIT_PROBE_WAIT_MS },
    ],
    ["being probed, for a moment still", probing(1, NOW + 5), { passes: false, retryAfterMs: 5 }],
    [
      "whose probe was never heard of: it is the next probe",
      probing(3, NOW),
      { passes: true, isProbe: true, circuit: probing(3, NOW + CIRCUIT_PROBE_MS) },
    ],
  ])("that is %s", (_what, circuit, passage) => {
    expect(ask(circuit, NOW)).toEqual(passage);
  });
});

describe("a circuit learns", () => {
  const first = NOW + CIRCUIT_BASE_PAUSE_MS;
  test.each<[string, Circuit, Evidence, boolean, Circuit]>([
    ["of a failure", closed(0), "down", false, closed(1)],
    [
      "of the last failure in a row that it bears",
      closed(CIRCUIT_FAILURES - 1),
      "down",
      false,
      open(1, first),
    ],
    ["of an answer after failures", closed(CIRCUIT_FAILURES - 1), "answers", false, closed(0)],
    ["nothing", closed(2), "none", false, closed(2)],
    ["of failures that were under way when it opened", open(1, first), "down", false, open(1, first)],
    ["of an answer that was under way when it opened", open(1, first), "answers", false, closed(0)],
    ["of a probe that failed", probing(1, first), "down", true, open(2, NOW + 2 * CIRCUIT_BASE_PAUSE_MS)],
    ["of a probe that was answered", probing(4, first), "answers", true, closed(0)],
    ["nothing of a probe, so that the next request is one", probing(2, first), "none", true, open(2, NOW)],
    ["of a failure that is not the probe's", probing(2, first), "down", false, probing(2, first)],
    ["of many probes that failed", probing(50, first), "down", true, open(51, NOW + CIRCUIT_MAX_PAUSE_MS)],
  ])("%s", (_what, circuit, evidence, isProbe, after) => {
    expect(learn(circuit, evidence, isProbe, NOW)).toEqual(after);
  });
});

/** What requests one after the other show of their host, and how long after the one before each is asked for. */
const requests = fc.array(
  fc.record({
    evidence: fc.constantFrom<Evidence>("answers", "down", "none"),
    afterMs: fc.integer({ min: 0, max: 2 * CIRCUIT_MAX_PAUSE_MS }),
  }),
  { maxLength: 60 },
);

describe("a circuit, whatever happens,", () => {
  test("opens after so many failures in a row and never before", () => {
    fc.assert(
      fc.property(requests, (given) => {
        let circuit: Circuit = CLOSED;
        let now = NOW;
        let inARow = 0;
        for (const { evidence, afterMs } of given) {
          now += afterMs;
          const passage = ask(circuit, now);
          if (!passage.passes) {
            expect(inARow).toBeGreaterThanOrEqual(CIRCUIT_FAILURES);
            continue;
          }
          circuit = learn(passage.circuit, evidence, passage.isProbe, now);
          if (evidence === "down") inARow += 1;
          if (evidence === "answers") inARow = 0;
          expect(circuit.state === "closed").toBe(inARow < CIRCUIT_FAILURES);
        }
      }),
    );
  });

  test("lets a request through after the time that it told the one before", () => {
    fc.assert(
      fc.property(requests, (given) => {
        let circuit: Circuit = CLOSED;
        let now = NOW;
        for (const { evidence, afterMs } of given) {
          const passage = ask(circuit, now);
          if (passage.passes) circuit = learn(passage.circuit, evidence, passage.isProbe, now);
          else expect(ask(circuit, now + passage.retryAfterMs).passes).toBe(true);
          now += afterMs;
        }
      }),
    );
  });

  test("pauses no shorter each time that a probe fails, and never longer than the longest pause", () => {
    let circuit: Circuit = open(1, NOW);
    let before = 0;
    for (let now = NOW; now < NOW + 20 * CIRCUIT_MAX_PAUSE_MS; ) {
      const passage = ask(circuit, now);
      if (!passage.passes) throw new Error("the pause is not over when it said");
      expect(passage.isProbe).toBe(true);
      // While the probe is under way nothing else is.
      expect(ask(passage.circuit, now).passes).toBe(false);
      circuit = learn(passage.circuit, "down", true, now);
      if (circuit.state !== "open") throw new Error("a failed probe leaves the circuit open");
      const pauseMs = circuit.until - now;
      expect(pauseMs).toBeGreaterThanOrEqual(before);
      expect(pauseMs).toBeLessThanOrEqual(CIRCUIT_MAX_PAUSE_MS);
      before = pauseMs;
      now = circuit.until;
    }
    expect(before).toBe(CIRCUIT_MAX_PAUSE_MS);
  });
});
