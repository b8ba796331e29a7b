import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startSandbox } from "../../sandbox/server.ts";
import { undoAtEnd } from "../ending.ts";
import { type LoadRequest, runLoad } from "../load.ts";
import type { Finding } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { CONNECTIONS, compareWorkers, firstReply } from "../servers.ts";
import type { UpstreamOrders } from "../upstream.ts";
import { startWorkerd } from "../workerd/process.ts";
import type { Workshop } from "../workshop.ts";

const AIM = 0.55;
/** What a bare proxy leaves of the aim, where somebody writes this one function by hand. */
const BY_HAND_AIM = 0.8;
const KEY = "bench-key";
const BASE_PATH = "/v1";
const TARGET = `${BASE_PATH}/market/ticker?symbols=NVDA.US`;

/** A call through the gateway against a worker that fetches the same URL and passes the reply on. */
export function benchInvoke(workshop: Workshop, settings: Settings): Promise<Finding> {
  const baseline = "a bare proxy to the same upstream";
  return benchAgainst("proxy", { benchmark: "invoke", baseline, aim: AIM }, workshop, settings);
}

/** The same against a worker that somebody would write for this one function, with Hono and zod. */
export function benchByHand(workshop: Workshop, settings: Settings): Promise<Finding> {
  const baseline = "the same function written by hand (Hono, zod, a timeout, the mapping; no limits)";
  return benchAgainst("by-hand", { benchmark: "by-hand", baseline, aim: BY_HAND_AIM }, workshop, settings);
}

async function benchAgainst(
  worker: "proxy" | "by-hand",
  { benchmark, baseline: baselineName, aim }: { benchmark: string; baseline: string; aim: number },
  workshop: Workshop,
  settings: Settings,
): Promise<Finding> {
  settings.progress("bundling the worker");
  const bundle = await workshop.withRaisedLimits();
  const upstream = await startUpstream();
  const place = { url: upstream.origin + BASE_PATH, key: KEY };
  const gateway = await startWorkerd(await workshop.gatewayConfig(bundle, place));
  const variables = { UPSTREAM_URL: upstream.origin + TARGET, UPSTREAM_KEY: KEY };
  const proxy = await startWorkerd(await workshop.bareConfig(worker, { variables }));
  const subject = { worker: gateway, request: requestTo(gateway.url) };
  const baseline = { worker: proxy, request: requestTo(proxy.url) };
  await firstReply(subject.request);
  await firstReply(baseline.request);
  const compared = await compareWorkers(subject, baseline, settings, aim);
  const ceiling = await runLoad(upstreamRequest(upstream.origin), CONNECTIONS, settings.seconds / 2);
  for (const { stop } of [gateway, proxy, upstream]) stop();
  return {
    benchmark,
    subject: "POST /v1/invoke/get_realtime_price",
    baseline: baselineName,
    measurements: compared.measurements,
    figures: [{ name: "upstream alone, requests/s", value: ceiling.requestsPerSecond, digits: 0 }],
    notes: [
      ...compared.notes,
      "Validation, limits (raised, so that none refuses), credential and mapping are on; nothing is cached.",
    ],
  };
}

interface Upstream {
  origin: string;
  stop(): void;
}

/**
 * Starts the prepared upstream as a process of its own, with the reply that the sandbox gives. The sandbox itself
 * would be the bottleneck: it answers fewer requests a second than the bare proxy sends.
 */
async function startUpstream(): Promise<Upstream> {
  const sandbox = await startSandbox({ apiKey: KEY });
  const body = await firstReply(upstreamRequest(sandbox.url));
  await sandbox.close();
  const child = fork(join(import.meta.dirname, "../upstream.ts"));
  const stop = undoAtEnd(() => child.kill());
  child.send({ target: TARGET, key: KEY, body } satisfies UpstreamOrders);
  const [address]: AddressInfo[] = await once(child, "message");
  if (address === undefined) throw new Error("The upstream does not say where it listens.");
  return { origin: `http://127.0.0.1:${address.port}`, stop };
}

function upstreamRequest(origin: string): LoadRequest {
  return { url: origin + TARGET, method: "GET", headers: { "x-api-key": KEY }, body: null };
}

function requestTo(url: string): LoadRequest {
  return {
    url: `${url}/v1/invoke/get_realtime_price`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ symbol: "NVDA.US" }),
  };
}
