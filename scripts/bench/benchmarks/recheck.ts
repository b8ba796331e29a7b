import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { appendFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { undoAtEnd } from "../ending.ts";
import { documentPath, writeSkillFolder } from "../reading/skill-folder.ts";
import type { Finding } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";

const DOCUMENTS = 10_000;

const CLI = join(import.meta.dirname, "../../../src/cli/main.ts");

/** Reads every file below the folder that it is told, and does nothing with them. */
const READ_ALL = `
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true }))
  if (entry.isFile()) readFileSync(join(entry.parentPath, entry.name));
`;

/** `skillgate check` after one document of many has changed, against a process that only reads them all. */
export async function benchRecheck({ rounds, progress }: Settings): Promise<Finding> {
  progress(`writing ${DOCUMENTS} documents`);
  const { folder, remove } = await writeSkillFolder(DOCUMENTS);
  const cache = await mkdtemp(join(tmpdir(), "skillgate-bench-"));
  const removeCache = undoAtEnd(() => rmSync(cache, { recursive: true, force: true }));
  const check = (): Promise<number> => timeOf([CLI, "check", folder, "--quiet"], cache);
  progress("the first check");
  const first = await check();
  let changes = 0;
  const measure = {
    async subject() {
      await appendFile(documentPath(folder, changes++ % DOCUMENTS), "One more line.\n");
      return check();
    },
    baseline: () => timeOf(["--eval", READ_ALL, folder], cache),
  };
  await byTurns(1, measure, () => {});
  const samples = await byTurns(rounds, measure, (round) => progress(`round ${round} of ${rounds}`));
  remove();
  removeCache();
  return {
    benchmark: "recheck",
    subject: `skillgate check after one of ${DOCUMENTS} documents has changed`,
    baseline: "a process that reads the same files",
    measurements: [{ name: "ms, whole process", relation: "ratio", digits: 0, aim: null, rounds: samples }],
    figures: [{ name: "ms, the first check", value: first, digits: 0 }],
    notes: [],
  };
}

/** Milliseconds that Node takes with these arguments, from its start to its end, with the caches of a second start. */
async function timeOf(words: readonly string[], cache: string): Promise<number> {
  const environment = {
    ...process.env,
    SKILLGATE_CACHE_DIR: join(cache, "skills"),
    NODE_COMPILE_CACHE: join(cache, "node"),
  };
  const begin = performance.now();
  const run = promisify(execFile)(process.execPath, words, { env: environment });
  const stop = undoAtEnd(() => run.child.kill());
  await run;
  stop();
  return performance.now() - begin;
}
