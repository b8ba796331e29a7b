/** Compiles skill documents, says what is wrong with them, and bundles the worker with them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { type Paint, plainPaint, renderDiagnostic } from "../src/compile/index.ts";
import { type Reading, readSkills } from "./catalog/read.ts";
import { type WrittenBundle, writeBundle } from "./catalog/write.ts";
import { bundleWorker } from "./worker/bundle.ts";

const HELP = `Usage: npm run build -- [options]

Compiles every SKILL.md below skills/ into dist/catalog and bundles the worker into dist/worker.js.

Options:
  --from DIR   compile the documents below DIR instead and write nothing
  --json       print the diagnostics and counts as JSON on standard output
  --quiet      print nothing but errors
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
  help: boolean;
}

function readOptions(): Options | null {
  const options = {
    from: { type: "string" },
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { from, json, quiet, help } = parseArgs({ options }).values;
    return { from, json, quiet, help };
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
  const reading = await readSkills(folder, progress(options.quiet));
  const failed = reading.diagnostics.some(({ severity }) => severity === "error");
  report(reading, options);
  if (options.from !== undefined || failed) return failed ? 1 : 0;
  const { hash, losses } = await writeBundle(join(OUTPUT, "catalog"), reading.compiled);
  const { gzippedBytes } = await bundleWorker(join(OUTPUT, "worker.js"));
  if (options.quiet || options.json) return 0;
  reportLosses(losses);
  const size = (gzippedBytes / 1000).toFixed(0);
  process.stderr.write(
    `Wrote dist/catalog (${hash.slice(0, 12)}) and dist/worker.js (${size} KB gzipped).\n`,
  );
  return 0;
}

/** On a terminal, and from the second second on, a line that says how far the work is. */
function progress(quiet: boolean): (done: number, of: number) => void {
  if (quiet || !process.stderr.isTTY) return () => {};
  const begin = performance.now();
  return (done, of) => {
    if (performance.now() - begin < 2_000) return;
    process.stderr.write(done === of ? "\r\u001b[K" : `\rCompiling ${done} of ${of} …`);
  };
}

function report({ files, compiled, diagnostics }: Reading, { json, quiet }: Options): void {
  const counts = countBy(diagnostics, ({ severity, code }) => `${severity} ${code}`);
  if (json) {
    const summary = {
      files: files.length,
      compiled: compiled.length,
      counts: Object.fromEntries(counts),
      diagnostics,
    };
    process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    return;
  }
  const paint = process.stderr.isTTY ? terminalPaint : plainPaint;
  const shown = diagnostics.filter(({ severity }) => !quiet || severity === "error");
  for (const diagnostic of shown) process.stderr.write(`${renderDiagnostic(diagnostic, paint)}\n\n`);
  if (quiet) return;
  for (const [code, count] of counts) process.stderr.write(`${String(count).padStart(6)}  ${code}\n`);
  process.stderr.write(`${compiled.length} of ${files.length} documents compiled.\n`);
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

const terminalPaint: Paint = {
  error: (text) => styleText(["red", "bold"], text),
  warning: (text) => styleText(["yellow", "bold"], text),
  place: (text) => styleText("bold", text),
  gutter: (text) => styleText("blue", text),
  fix: (text) => styleText("green", text),
};

process.exitCode = await main();
