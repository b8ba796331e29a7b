import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { undoAtEnd } from "../ending.ts";

/** A `workerd serve` that listens. */
export interface Workerd {
  /** Without a slash at the end. */
  url: string;
  pid: number;
  stop(): void;
}

/** The runtime that wrangler brings along: the program itself, not the script around it, and its version. */
export const runtime: { default: string; version: string } = createRequire(import.meta.url)("workerd");

/** What is kept of the runtime's own words, for the error of one that does not start. */
const MAX_COMPLAINT_CHARACTERS = 2_000;

/** Starts a configuration; settles as soon as it listens, and rejects where it ends before that. */
export function startWorkerd(configPath: string): Promise<Workerd> {
  const child = spawn(runtime.default, ["serve", configPath, "--control-fd=3"], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const stop = undoAtEnd(() => child.kill("SIGKILL"));
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      stop();
      reject(new Error(`workerd ended with status ${code} before it listened: ${complaint.trim()}`));
    });
    const { pid } = child;
    const [, , , control] = child.stdio;
    if (pid === undefined || !(control instanceof Readable)) return;
    createInterface({ input: control }).once("line", (line) => {
      const { port }: { port: number } = JSON.parse(line);
      resolve({ url: `http://127.0.0.1:${port}`, pid, stop });
    });
  });
}
