/** Builds the skills, starts the sandbox upstream and the gateway in front of it, and says how to call it. */
import { createServer } from "node:net";
import { DEFAULT_API_KEY, startSandbox } from "../sandbox/server.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

const HELP = `Usage: npm start

Starts the gateway on http://127.0.0.1:8787 in front of a sandbox that plays the upstreams of the bundled skills.
Needs no account, no key and no network. Everything ends with Ctrl-C.

Environment:
  PORT        where to listen (8787)
  STATE_DIR   where user skills and counters are kept (.wrangler/state)
  LIMITER, SKILLGATE_KEY_LIMITS
              as where the gateway is deployed

Examples:
  npm start
  PORT=9000 npm start
`;

const DEFAULT_STATE_DIR = ".wrangler/state";

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  if (words.length > 0) return help(words);
  const port = readPort(process.env.PORT ?? "8787");
  if (port === null) {
    process.stderr.write(
      `PORT is a whole number from 1 to 65535, not ${JSON.stringify(process.env.PORT)}.\n`,
    );
    return 2;
  }
  if (!(await isFree(port))) {
    process.stderr.write(
      `Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start\n`,
    );
    return 1;
  }
  return run(port);
}

/** Everything is set by the environment, so any other word than `--help` is a mistake. */
function help([first = ""]: readonly string[]): number {
  const isAsked = first === "--help" || first === "-h";
  if (!isAsked) process.stderr.write(`npm start takes no ${first}.\n\n`);
  (isAsked ? process.stdout : process.stderr).write(HELP);
  return isAsked ? 0 : 2;
}

function readPort(text: string): number | null {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : null;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Runs until the worker ends or somebody ends it; the sandbox never outlives it. */
async function run(port: number): Promise<number> {
  const ended = new Promise<"ended">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve("ended"));
  });
  const sandbox = await startSandbox({ apiKey: DEFAULT_API_KEY });
  const stateDir = process.env.STATE_DIR ?? DEFAULT_STATE_DIR;
  const upstream = { upstreamUrl: sandbox.url, upstreamKey: DEFAULT_API_KEY };
  const worker = startWorker({ port, ...upstream, stateDir, variables: passedOn() });
  try {
    const first = await Promise.race([worker.ready, worker.exit, ended]);
    if (first === "ready") {
      process.stdout.write(welcome(port, sandbox.url));
      await Promise.race([worker.exit, ended]);
    }
  } finally {
    await stop(worker);
    await sandbox.close();
  }
  const status = await worker.exit;
  return worker.wasStopped ? 0 : status === 0 ? 1 : status;
}

/** What is set here is set there. */
function passedOn(): Record<string, string> {
  return Object.fromEntries(
    ["LIMITER", "SKILLGATE_KEY_LIMITS"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function stop(worker: WorkerProcess): Promise<void> {
  worker.stop();
  await worker.exit;
}

function welcome(port: number, sandboxUrl: string): string {
  const url = `http://127.0.0.1:${port}`;
  return `
Skillgate listens on ${url} (open to this machine only, no key asked for).
The upstreams are played by a sandbox on ${sandboxUrl}; its data is made up.

Paste into another terminal:

  curl -s '${url}/v1/tools?format=openai'
  curl -s ${url}/v1/invoke/get_realtime_price -d '{"symbol":"NVDA.US"}'
  curl -s ${url}/v1/invoke/convert_currency -d '{"amount":100,"from":"USD","to":"CNY"}'
  curl -s ${url}/v1/invoke/get_order_book -d '{"symbol":"SPX.IDX"}'

The last one is refused: an index has no order book, and the gateway knows.
Ctrl-C ends both.
`;
}

process.exitCode = await main();
