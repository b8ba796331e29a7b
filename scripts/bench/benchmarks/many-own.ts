import { documentName, skillDocuments } from "../documents.ts";
import type { LoadRequest } from "../load.ts";
import type { Finding, Measurement } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";
import { firstReply } from "../servers.ts";
import type { Round } from "../statistics.ts";
import { median } from "../statistics.ts";
import { startWorkerd, type Workerd } from "../workerd/process.ts";
import { NO_UPSTREAM, type Workshop } from "../workshop.ts";

const FEW = 10;
const MANY = 1_000;

/** What is asked of both tenants, for the very same answer. */
const questions = [
  ["one skill, ms", `/v1/skills/${documentName(7)}`],
  ["tools of one skill, ms", `/v1/tools?format=openai&skills=${documentName(7)}`],
  ["one category of the index, ms", "/v1/skills?category=nobody-has-this"],
  ["a call without a request, ms", `/v1/invoke/get_quote_7?dry_run=1`],
] as const;

/** Replies that one measurement takes the median of. */
const REPLIES = 200;

/** A tenant with a thousand skills against one with ten: what is asked of one skill costs no more for the others. */
export async function benchManyOwn(workshop: Workshop, { rounds, progress }: Settings): Promise<Finding> {
  const [many, few] = [await started(workshop), await started(workshop)];
  await fill(many, MANY, progress);
  await fill(few, FEW, progress);
  const measurements: Measurement[] = [];
  for (const [name, path] of questions) {
    const samples: Round[] = await byTurns(
      rounds,
      { subject: () => medianMs(many, path), baseline: () => medianMs(few, path) },
      (round) => progress(`${name}, round ${round} of ${rounds}`),
    );
    measurements.push({ name, relation: "ratio", digits: 3, aim: null, rounds: samples });
  }
  const write = upload(many, MANY - 1);
  const value = await timed(() => firstReply(write));
  many.stop();
  few.stop();
  return {
    benchmark: "many-own",
    subject: `a tenant with ${MANY} skills of its own`,
    baseline: `one with ${FEW}`,
    measurements,
    figures: [{ name: `ms for a write beside ${MANY}`, value, digits: 1 }],
    notes: [`Twice the time of ${FEW} is the most that is aimed at.`],
  };
}

async function started(workshop: Workshop): Promise<Workerd> {
  return startWorkerd(await workshop.gatewayConfig(await workshop.deployed(), NO_UPSTREAM));
}

let documents: readonly string[] | undefined;

function upload({ url }: Workerd, index: number): LoadRequest {
  documents ??= skillDocuments(MANY).map((text) => text.replace(/^ {2}authentication: .*\n/m, ""));
  const body = documents[index] ?? "";
  const address = `${url}/v1/skills/${documentName(index)}`;
  return { url: address, method: "PUT", headers: { "content-type": "text/markdown" }, body };
}

async function fill(worker: Workerd, count: number, progress: (text: string) => void): Promise<void> {
  for (let index = 0; index < count; index++) {
    if (index % 50 === 0) progress(`putting ${count} skills: ${index}`);
    await firstReply(upload(worker, index));
  }
}

async function medianMs({ url }: Workerd, path: string): Promise<number> {
  const method = path.startsWith("/v1/invoke") ? "POST" : "GET";
  const body = method === "POST" ? '{"symbol":"A7.US"}' : null;
  const request: LoadRequest = { url: `${url}${path}`, method, headers: {}, body };
  const times: number[] = [];
  for (let reply = 0; reply < REPLIES; reply++) times.push(await timed(() => firstReply(request)));
  return median(times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
