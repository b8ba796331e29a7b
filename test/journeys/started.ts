import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { startRecorder } from "../leaks/recorder.ts";

const root = join(import.meta.dirname, "../..");

/** A gateway as a process of its own, with a state of its own; all that it says and keeps is kept to be searched. */
export interface StartedGateway {
  url: string;
  /** Where it listens itself; `url` leads there through the recorder of its replies. */
  port: number;
  /** Everything that was printed so far. */
  output(): string;
  process: ChildProcess;
  /** Ends it as Ctrl-C would; settles with the exit status. */
  stop(): Promise<number | null>;
}

/** How a gateway is run as a process. */
export interface Launch {
  command: string;
  words: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** Its output has this as soon as it answers requests. */
  sign: string;
}

/**
 * Runs `npm start` on a free port and waits until it says that it listens.
 * @param evidence the folder of all that gateways under test say and keep
 * @param others variables set for it; with STATE_DIR among them its state is not its own
 */
export function startGateway(
  evidence: string,
  others: Readonly<Record<string, string>> = {},
): Promise<StartedGateway> {
  return launchGateway(evidence, (port, folder) => ({
    command: "npm",
    words: ["start"],
    variables: { PORT: String(port), STATE_DIR: join(folder, "state"), ...others },
    sign: "Ctrl-C ends both",
  }));
}

/** Starts a gateway on a free port, with a folder that it may write to. */
export async function launchGateway(
  evidence: string,
  launchOn: (port: number, folder: string) => Launch | Promise<Launch>,
): Promise<StartedGateway> {
  const port = await freePort();
  await mkdir(evidence, { recursive: true });
  const folder = await mkdtemp(join(evidence, "gateway-"));
  const { command, words, variables, sign } = await launchOn(port, folder);
  const child = spawn(command, words, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const printed = keepOutput(child, join(folder, "output.txt"));
  const started = await Promise.race([printed.shows(sign).then(() => true), exit.then(() => false)]);
  if (!started) throw new Error(`the gateway ended at once:\n${printed.text()}`);
  const recorder = await startRecorder(port, join(folder, "replies.txt"));
  void exit.then(() => recorder.close());
  return {
    url: recorder.url,
    port,
    output: printed.text,
    process: child,
    stop() {
      process.kill(-(child.pid ?? 0), "SIGINT");
      return exit;
    },
  };
}

/** What a process prints, which goes to a file too. */
function keepOutput(
  child: ChildProcess,
  file: string,
): { text(): string; shows(sign: string): Promise<void> } {
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      appendFileSync(file, text);
      for (const listener of listeners) listener();
    });
  }
  return {
    text: () => output,
    shows: (sign) =>
      new Promise((resolve) => {
        listeners.add(() => {
          if (output.includes(sign)) resolve();
        });
      }),
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
