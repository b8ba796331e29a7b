import { type LoadRequest, runLoad } from "./load.ts";
import type { Measurement } from "./report.ts";
import { byTurns, type Settings } from "./rounds.ts";
import { median, type Round } from "./statistics.ts";
import type { Workerd } from "./workerd/process.ts";
import { processorMs } from "./workerd/usage.ts";

/** A worker and the request that it is asked over and over. */
export interface Party {
  worker: Workerd;
  request: LoadRequest;
}

/** What one round tells of one worker. */
interface Sample {
  requestsPerSecond: number;
  /** With one connection. */
  medianMs: number;
  /** Microseconds of processor time for a request; null where the system does not tell. */
  processorMicros: number | null;
  /** How busy the worker was, of one processor. */
  workerShare: number | null;
  generatorShare: number;
}

/** Enough to keep a worker busy at all times, as many callers would. */
export const CONNECTIONS = 32;

/** The gateway goes on getting faster over its first ten thousand calls, while the engine compiles what is hot. */
const WARM_UP_SECONDS = 5;

/** One connection gives thousands of latencies a second, far more than a median needs. */
const SINGLE_SHARE = 0.25;

/** Compares two workers under the same load. */
export async function compareWorkers(
  subject: Party,
  baseline: Party,
  { rounds, seconds, progress }: Settings,
  aim: number | null,
): Promise<{ measurements: Measurement[]; notes: string[] }> {
  progress("warming up");
  for (const { request } of [subject, baseline]) await runLoad(request, CONNECTIONS, WARM_UP_SECONDS);
  const samples = await byTurns(
    rounds,
    { subject: () => measure(subject, seconds), baseline: () => measure(baseline, seconds) },
    (round) => progress(`round ${round} of ${rounds}`),
  );
  return { measurements: measurementsOf(samples, aim), notes: [busyNote(samples)] };
}

/** The first reply's text. Rejects where it is no success, so that a fault is seen in full before it is seen often. */
export async function firstReply({ url, method, headers, body }: LoadRequest): Promise<string> {
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answers ${response.status}: ${text}`);
  return text;
}

async function measure({ worker, request }: Party, seconds: number): Promise<Sample> {
  const before = await processorMs(worker.pid);
  const loaded = await runLoad(request, CONNECTIONS, seconds);
  const after = await processorMs(worker.pid);
  const single = await runLoad(request, 1, seconds * SINGLE_SHARE);
  const usedMs = before === null || after === null ? null : after - before;
  return {
    requestsPerSecond: loaded.requestsPerSecond,
    medianMs: single.medianMs,
    processorMicros: usedMs === null ? null : (usedMs * 1_000) / loaded.requests,
    workerShare: usedMs === null ? null : usedMs / 1_000 / loaded.seconds,
    generatorShare: loaded.generatorShare,
  };
}

type Samples = readonly { subject: Sample; baseline: Sample }[];

function measurementsOf(samples: Samples, aim: number | null): Measurement[] {
  const common = { relation: "ratio", aim: null } as const;
  const name = `requests/s, ${CONNECTIONS} connections`;
  const throughput = roundsOf(samples, (sample) => sample.requestsPerSecond);
  const latency = roundsOf(samples, (sample) => sample.medianMs);
  const processor = roundsOf(samples, (sample) => sample.processorMicros);
  return [
    { ...common, name, digits: 0, aim, rounds: throughput },
    { ...common, name: "median ms, 1 connection", digits: 3, rounds: latency },
    { ...common, name: "µs of processor time a request", digits: 0, rounds: processor },
  ].filter(({ rounds }) => rounds.length > 0);
}

/** One value of each sample; no rounds at all where the system does not tell that value. */
function roundsOf(samples: Samples, pick: (sample: Sample) => number | null): Round[] {
  return samples.flatMap((sample) => {
    const subject = pick(sample.subject);
    const baseline = pick(sample.baseline);
    return subject === null || baseline === null ? [] : [{ subject, baseline }];
  });
}

/** Says what the load really met: a ratio is flattering where the workers were waiting for something else. */
function busyNote(samples: Samples): string {
  const share = (values: (number | null)[]): string => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? "unknown" : `${Math.round(median(known) * 100)}%`;
  };
  const workers = share(samples.map(({ subject }) => subject.workerShare));
  const baselines = share(samples.map(({ baseline }) => baseline.workerShare));
  const generators = share(
    samples.flatMap(({ subject, baseline }) => [subject.generatorShare, baseline.generatorShare]),
  );
  return `Busy, of one processor: gateway ${workers}, baseline ${baselines}, load generator ${generators}.`;
}
