/** Measures the gateway and the compiler against bare baselines, and prints what came of it. */
import { cpus } from "node:os";
import { styleText } from "node:util";
import { benchArguments } from "./benchmarks/arguments.ts";
import { benchCached } from "./benchmarks/cached.ts";
import { benchCompile } from "./benchmarks/compile.ts";
import { benchByHand, benchInvoke } from "./benchmarks/invoke.ts";
import { benchLimits } from "./benchmarks/limits.ts";
import { benchManyOwn } from "./benchmarks/many-own.ts";
import { benchIndex, benchLoad, benchPrompt, benchSearch } from "./benchmarks/reading.ts";
import { benchRecheck } from "./benchmarks/recheck.ts";
import { benchStartUp } from "./benchmarks/start-up.ts";
import { benchOwnTools, benchTools } from "./benchmarks/tools.ts";
import { benchValidation } from "./benchmarks/validation.ts";
import { endOnSignals } from "./ending.ts";
import { type BenchmarkName, HELP, type Options, readOptions } from "./options.ts";
import { type Finding, renderReport, reportJson } from "./report.ts";
import type { Settings } from "./rounds.ts";
import { runtime } from "./workerd/process.ts";
import { Workshop } from "./workshop.ts";

const benchmarks: Record<BenchmarkName, (workshop: Workshop, settings: Settings) => Promise<Finding>> = {
  tools: benchTools,
  "own-tools": benchOwnTools,
  "many-own": benchManyOwn,
  index: benchIndex,
  search: benchSearch,
  load: benchLoad,
  prompt: benchPrompt,
  invoke: benchInvoke,
  "by-hand": benchByHand,
  cached: benchCached,
  limits: benchLimits,
  arguments: (_workshop, settings) => benchArguments(settings),
  validation: benchValidation,
  compile: (_workshop, settings) => benchCompile(settings),
  recheck: (_workshop, settings) => benchRecheck(settings),
  "start-up": benchStartUp,
};

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
  endOnSignals();
  const findings = await measure(options);
  const [processor] = cpus();
  const surroundings = {
    processor: processor?.model.trim() ?? "unknown",
    processors: cpus().length,
    node: process.versions.node,
    workerd: runtime.version,
  };
  process.stdout.write(
    options.json ? reportJson(findings, surroundings) : renderReport(findings, surroundings),
  );
  return 0;
}

async function measure({ only, rounds, seconds }: Options): Promise<Finding[]> {
  const workshop = await Workshop.open();
  const findings: Finding[] = [];
  for (const name of only) {
    const progress = progressOf(name);
    findings.push(await benchmarks[name](workshop, { rounds, seconds, progress }));
  }
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  return findings;
}

const CLEAR_LINE = "\r\u001b[K";

/** On a terminal a line that keeps changing, otherwise one line for the whole benchmark. */
function progressOf(name: BenchmarkName): (text: string) => void {
  if (process.stderr.isTTY) return (text) => process.stderr.write(`${CLEAR_LINE}${name}: ${text} …`);
  process.stderr.write(`Measuring ${name} …\n`);
  return () => {};
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`\n${styleText("red", "The benchmarks failed:")} ${error.message}\n`);
  process.exit(1);
}
