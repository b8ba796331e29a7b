import { stat } from "node:fs/promises";
import type { LinkInput } from "../../compile/index.ts";
import { openOutcomes } from "../skills/cache/outcomes.ts";
import { projectCache } from "../skills/cache/place.ts";
import { type CompileDocument, compileSummary } from "../skills/document.ts";
import { readSkillsBy } from "../skills/read.ts";
import { isSystemError } from "../system-error.ts";
import { type ColorChoice, paintFor } from "../terminal/paint.ts";
import { progressOn } from "../terminal/progress.ts";
import {
  renderDiagnostics,
  renderErrors,
  renderSummary,
  type Summary,
  summaryOf,
} from "../terminal/report.ts";
import { type Change, fixingFirst, renderChanges } from "./changes.ts";
import { type PlacedLoss, renderLosses, weighingLosses } from "./losses.ts";

/** What a check is told on the command line. */
export interface CheckOptions {
  json: boolean;
  fix: boolean;
  dryRun: boolean;
  strict: boolean;
  quiet: boolean;
  /** Whether it is also said what the providers' formats cannot express; all documents are then compiled. */
  dialects: boolean;
  /** Whether documents that have not changed since they were last checked are not compiled again. */
  cache: boolean;
  color: ColorChoice;
}

/** What `check --json` prints. */
export interface CheckReport extends Summary {
  /** What `--fix` changed; the diagnostics are those that are left. */
  changes: Change[];
  /** With `--dialects`: what the providers' formats cannot express, by file. */
  losses: PlacedLoss[];
}

/** Where a command writes and what surrounds it. */
export interface Surroundings {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  environment: NodeJS.ProcessEnv;
}

/**
 * Checks the skill documents below a folder, or one document.
 * @returns the exit status: 0 where nothing is wrong, 1 where something is, 2 where there is nothing to check
 */
export async function check(
  target: string,
  options: CheckOptions,
  { stdout, stderr, environment }: Surroundings,
): Promise<number> {
  if (!(await isFileOrFolder(target))) {
    stderr.write(`There is no file or folder ${target}.\n`);
    return 2;
  }
  const changes: Change[] = [];
  const place = options.cache && !options.dialects ? projectCache(environment) : null;
  const cache = place === null ? null : openOutcomes(place, target);
  // By file, as one that is fixed is compiled twice.
  const losses = new Map<string, readonly PlacedLoss[]>();
  const plain = options.dialects
    ? weighingLosses((file, found) => losses.set(file, found))
    : (cache?.compile ?? compileSummary);
  const compile = fixingWhereAsked(plain, options, (change) => changes.push(change));
  const reading = await readSkillsBy(compile, target, options.quiet ? () => {} : progressOn(stderr));
  cache?.save();
  const report: CheckReport = { ...summaryOf(reading), changes, losses: [...losses.values()].flat() };
  const paint = paintFor(stderr, options.color, environment);
  if (reading.files.length === 0) {
    // A link to a document, say, which is not followed and of which a diagnostic tells.
    stderr.write(`${renderDiagnostics(report, paint)}There is no SKILL.md in ${target} or below it.\n`);
    return 2;
  }
  if (options.json) stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else stderr.write(renderReport(report, options, paint));
  return isWrong(report, options.strict) ? 1 : 0;
}

function isWrong({ errors, warnings, losses, changes }: CheckReport, isStrict: boolean): boolean {
  const isRefused = changes.some(({ refusal }) => refusal !== null);
  return errors > 0 || isRefused || (isStrict && warnings + losses.length > 0);
}

async function isFileOrFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() || found.isDirectory();
  } catch (error) {
    if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return false;
    throw error;
  }
}

function fixingWhereAsked(
  compile: CompileDocument<LinkInput>,
  { fix, dryRun }: CheckOptions,
  onChange: (change: Change) => void,
): CompileDocument<LinkInput> {
  return fix ? fixingFirst(compile, dryRun, onChange) : compile;
}

function renderReport(
  report: CheckReport,
  { quiet, dialects }: CheckOptions,
  paint: ReturnType<typeof paintFor>,
): string {
  const { changes, losses } = report;
  const lost = dialects ? renderLosses(losses, paint) : "";
  if (!quiet) return renderChanges(changes, paint) + renderSummary(report, paint) + lost;
  const refused = changes.filter(({ refusal }) => refusal !== null);
  return renderChanges(refused, paint) + renderErrors(report, paint);
}
