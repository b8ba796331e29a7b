import { spawn } from "node:child_process";
import { quietWrangler } from "./wrangler.ts";

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
    const child = spawn(name, words, { stdio: "inherit", env: { ...process.env, ...quietWrangler } });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}
