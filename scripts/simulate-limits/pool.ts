import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Outcome } from "./model/measure.ts";
import type { Run } from "./model/run.ts";

/** What a thread is told and what it answers. */
export interface Order {
  index: number;
  run: Run;
}
export interface Done {
  index: number;
  outcome: Outcome;
}

/** Carries out runs on all processors; their outcomes in the order of the runs. `progress` gets the number done. */
export async function simulateAll(
  runs: readonly Run[],
  progress: (done: number) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const orders = runs.map((run, index) => ({ index, run }));
  // The longest first, so that no thread is left with one at the end.
  orders.sort((one, other) => effort(other.run) - effort(one.run));
  let done = 0;
  const take = ({ index, outcome }: Done): void => {
    outcomes[index] = outcome;
    done += 1;
    progress(done);
  };
  const threads = Math.min(availableParallelism(), runs.length);
  await Promise.all(Array.from({ length: threads }, () => work(orders, take)));
  return outcomes;
}

function effort({ scenario, minutes }: Run): number {
  return scenario.max * scenario.load * minutes;
}

/** One thread, which takes orders until there are none. */
function work(orders: Order[], take: (done: Done) => void): Promise<void> {
  const worker = new Worker(join(import.meta.dirname, "worker.ts"));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const next = (): void => {
    const order = orders.shift();
    if (order === undefined) resolve();
    else worker.postMessage(order);
  };
  worker.on("message", (done: Done) => {
    take(done);
    next();
  });
  worker.once("error", reject);
  next();
  return promise.finally(() => worker.terminate());
}
