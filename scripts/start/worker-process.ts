import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { localVariables, quietWrangler, wranglerEntry } from "../wrangler.ts";

export interface WorkerSettings {
  port: number;
  /** The origin of the upstream that stands in for the real ones. */
  upstreamUrl: string;
  upstreamKey: string;
  /** Where local KV and local objects keep their data. */
  stateDir: string;
  /** Variables of the operator's, by name. */
  variables: Readonly<Record<string, string>>;
}

/** The worker under `wrangler dev`, as a process of its own. */
export interface WorkerProcess {
  /** Settles when it answers requests. */
  ready: Promise<"ready">;
  /** Settles with the exit status when it has ended. */
  exit: Promise<number>;
  /** Whether `stop` was called. */
  readonly wasStopped: boolean;
  stop(): void;
}

const root = join(import.meta.dirname, "../..");

/** Starts the worker for this machine only: it asks for no key and may call loopback addresses. */
export function startWorker(settings: WorkerSettings): WorkerProcess {
  const wrangler = [process.execPath, wranglerEntry, ...wranglerWords(settings)];
  const child = spawn(process.execPath, [join(import.meta.dirname, "leash.ts"), ...wrangler], {
    cwd: root,
    // A group of its own: a Ctrl-C on the terminal does not reach it before `stop` does, and `stop` reaches all of it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...ENVIRONMENT },
  });
  let wasStopped = false;
  return {
    ready: relayOutput(child),
    exit: new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1))),
    get wasStopped() {
      return wasStopped;
    },
    stop() {
      wasStopped = true;
      signalGroup(child, "SIGTERM");
    },
  };
}

/** No look-ups, no questions and no colours: the output is read line by line. */
const ENVIRONMENT = { ...quietWrangler, NO_UPDATE_NOTIFIER: "1", CI: "true", FORCE_COLOR: "0" };

function wranglerWords(settings: WorkerSettings): string[] {
  const { port, upstreamUrl, upstreamKey, stateDir } = settings;
  const variables = { ...localVariables(upstreamUrl, upstreamKey), ...settings.variables };
  return [
    "dev",
    "--local",
    "--ip=127.0.0.1",
    `--port=${port}`,
    "--inspector-port=0",
    "--show-interactive-dev-session=false",
    "--log-level=log",
    `--persist-to=${stateDir}`,
    ...Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Lines that only tell what the welcome tells better. */
const CHATTER =
  /^\s*$|⛅|─{5,}|Ready on|custom build\]|Your Worker has access|^Binding |^env\.|Starting local server|Using vars defined|update available|\(hidden\)|^╭|^│|^╰|\[wrangler:info\]|Logs were written/;

/** Passes the worker's output on without chatter; settles when the line comes that says where it listens. */
function relayOutput(child: ChildProcess): Promise<"ready"> {
  return new Promise((resolve) => {
    const relay = (stream: Readable | null, to: NodeJS.WriteStream): void => {
      if (stream === null) return;
      createInterface({ input: stream }).on("line", (line) => {
        if (line.includes("Ready on")) resolve("ready");
        if (!CHATTER.test(line)) to.write(`${line}\n`);
      });
    };
    relay(child.stdout, process.stdout);
    relay(child.stderr, process.stderr);
  });
}
