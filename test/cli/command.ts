import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");
const entry = join(root, "src/cli/main.ts");
const launcher = join(root, "scripts/skillgate.mjs");

/** The cache of the runs below, so that they neither find nor leave anything in the project's own. */
export const cacheFolder = mkdtempSync(join(tmpdir(), "skillgate-cache-"));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

/** What a run of the command line left behind. */
export interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the command line in a folder, as a shell would.
 * @param output whether anybody reads its standard output
 */
export function skillgate(
  folder: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  output: "read" | "closed" = "read",
): Promise<Run> {
  return start(entry, folder, words, variables, output);
}

/** The same by the command that the package installs, which finds the project's own Node first. */
export function launchedSkillgate(
  folder: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Run> {
  return start(launcher, folder, words, variables);
}

function start(
  file: string,
  folder: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  output: "read" | "closed" = "read",
): Promise<Run> {
  const child = spawn(process.execPath, [file, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, SKILLGATE_CACHE_DIR: cacheFolder, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const run: Run = { status: null, stdout: "", stderr: "" };
  if (output === "closed") child.stdout.destroy();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    run.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    run.stderr += text;
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ ...run, status })));
}

/** A folder with files, by their paths; it is gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  return folder;
}
