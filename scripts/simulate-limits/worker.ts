/** A thread that carries out runs, one after the other. */
import { parentPort } from "node:worker_threads";
import { simulate } from "./model/run.ts";
import type { Done, Order } from "./pool.ts";

parentPort?.on("message", async ({ index, run }: Order) => {
  const done: Done = { index, outcome: await simulate(run) };
  parentPort?.postMessage(done);
});
