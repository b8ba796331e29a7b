/** Simulates many isolates that share a limit, and shows how well each limiter keeps it. */
import { writeFileSync } from "node:fs";
import { type LimiterName, limiterNames, roughWeather, type Scenario } from "./model/scenario.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { PLOTTED_LOADS, renderPlot } from "./plot.ts";
import { simulateAll } from "./pool.ts";
import { type Result, resultsOf, runsOf, type Trial } from "./results.ts";
import { renderTable } from "./table.ts";

/** Rough weather is tried where it shows: a moderate limit, nearly and far more than used up. */
const ROUGH: Omit<Scenario, "load" | "weather"> = { isolates: 5, max: 600 };
const ROUGH_LOADS = [0.9, 5];

const PLOTTED_LIMIT = 600;

/** Longer than this without a sign of life looks like a hang. */
const SILENCE_MS = 2_000;

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
  const table = tableTrials(options);
  const plot = options.plot === null ? [] : plotTrials(options);
  const results = await resultsFor([...table, ...plot], options);
  const shown = results.slice(0, table.length);
  process.stdout.write(options.json ? jsonOf(shown, options) : renderTable(shown, options.seeds));
  return options.plot === null ? 0 : writePlot(options.plot, results.slice(table.length));
}

function tableTrials({ isolates, limits, loads, weather, rough }: Options): Trial[] {
  const scenarios = isolates.flatMap((count) =>
    limits.flatMap((max) => loads.map((load): Scenario => ({ isolates: count, max, load, weather }))),
  );
  const trials = scenarios.map((scenario) => ({ title: "", scenario, limiters: limiterNames }));
  return rough ? [...trials, ...roughTrials(weather)] : trials;
}

function roughTrials(fair: Options["weather"]): Trial[] {
  // What counts in one place holds in any weather.
  const limiters: LimiterName[] = ["naive", "kv"];
  return roughWeather.flatMap(([title, changes]) =>
    ROUGH_LOADS.map((load) => {
      const scenario = { ...ROUGH, load, weather: { ...fair, ...changes } };
      return { title, scenario, limiters };
    }),
  );
}

function plotTrials({ isolates, limits, weather }: Options): Trial[] {
  const max = limits.includes(PLOTTED_LIMIT) ? PLOTTED_LIMIT : (limits[0] ?? PLOTTED_LIMIT);
  return isolates.flatMap((count) =>
    PLOTTED_LOADS.map((load) => {
      const scenario = { isolates: count, max, load, weather };
      return { title: "", scenario, limiters: limiterNames };
    }),
  );
}

async function resultsFor(trials: readonly Trial[], options: Options): Promise<Result[]> {
  const runs = runsOf(trials, options);
  const begin = performance.now();
  const outcomes = await simulateAll(runs, (done) => showProgress(done, runs.length, begin));
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  return resultsOf(trials, outcomes, options.seeds);
}

const CLEAR_LINE = "\r\u001b[K";

function showProgress(done: number, all: number, begin: number): void {
  if (!process.stderr.isTTY || performance.now() - begin < SILENCE_MS) return;
  process.stderr.write(`${CLEAR_LINE}${done} of ${all} runs`);
}

function jsonOf(results: readonly Result[], { seeds, firstSeed }: Options): string {
  return `${JSON.stringify({ seeds, firstSeed, results }, null, 2)}\n`;
}

function writePlot(file: string, results: readonly Result[]): number {
  try {
    writeFileSync(file, renderPlot(results));
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`The plot cannot be written: ${error.message}\n`);
    return 2;
  }
}

process.exitCode = await main();
