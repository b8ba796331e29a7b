import autocannon from "autocannon";
import { median } from "./statistics.ts";

/** The request that is sent over and over. */
export interface LoadRequest {
  url: string;
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  body: string | null;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  requestsPerSecond: number;
  /** From the request's last byte to the reply's last byte, in milliseconds. */
  medianMs: number;
  /** How much of one processor the generator itself took; near 1 it is what was measured. */
  generatorShare: number;
}

/** Milliseconds between two looks at whether the time is up. */
const SAMPLE_MS = 50;

/** Seconds without a reply after which the measurement is given up. */
const TIMEOUT_SECONDS = 10;

/**
 * Sends the request over each of the connections again as soon as the reply is there, for so many seconds.
 * Rejects where a connection breaks or any reply is not of status 2xx, for the rest would be worth nothing then.
 */
export async function runLoad(
  request: LoadRequest,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const { body, ...rest } = request;
  const before = process.cpuUsage();
  const times: number[] = [];
  const outcome = await autocannon({
    ...rest,
    ...(body === null ? {} : { body }),
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    timeout: TIMEOUT_SECONDS,
  }).on("response", (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  const { user, system } = process.cpuUsage(before);
  refuseFaults(request.url, outcome);
  return {
    requests: times.length,
    seconds: outcome.duration,
    requestsPerSecond: outcome.requests.total / outcome.duration,
    medianMs: median(times),
    generatorShare: (user + system) / 1e6 / outcome.duration,
  };
}

type Outcome = Awaited<ReturnType<typeof autocannon>>;

function refuseFaults(url: string, { requests, errors, resets, non2xx, statusCodeStats }: Outcome): void {
  if (requests.total > 0 && errors === 0 && resets === 0 && non2xx === 0) return;
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
  const replies = statuses.length === 0 ? "no reply" : statuses.join(", ");
  throw new Error(
    `${url} did not answer every request with success: ${replies}; ${errors + resets} broken connections.`,
  );
}
