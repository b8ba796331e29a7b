import type { LoadRequest } from "../load.ts";
import type { Finding, Measurement } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { compareWorkers, firstReply, type Party } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

/** Counted and checked with every call, and never reached. */
const FAR = "999999999/minute";

/** A check far from its limit is to take no more of the processor than this. */
const KV_AIM_MICROS = 50;

/** Calls that are counted, in KV and by an object, against the same calls without a limit. */
export async function benchLimits(workshop: Workshop, settings: Settings): Promise<Finding> {
  settings.progress("bundling the worker");
  const bundle = await workshop.deployed();
  const start = async (variables: Record<string, string>): Promise<Party> => {
    const worker = await startWorkerd(await workshop.gatewayConfig(bundle, NO_UPSTREAM, variables));
    const request = sumAt(worker.url);
    await firstReply(request);
    return { worker, request };
  };
  const free = await start({});
  const measurements: Measurement[] = [];
  const notes: string[] = [];
  for (const limiter of ["kv", "exact"]) {
    const limited = await start({ LIMITER: limiter, SKILLGATE_KEY_LIMITS: FAR });
    const compared = await compareWorkers(limited, free, settings, null);
    measurements.push(...compared.measurements.map((one) => named(one, limiter)));
    notes.push(...compared.notes.map((note) => `${limiter}: ${note}`));
    limited.worker.stop();
  }
  free.worker.stop();
  return {
    benchmark: "limits",
    subject: "POST /v1/invoke/calculate_math, counted",
    baseline: "the same without a limit",
    measurements,
    figures: [],
    notes: [
      ...notes,
      `Far from its limit a call counted in KV is to cost less than ${KV_AIM_MICROS} µs more; one counted exactly ` +
        "takes a round trip to an object, here one in the same process, with its storage in memory.",
    ],
  };
}

/** Time that is added is told as a difference: that is what does not depend on the call. */
function named(measurement: Measurement, limiter: string): Measurement {
  const isTime = measurement.name.startsWith("µs");
  const name = `${limiter}: ${measurement.name.replace(/, .*| a request$/, "")}`;
  return { ...measurement, name, relation: isTime ? "difference" : "ratio" };
}

function sumAt(url: string): LoadRequest {
  return {
    url: `${url}/v1/invoke/calculate_math`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ expression: "1 + 1" }),
  };
}
