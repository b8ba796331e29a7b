import { parseArgs } from "node:util";
import { FAIR, type Weather } from "./model/scenario.ts";

/** What a run is told on the command line. */
export interface Options {
  isolates: number[];
  limits: number[];
  loads: number[];
  weather: Weather;
  /** Whether the rows of rough weather are wanted too. */
  rough: boolean;
  seeds: number;
  firstSeed: number;
  /** Null for as long as suits the scenario. */
  minutes: number | null;
  json: boolean;
  /** Where to write the plot, or null. */
  plot: string | null;
}

/** What `--help` prints. */
export const HELP = `Usage: npm run simulate:limits -- [options]

Lets many isolates serve calls against one limit a minute, over a model of Workers KV, and says by how much the limit
was exceeded, how many calls were refused though there was room, and what it took. The limiters are those of the
Worker. All isolates start fresh; figures are medians over the seeds.

What is simulated:
  --isolates LIST   how many isolates (2,5,20)
  --limits LIST     calls a minute that are allowed (60,600,6000)
  --loads LIST      calls that are made, as multiples of the limit (0.5,0.9,5)
  --seeds N         runs of each, with seeds that follow each other (5)
  --seed S          the first seed: the same seeds give the same figures (1)
  --minutes N       how long each run lasts (5; 2 where more than 10,000 calls a minute are made)
  --quick           the same with one seed, and no rough weather

The weather:
  --latency MS      what an operation takes, half as much up to half as much again (30)
  --places N        isolates are spread over so many places (1)
  --delay MS        how late a write shows in another place (0)
  --skew MS         how far clocks are off, either way (0)
  --burst N         calls that come at once (1)
  --slope N         how many times more calls an isolate gets than the next one (1)
  --failures SHARE  operations of KV that fail (0)
  Where any is given, the rows of rough weather are left out.

Output:
  --json            the figures as JSON on standard output
  --plot FILE       draw overshoot against load, as SVG
  --help            show this

Examples:
  npm run simulate:limits
  npm run simulate:limits -- --quick
  npm run simulate:limits -- --isolates 10 --limits 300 --loads 1,2,3
  npm run simulate:limits -- --places 3 --delay 60000 --loads 5
  npm run --silent simulate:limits -- --json --plot overshoot.svg > limits.json

Exit status: 0 where all was simulated, 2 for a wrong option or a file that cannot be written.
`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const words = {
  isolates: text,
  limits: text,
  loads: text,
  seeds: text,
  seed: text,
  minutes: text,
  latency: text,
  places: text,
  delay: text,
  skew: text,
  burst: text,
  slope: text,
  failures: text,
  plot: text,
  quick: flag,
  json: flag,
  help: flag,
} as const;

type Words = ReturnType<typeof parseArgs<{ options: typeof words }>>["values"];

/** A number that an option takes, from `least` to `most`. */
interface Range {
  least: number;
  most: number;
  whole: boolean;
}

const COUNT: Range = { least: 1, most: 1_000, whole: true };
const LIMIT: Range = { least: 1, most: 100_000, whole: true };
const LOAD: Range = { least: 0.01, most: 100, whole: false };
const SEED: Range = { least: 0, most: 4_294_967_295, whole: true };
const MINUTES: Range = { least: 1, most: 60, whole: true };
const DURATION: Range = { least: 0, most: 600_000, whole: false };
const SLOPE: Range = { least: 1, most: 100, whole: false };
const SHARE: Range = { least: 0, most: 1, whole: false };

/** Something about an option that is wrong. */
class OptionError extends Error {}

/** The options of a command line, null where help is asked for, or a sentence on what is wrong with it. */
export function readOptions(args: string[]): Options | null | string {
  try {
    const given = parseArgs({ args, options: words }).values;
    return given.help === true ? null : optionsFrom(given);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof OptionError)) throw error;
    return error.message;
  }
}

function optionsFrom(given: Words): Options {
  const isQuick = given.quick === true;
  const weather = weatherFrom(given);
  const isFair = Object.values(weather).every((value, index) => value === Object.values(FAIR)[index]);
  return {
    isolates: listOf(given, "isolates", [2, 5, 20], COUNT),
    limits: listOf(given, "limits", [60, 600, 6_000], LIMIT),
    loads: listOf(given, "loads", [0.5, 0.9, 5], LOAD),
    weather,
    rough: isFair && !isQuick,
    seeds: numberOf(given, "seeds", isQuick ? 1 : 5, COUNT),
    firstSeed: numberOf(given, "seed", 1, SEED),
    minutes: given.minutes === undefined ? null : numberFrom(given.minutes, "minutes", MINUTES),
    json: given.json === true,
    plot: given.plot ?? null,
  };
}

function weatherFrom(given: Words): Weather {
  return {
    latencyMs: numberOf(given, "latency", FAIR.latencyMs, DURATION),
    places: numberOf(given, "places", FAIR.places, COUNT),
    delayMs: numberOf(given, "delay", FAIR.delayMs, DURATION),
    skewMs: numberOf(given, "skew", FAIR.skewMs, DURATION),
    burst: numberOf(given, "burst", FAIR.burst, COUNT),
    slope: numberOf(given, "slope", FAIR.slope, SLOPE),
    failures: numberOf(given, "failures", FAIR.failures, SHARE),
  };
}

type TextOption = Exclude<keyof Words, "quick" | "json" | "help">;

function numberOf(given: Words, name: TextOption, otherwise: number, range: Range): number {
  const word = given[name];
  return word === undefined ? otherwise : numberFrom(word, name, range);
}

function listOf(given: Words, name: TextOption, otherwise: number[], range: Range): number[] {
  return given[name]?.split(",").map((word) => numberFrom(word.trim(), name, range)) ?? otherwise;
}

function numberFrom(word: string, name: string, { least, most, whole }: Range): number {
  const number = /^\d+(\.\d+)?$/.test(word) ? Number(word) : Number.NaN;
  if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number;
  throw new OptionError(
    `--${name} expects ${whole ? "whole numbers" : "numbers"} from ${least} to ${most}, not ${JSON.stringify(word)}.`,
  );
}
