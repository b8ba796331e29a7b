import { spawn } from "node:child_process";

/** Wrangler is to look nothing up and report nothing: tests and offline runs have no use for it. */
const environment = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" };

/**
 * Runs commands one after the other with this process's streams, until one fails.
 * @returns the exit status of the last one that ran
 */
export async function runAll(commands: readonly (readonly [string, ...string[]])[]): Promise<number> {
  for (const [name, ...words] of commands) {
    const status = await runOne(name, words);
    if (status !== 0) return status;
  }
  return 0;
}

function runOne(name: string, words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, words, { stdio: "inherit", env: environment });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}
