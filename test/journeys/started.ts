import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The gateway as `npm start` starts it, with a state of its own. */
export interface StartedGateway {
  url: string;
  /** Everything that was printed so far. */
  output(): string;
  process: ChildProcess;
  /** Ends it as Ctrl-C would; settles with the exit status. */
  stop(): Promise<number | null>;
}

/** Runs `npm start` on a free port and waits until it says that it listens. */
export async function startGateway(): Promise<StartedGateway> {
  const port = await freePort();
  const stateDir = await mkdtemp(join(tmpdir(), "skillgate-"));
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: { ...process.env, PORT: String(port), STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve)).finally(() =>
    rm(stateDir, { recursive: true, force: true, maxRetries: 5 }),
  );
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("Ctrl-C ends both")) resolve();
      });
    }
  });
  const started = await Promise.race([ready.then(() => true), exit.then(() => false)]);
  if (!started) throw new Error(`npm start ended at once:\n${output}`);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    process: child,
    stop() {
      process.kill(-(child.pid ?? 0), "SIGINT");
      return exit;
    },
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
