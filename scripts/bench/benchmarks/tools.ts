import type { LoadRequest } from "../load.ts";
import { BUNDLED_FUNCTIONS, ownDocuments } from "../many-skills.ts";
import type { Finding } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { compareWorkers, firstReply } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

const BASELINE = "a bare worker that returns the same bytes, headers included";

/** What is asked for, and how much of the bare worker's throughput is aimed at. */
interface ToolsCase {
  benchmark: string;
  subject: string;
  aim: number;
  /** What happens before, at the gateway's address. */
  prepare(url: string): Promise<void>;
}

/** Tool schemas of many bundled functions against a worker that does nothing but return the same bytes. */
export function benchTools(workshop: Workshop, settings: Settings): Promise<Finding> {
  const subject = `GET /v1/tools?format=openai, ${BUNDLED_FUNCTIONS} bundled functions`;
  return benchCase(workshop, settings, { benchmark: "tools", subject, aim: 0.9, prepare: async () => {} });
}

/** The same for a tenant with skills of its own. */
export function benchOwnTools(workshop: Workshop, settings: Settings): Promise<Finding> {
  const own = ownDocuments();
  return benchCase(workshop, settings, {
    benchmark: "own-tools",
    subject: `the same for a tenant with ${own.length} skills of its own`,
    aim: 0.5,
    prepare: async (url) => {
      for (const { name, text } of own) await firstReply(upload(`${url}/v1/skills/${name}`, text));
    },
  });
}

async function benchCase(
  workshop: Workshop,
  settings: Settings,
  { benchmark, subject, aim, prepare }: ToolsCase,
): Promise<Finding> {
  settings.progress("bundling the worker");
  const gateway = await startWorkerd(
    await workshop.gatewayConfig(await workshop.withManySkills(), NO_UPSTREAM),
  );
  await prepare(gateway.url);
  const body = await firstReply(requestTo(gateway.url));
  const constant = await startWorkerd(await workshop.bareConfig("constant", { body }));
  const parties = {
    subject: { worker: gateway, request: requestTo(gateway.url) },
    baseline: { worker: constant, request: requestTo(constant.url) },
  };
  const compared = await compareWorkers(parties.subject, parties.baseline, settings, aim);
  gateway.stop();
  constant.stop();
  const bytes = Buffer.byteLength(body);
  return { benchmark, subject: `${subject} (${bytes} bytes)`, baseline: BASELINE, ...compared, figures: [] };
}

function upload(url: string, body: string): LoadRequest {
  return { url, method: "PUT", headers: { "content-type": "text/markdown" }, body };
}

function requestTo(url: string): LoadRequest {
  return { url: `${url}/v1/tools?format=openai`, method: "GET", headers: {}, body: null };
}
