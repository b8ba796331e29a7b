import { parseArgs } from "node:util";

export const benchmarkNames = [
  "tools",
  "own-tools",
  "many-own",
  "index",
  "search",
  "load",
  "prompt",
  "invoke",
  "by-hand",
  "cached",
  "limits",
  "arguments",
  "validation",
  "compile",
  "recheck",
  "start-up",
] as const;
export type BenchmarkName = (typeof benchmarkNames)[number];

export interface Options {
  only: BenchmarkName[];
  rounds: number;
  seconds: number;
  json: boolean;
}

export const HELP = `Usage: npm run bench -- [options]

Measures the gateway on workerd, and the compiler, against bare baselines in the same run, by turns.
Speaks to this machine only. Takes six to seven minutes.

Options:
  --only NAMES     some of ${benchmarkNames.join(", ")}; separated by commas
  --rounds N       how often each is measured (5)
  --seconds N      the length of one measurement under load (2)
  --json           the figures of every round as JSON
  --help           show this

Examples:
  npm run bench
  npm run bench -- --only tools,invoke
  npm run bench -- --only invoke --rounds 9 --seconds 3
  npm --silent run bench -- --json > bench.json

Exit status: 0 where everything was measured, 1 where it was not (a reply that is no success, a program that did
not start), 2 for a wrong option. A missed aim is no failure: on another machine, or a busy one, it may be met.
`;

/** The options of a command line, null where help is asked for, or a sentence on what is wrong with it. */
export function readOptions(args: string[]): Options | null | string {
  const words = parseWords(args);
  if (typeof words === "string") return words;
  if (words.help === true) return null;
  const only = readNames(words.only);
  if (typeof only === "string") return only;
  const rounds = readNumber(words.rounds, 5);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000)
    return `--rounds expects a whole number from 1 to 1000, not ${words.rounds}.`;
  const seconds = readNumber(words.seconds, 2);
  if (!(seconds >= 0.5 && seconds <= 600))
    return `--seconds expects a number from 0.5 to 600, not ${words.seconds}.`;
  return { only, rounds, seconds, json: words.json === true };
}

function parseWords(args: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { only: text, rounds: text, seconds: text, json: flag, help: flag };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
}

/** In the order of the table, each once; all where nothing is given. */
function readNames(list: string | undefined): BenchmarkName[] | string {
  if (list === undefined) return [...benchmarkNames];
  const wanted = list.split(",").map((name) => name.trim());
  const strange = wanted.find((name) => !benchmarkNames.some((known) => known === name));
  if (strange !== undefined)
    return `--only knows ${benchmarkNames.join(", ")}, not ${JSON.stringify(strange)}.`;
  return benchmarkNames.filter((name) => wanted.includes(name));
}

/** NaN where the text is no decimal number. */
function readNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
