import type { LoadRequest } from "../load.ts";
import { ownDocuments } from "../many-skills.ts";
import type { Finding } from "../report.ts";
import type { Settings } from "../rounds.ts";
import { compareWorkers, firstReply } from "../servers.ts";
import { startWorkerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

/** What a model reads of a large catalog, and how much of a bare worker's throughput is aimed at. */
interface ReadingCase {
  benchmark: string;
  subject: string;
  path: string;
  aim: number;
}

/** The index of many skills, of which a tenant has some of its own. */
export function benchIndex(workshop: Workshop, settings: Settings): Promise<Finding> {
  const path = "/v1/skills?format=text&max_chars=20000";
  return benchCase(workshop, settings, { benchmark: "index", subject: "the index as text", path, aim: 0.5 });
}

/** A search through them. */
export function benchSearch(workshop: Workshop, settings: Settings): Promise<Finding> {
  const path = "/v1/skills?limit=5&q=price%20of%20a%20stock";
  return benchCase(workshop, settings, { benchmark: "search", subject: "a search", path, aim: 0.5 });
}

/** The outline and the opening of a document. */
export function benchLoad(workshop: Workshop, settings: Settings): Promise<Finding> {
  const [own] = ownDocuments();
  const path = `/v1/skills/${own?.name}?max_chars=1000`;
  return benchCase(workshop, settings, {
    benchmark: "load",
    subject: "a document's opening",
    path,
    aim: 0.5,
  });
}

/** The system prompt. */
export function benchPrompt(workshop: Workshop, settings: Settings): Promise<Finding> {
  const path = "/v1/prompt?max_chars=200000";
  return benchCase(workshop, settings, { benchmark: "prompt", subject: "the system prompt", path, aim: 0.5 });
}

async function benchCase(
  workshop: Workshop,
  settings: Settings,
  { benchmark, subject, path, aim }: ReadingCase,
): Promise<Finding> {
  settings.progress("bundling the worker");
  const many = await workshop.withManySkills();
  const gateway = await startWorkerd(await workshop.gatewayConfig(many, NO_UPSTREAM));
  const own = ownDocuments();
  for (const { name, text } of own) await firstReply(upload(`${gateway.url}/v1/skills/${name}`, text));
  const body = await firstReply(requestTo(gateway.url + path));
  const constant = await startWorkerd(await workshop.bareConfig("constant", { body }));
  const compared = await compareWorkers(
    { worker: gateway, request: requestTo(gateway.url + path) },
    { worker: constant, request: requestTo(constant.url + path) },
    settings,
    aim,
  );
  gateway.stop();
  constant.stop();
  return {
    benchmark,
    subject: `${subject}, ${own.length} skills of the tenant's own beside the bundled ones (${Buffer.byteLength(body)} bytes)`,
    baseline: "a bare worker that returns the same bytes",
    ...compared,
    figures: [],
  };
}

function upload(url: string, body: string): LoadRequest {
  return { url, method: "PUT", headers: { "content-type": "text/markdown" }, body };
}

function requestTo(url: string): LoadRequest {
  return { url, method: "GET", headers: {}, body: null };
}
