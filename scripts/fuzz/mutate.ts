import { type Random, randomAt } from "../sandbox/market/random.ts";

/** No document grows beyond this: long enough for work that grows with the square of a length to stand out. */
const MAX_CHARACTERS = 64_000;
/** Of a longer document only the beginning is taken, so that many are tried in little time. */
const MAX_SEED_CHARACTERS = 6_000;
const MAX_MUTATIONS = 6;

/** What breaks documents: signs of YAML, Markdown and expressions, and characters that are seldom thought of. */
const NOISE = [
  ..."\n \t:-#`~>|[]{}&*!%@,?'\"\\$.()<=/",
  ..."\0 \x07 \x1B \x7F \x80 \x85 \x9F \xA0 \xAD \u2028 \u200B \u200D \u202E \uFEFF \uFFFD \uD800 \uDC00".split(
    " ",
  ),
  ..."\u{E0041} \u{10FFFF} 潮 𠮷 é e\u0301 👨‍👩‍👧 \r \r\n".split(" "),
  ..."---\n|\n---\n|...\n|```\n|\n```yaml\n|~~~|: |- |? |>- |${|}|<<: |&a |*a |!!str |%YAML 1.2\n|# ".split(
    "|",
  ),
  ..."null true yes 1e999 .inf 0x1F -0 __proto__ constructor 9007199254740993 2024-01-31".split(" "),
  ..."name: ;description: ;meta:\n;functions:\n  - ;parameters: ;$ref: '#';pattern: '(';compute: ;when: ".split(
    ";",
  ),
];

interface Source {
  random: Random;
  /** Another document, to take pieces from. */
  donor: string;
}

/** One way to break a document. */
type Mutation = (text: string, source: Source) => string;

const below = (random: Random, bound: number): number => Math.floor(random() * bound);

function chosen<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new RangeError("There is nothing to choose from.");
  return item;
}

/** A run of a text, seldom a long one. */
function run(random: Random, text: string): [number, number] {
  const start = below(random, text.length + 1);
  return [start, start + below(random, chosen(random, [4, 40, 400]))];
}

function replaced(text: string, [start, end]: readonly [number, number], piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}

function onLines(change: (lines: string[], at: number, random: Random) => void): Mutation {
  return (text, { random }) => {
    const lines = text.split("\n");
    change(lines, below(random, lines.length), random);
    return lines.join("\n");
  };
}

const mutations: readonly Mutation[] = [
  function flipBit(text, { random }) {
    const bytes = new TextEncoder().encode(text);
    const at = below(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
    return new TextDecoder().decode(bytes);
  },
  function insertNoise(text, { random }) {
    const at = below(random, text.length + 1);
    return replaced(text, [at, at], chosen(random, NOISE));
  },
  function replaceByNoise(text, { random }) {
    return replaced(text, run(random, text), chosen(random, NOISE));
  },
  function splice(text, { random, donor }) {
    const [start, end] = run(random, donor);
    return replaced(text, run(random, text), donor.slice(start, end));
  },
  function truncate(text, { random }) {
    return text.slice(0, below(random, text.length));
  },
  function join(text, { donor }) {
    return text + donor;
  },
  function repeat(text, { random }) {
    const [start, end] = run(random, text);
    const piece = text.slice(start, end) + chosen(random, ["", chosen(random, NOISE)]);
    const times = Math.floor(chosen(random, [100, 1_000, 5_000, 50_000]) / (piece.length + 1));
    return replaced(text, [end, end], piece.repeat(times));
  },
  function otherLineEnds(text, { random }) {
    return text.replaceAll("\n", chosen(random, ["\r\n", "\r", "\n\n", "\n\r"]));
  },
  onLines((lines, at) => lines.splice(at, 1)),
  onLines((lines, at) => lines.splice(at, 0, lines[at] ?? "")),
  onLines((lines, at, random) => lines.splice(below(random, lines.length), 0, ...lines.splice(at, 3))),
  onLines((lines, at, random) => {
    lines[at] = " ".repeat(below(random, 5)) + (lines[at] ?? "").replace(/^ {0,2}/, "");
  }),
];

/**
 * The document with this number: one of the seeds with something broken in it. The same numbers give the same
 * document.
 */
export function brokenDocument(seeds: readonly string[], seed: number, number: number): string {
  const random = randomAt(seed, number);
  let text = chosen(random, seeds).slice(0, MAX_SEED_CHARACTERS);
  for (let left = 1 + below(random, MAX_MUTATIONS); left > 0; left--) {
    const donor = chosen(random, seeds).slice(0, MAX_SEED_CHARACTERS);
    text = chosen(random, mutations)(text, { random, donor }).slice(0, MAX_CHARACTERS);
  }
  return text;
}
