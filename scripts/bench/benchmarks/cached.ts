import { startSandbox } from "../../sandbox/server.ts";
import type { LoadRequest } from "../load.ts";
import type { Finding } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { compareWorkers, firstReply } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

const AIM = 0.7;

/** A call whose result is kept against a worker that returns the same bytes whatever it is asked. */
export async function benchCached(workshop: Workshop, settings: Settings): Promise<Finding> {
  settings.progress("bundling the worker");
  const bundle = await workshop.deployed();
  const sandbox = await startSandbox();
  const place = { FRANKFURTER_BASE_URL: `${sandbox.url}/frankfurter/v1` };
  const gateway = await startWorkerd(await workshop.gatewayConfig(bundle, NO_UPSTREAM, place));
  await firstReply(requestTo(gateway.url));
  // Nobody is left to answer, so every other reply is the kept one.
  await sandbox.close();
  const body = await firstReply(requestTo(gateway.url));
  const constant = await startWorkerd(await workshop.bareConfig("constant", { body }));
  const subject = { worker: gateway, request: requestTo(gateway.url) };
  const baseline = { worker: constant, request: requestTo(constant.url) };
  const compared = await compareWorkers(subject, baseline, settings, AIM);
  gateway.stop();
  constant.stop();
  return {
    benchmark: "cached",
    subject: `POST /v1/invoke/get_exchange_rates, its result kept (${Buffer.byteLength(body)} bytes)`,
    baseline: "a bare worker that returns the same bytes",
    measurements: compared.measurements,
    figures: [],
    notes: compared.notes,
  };
}

function requestTo(url: string): LoadRequest {
  return {
    url: `${url}/v1/invoke/get_exchange_rates`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base: "USD" }),
  };
}
