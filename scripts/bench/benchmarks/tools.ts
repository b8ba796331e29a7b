import type { LoadRequest } from "../load.ts";
import type { Finding } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { compareWorkers, firstReply } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

const AIM = 0.9;

/** Tool schemas from the gateway against a worker that does nothing but return the same bytes. */
export async function benchTools(workshop: Workshop, settings: Settings): Promise<Finding> {
  settings.progress("bundling the worker");
  const gateway = await startWorkerd(await workshop.gatewayConfig(await workshop.deployed(), NO_UPSTREAM));
  const body = await firstReply(requestTo(gateway.url));
  const constant = await startWorkerd(await workshop.bareConfig("constant", { body }));
  const subject = { worker: gateway, request: requestTo(gateway.url) };
  const baseline = { worker: constant, request: requestTo(constant.url) };
  const compared = await compareWorkers(subject, baseline, settings, AIM);
  gateway.stop();
  constant.stop();
  return {
    benchmark: "tools",
    subject: `GET /v1/tools?format=openai (${Buffer.byteLength(body)} bytes)`,
    baseline: "a bare worker that returns the same bytes, headers included",
    ...compared,
    figures: [],
  };
}

function requestTo(url: string): LoadRequest {
  return { url: `${url}/v1/tools?format=openai`, method: "GET", headers: {}, body: null };
}
