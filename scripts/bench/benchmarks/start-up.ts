import type { Finding } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";
import { firstReply } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

/** One start is short and its time varies, so that it is repeated more often than the rest. */
const STARTS_A_ROUND = 3;

const KIB = 1024;

/** From the start of the process to the first reply, against an empty worker; and how large the bundle is. */
export async function benchStartUp(workshop: Workshop, settings: Settings): Promise<Finding> {
  settings.progress("bundling the worker");
  const bundle = await workshop.deployed();
  const gateway = await workshop.gatewayConfig(bundle, NO_UPSTREAM);
  const empty = await workshop.bareConfig("empty");
  const starts = settings.rounds * STARTS_A_ROUND;
  await timeToReply(gateway);
  const rounds = await byTurns(
    starts,
    { subject: () => timeToReply(gateway), baseline: () => timeToReply(empty) },
    (round) => settings.progress(`start ${round} of ${starts}`),
  );
  return {
    benchmark: "start-up",
    subject: "from the start of workerd to the first reply of the gateway",
    baseline: "an empty worker",
    measurements: [{ name: `ms, ${starts} starts`, relation: "difference", digits: 0, aim: null, rounds }],
    figures: [
      { name: "bundle, KiB gzipped", value: bundle.gzippedBytes / KIB, digits: 1 },
      { name: "bundle, KiB", value: bundle.bytes / KIB, digits: 1 },
    ],
    notes: [],
  };
}

/** Milliseconds from starting a configuration until its worker has answered. */
async function timeToReply(config: string): Promise<number> {
  const begin = performance.now();
  const { url, stop } = await startWorkerd(config);
  await firstReply({ url: `${url}/health`, method: "GET", headers: {}, body: null });
  const elapsed = performance.now() - begin;
  stop();
  return elapsed;
}
