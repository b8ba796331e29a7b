/** Breaks documents by the thousand and says which of them the compiler does not take as it should. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { brokenDocument } from "./mutate.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { documentsBelow, ownSeeds } from "./seeds.ts";
import type { Failure, Message, Summary } from "./worker.ts";

/** A document that takes this long hangs; only regular expressions can, for all else is counted. */
const HANGING_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

interface Run {
  options: Options;
  seeds: string[];
  begin: number;
  failures: Failure[];
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  if (typeof options === "string") {
    process.stderr.write(`${options}\n\n${HELP}`);
    return 2;
  }
  const { seed, from } = options;
  if (from !== null && !existsSync(from)) {
    process.stderr.write(`There is no folder ${from}.\n`);
    return 2;
  }
  const seeds = [...ownSeeds(), ...(from === null ? [] : documentsBelow(from))];
  process.stderr.write(`Breaking ${seeds.length} documents, seed ${seed} …\n`);
  const run = { options, seeds, begin: performance.now(), failures: [] };
  report(await runAll(run), run);
  return run.failures.length === 0 ? 0 : 1;
}

async function runAll(run: Run): Promise<Summary> {
  const { only, count } = run.options;
  const workers = only === null ? Math.min(availableParallelism(), count) : 1;
  const shares = Array.from({ length: workers }, (_, index) => ({
    from: only ?? index,
    to: only === null ? count : only + 1,
    step: workers,
    current: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  }));
  const progress = setInterval(() => showProgress(run, shares), 5 * LOOK_EVERY_MS);
  const summaries = await Promise.all(shares.map((share) => runShare(run, share)));
  clearInterval(progress);
  return {
    bytes: sum(summaries.map(({ bytes }) => bytes)),
    blocks: sum(summaries.map(({ blocks }) => blocks)),
    mostPerByte: Math.max(...summaries.map(({ mostPerByte }) => mostPerByte)),
  };
}

interface Share {
  from: number;
  to: number;
  step: number;
  /** The number of the document that the worker is at. */
  current: SharedArrayBuffer;
}

/** Runs a share in a thread of its own, which is ended where one document takes far too long. */
function runShare(run: Run, { current, ...numbers }: Share): Promise<Summary> {
  const { options, seeds } = run;
  const { promise, resolve, reject } = Promise.withResolvers<Summary>();
  const worker = new Worker(join(import.meta.dirname, "worker.ts"), {
    workerData: { seeds, seed: options.seed, numbers, current },
  });
  let last = { number: -1, since: performance.now() };
  const watch = setInterval(() => {
    const number = Atomics.load(new Int32Array(current), 0);
    if (number !== last.number) last = { number, since: performance.now() };
    if (performance.now() - last.since < HANGING_MS) return;
    const detail = `not done after ${HANGING_MS / 1000} s`;
    tell(run, { kind: "hang", detail, number, text: brokenDocument(seeds, options.seed, number) });
    resolve({ bytes: 0, blocks: 0, mostPerByte: 0 });
    void worker.terminate();
  }, LOOK_EVERY_MS);
  worker.on("message", (message: Message) => {
    if ("failure" in message) tell(run, message.failure);
    else resolve(message.summary);
  });
  worker.once("error", reject);
  return promise.finally(() => clearInterval(watch));
}

function showProgress({ options, begin }: Run, shares: readonly Share[]): void {
  const done = sum(
    shares.map(({ current, from, step }) => (Atomics.load(new Int32Array(current), 0) - from) / step),
  );
  const seconds = (performance.now() - begin) / 1000;
  const line = `${done.toFixed(0)} of ${options.count} documents, ${(done / seconds).toFixed(0)} a second`;
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

const CLEAR_LINE = process.stderr.isTTY ? "\r\u001b[K" : "";

function tell({ options, failures }: Run, failure: Failure): void {
  failures.push(failure);
  const { kind, detail, number, text } = failure;
  const from = options.from === null ? "" : ` --from ${options.from}`;
  const again = `npm run fuzz -- --seed ${options.seed}${from} --only ${number}`;
  process.stderr.write(`${CLEAR_LINE}${kind}: ${detail}\n  ${again}\n  ${JSON.stringify(text)}\n\n`);
}

function report({ bytes, blocks, mostPerByte }: Summary, { options, failures }: Run): void {
  const documents = options.only === null ? options.count : 1;
  const perByte = { average: blocks / bytes, most: mostPerByte };
  if (options.json) {
    const findings = { documents, seed: options.seed, bytes, blocksPerByte: perByte, failures };
    process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    return;
  }
  process.stderr.write(
    `${CLEAR_LINE}${documents} documents, ${(bytes / 1e6).toFixed(1)} MB: ${failures.length} failures; ` +
      `${perByte.average.toFixed(1)} blocks a byte on average, ${perByte.most.toFixed(1)} at most.\n`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

process.exitCode = await main();
