/** Judges every so-many-th document, and says how far it is where the main thread can look at any time. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { type Finding, Judge } from "./judge.ts";
import { brokenDocument } from "./mutate.ts";
import { shrunk } from "./shrink.ts";

const orders = z
  .object({
    seeds: z.array(z.string()),
    seed: z.number(),
    numbers: z.object({ from: z.number(), to: z.number(), step: z.number() }),
    current: z.instanceof(SharedArrayBuffer),
  })
  .parse(workerData);

/** A document that something is wrong with. */
export interface Failure extends Finding {
  number: number;
  text: string;
}

/** How much a worker has done. */
export interface Summary {
  bytes: number;
  blocks: number;
  /** The most blocks that ran for a byte of a document of more than a few. */
  mostPerByte: number;
}

/** What a worker says: each failure when it is found, and at the end how much it has done. */
export type Message = { failure: Failure } | { summary: Summary };

const LONG_ENOUGH = 2_000;

const { seeds, seed, numbers } = orders;
const current = new Int32Array(orders.current);
const judge = await Judge.open();
const summary: Summary = { bytes: 0, blocks: 0, mostPerByte: 0 };
const say = (message: Message): void => parentPort?.postMessage(message);
for (let number = numbers.from; number < numbers.to; number += numbers.step) {
  Atomics.store(current, 0, number);
  const text = brokenDocument(seeds, seed, number);
  const { finding, blocks, bytes } = judge.judge(text);
  summary.bytes += bytes;
  summary.blocks += blocks;
  if (bytes >= LONG_ENOUGH) summary.mostPerByte = Math.max(summary.mostPerByte, blocks / bytes);
  if (finding === null) continue;
  const short = shrunk(text, (shorter) => judge.judge(shorter).finding?.kind === finding.kind);
  say({ failure: { ...finding, number, text: short } });
}
judge.close();
say({ summary });
