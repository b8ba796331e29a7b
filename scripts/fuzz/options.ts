import { parseArgs } from "node:util";

/** What a run is told on the command line. */
export interface Options {
  count: number;
  seed: number;
  /** The one case to run, or null for all. */
  only: number | null;
  /** A folder with more documents to break, or null. */
  from: string | null;
  json: boolean;
}

/** What `--help` prints. */
export const HELP = `Usage: npm run fuzz -- [options]

Compiles documents with something broken in them, made from the fixtures and the bundled skills. None may crash
the compiler, none may keep it busier than its size allows (blocks of code run, counted by the engine), and every
diagnostic must stand at a place of the document.

Options:
  --count N    how many documents (100000)
  --seed S     which ones: the same seed makes the same documents of the same files (1)
  --only N     the one document with this number
  --from DIR   break the documents below this folder too
  --json       what came of it as JSON on standard output
  --help       show this

Examples:
  npm run fuzz
  npm run fuzz -- --count 2000 --seed 7
  npm run fuzz -- --seed 7 --only 1234

Exit status: 0 where all went well, 1 where a document did not, 2 for a wrong option.
`;

/** The options of a command line, null where help is asked for, or a sentence on what is wrong with it. */
export function readOptions(args: string[]): Options | null | string {
  const words = parseWords(args);
  if (typeof words === "string") return words;
  if (words.help === true) return null;
  const count = wholeNumber(words.count ?? "100000");
  const seed = wholeNumber(words.seed ?? "1");
  const only = words.only === undefined ? null : wholeNumber(words.only);
  if (!(count >= 1 && count <= 100_000_000))
    return `--count expects a whole number from 1 to 100000000, not ${words.count}.`;
  if (Number.isNaN(seed)) return `--seed expects a whole number, not ${words.seed}.`;
  if (Number.isNaN(only)) return `--only expects a whole number, not ${words.only}.`;
  return { count, seed, only, from: words.from ?? null, json: words.json === true };
}

function parseWords(args: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { count: text, seed: text, only: text, from: text, json: flag, help: flag };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
}

/** NaN where the text is no whole number. */
function wholeNumber(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
