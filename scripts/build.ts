/** Compiles skill documents, says what is wrong with them, and bundles the worker with them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type DerivedDocument, deriveOnce, openDerived } from "../src/cli/skills/cache/derived.ts";
import { openOutcomes } from "../src/cli/skills/cache/outcomes.ts";
import { projectCache } from "../src/cli/skills/cache/place.ts";
import { type CompileDocument, type CompiledDocument, compileSummary } from "../src/cli/skills/document.ts";
import { type OnFile, type Reading, readSkillsBy } from "../src/cli/skills/read.ts";
import { paintFor } from "../src/cli/terminal/paint.ts";
import { endWithReader } from "../src/cli/terminal/pipe.ts";
import { progressOn } from "../src/cli/terminal/progress.ts";
import { renderErrors, renderSummary, summaryOf } from "../src/cli/terminal/report.ts";
import type { LinkInput } from "../src/compile/index.ts";
import type { SkillRecord } from "../src/ir.ts";
import { recordOf } from "./catalog/record.ts";
import { type WrittenBundle, writeBundle } from "./catalog/write.ts";
import { bundleWorker } from "./worker/bundle.ts";

const HELP = `Usage: npm run build -- [options]

Compiles every SKILL.md below skills/ into dist/catalog and bundles the worker into dist/worker.

Options:
  --from DIR   compile the documents below DIR instead and write nothing
  --json       print the diagnostics and counts as JSON on standard output
  --quiet      print nothing but errors
  --no-cache   compile every document, also those that have not changed since the last time
  --help       show this

Examples:
  npm run build
  npm run build -- --from ../my-skills
  npm run build -- --from ../my-skills --json > report.json

Exit status: 0 where every document compiles, 1 where one does not, 2 for a wrong option or no such folder.
`;

const SKILLS = join(import.meta.dirname, "../skills");
const OUTPUT = join(import.meta.dirname, "../dist");

interface Options {
  from: string | undefined;
  json: boolean;
  quiet: boolean;
  cache: boolean;
  help: boolean;
}

function readOptions(): Options | null {
  const options = {
    from: { type: "string" },
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    cache: { type: "boolean", default: true },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { from, json, quiet, cache, help } = parseArgs({ options, allowNegative: true }).values;
    return { from, json, quiet, cache, help };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${HELP}`);
    return null;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) return 2;
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = options.from ?? SKILLS;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    process.stderr.write(`There is no folder ${folder}.\n`);
    return 2;
  }
  return options.from === undefined ? await build(options) : await checkOnly(options.from, options);
}

/** Compiles the documents of a folder and says what is wrong with them. */
async function checkOnly(folder: string, options: Options): Promise<number> {
  const place = options.cache ? projectCache(process.env) : null;
  const cache = place === null ? null : openOutcomes(place, folder);
  const reading = await readSkillsBy(cache?.compile ?? compileSummary, folder, progressOf(options));
  cache?.save();
  report(reading, options);
  return hasErrors(reading) ? 1 : 0;
}

/** Compiles the bundled skills and writes what the worker is made of. */
async function build(options: Options): Promise<number> {
  const place = options.cache ? projectCache(process.env) : null;
  const cache = place === null ? null : openDerived(place, SKILLS, recordText);
  const compile: CompileDocument<DerivedDocument> =
    cache?.compile ?? ((document) => deriveOnce(document, recordText));
  const reading = await readSkillsBy(compile, SKILLS, progressOf(options));
  cache?.save();
  report(reading, options);
  if (hasErrors(reading)) return 1;
  const records = reading.compiled.map(({ derived }): SkillRecord => JSON.parse(derived));
  const { hash, losses } = await writeBundle(join(OUTPUT, "catalog"), records);
  const { start, onDemand } = await bundleWorker(join(OUTPUT, "worker"));
  if (options.quiet || options.json) return 0;
  reportLosses(losses);
  process.stderr.write(
    `Wrote dist/catalog (${hash.slice(0, 12)}) and dist/worker (${kilobytes(start)} KB gzipped, on demand ${kilobytes(onDemand)} KB).\n`,
  );
  return 0;
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}

async function recordText(compiled: CompiledDocument): Promise<string> {
  return JSON.stringify(await recordOf(compiled));
}

function progressOf({ quiet }: Options): OnFile {
  return quiet ? () => {} : progressOn(process.stderr);
}

function hasErrors({ diagnostics }: Reading<LinkInput>): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

function report(reading: Reading<LinkInput>, { json, quiet }: Options): void {
  const summary = summaryOf(reading);
  const paint = paintFor(process.stderr, "auto", process.env);
  if (json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  else process.stderr.write(quiet ? renderErrors(summary, paint) : renderSummary(summary, paint));
}

/** What the providers' formats cannot express, counted; each tool's description says what it lost. */
function reportLosses(losses: WrittenBundle["losses"]): void {
  const counts = countBy(losses, ({ dialect, keyword, outcome }) => `${dialect}: ${keyword} ${outcome}`);
  for (const [loss, count] of counts) process.stderr.write(`${String(count).padStart(6)}  ${loss}\n`);
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return new Map([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}

endWithReader(process.stdout);
process.exitCode = await main();
