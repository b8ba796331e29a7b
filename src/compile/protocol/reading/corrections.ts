import { isAlias, isMap, isScalar, type Node, type Pair } from "yaml";
import type { Meant } from "../../../nearest.ts";
import type { Fix, Replacement } from "../../diagnostic.ts";
import { keyText, type YamlBlock } from "../../document/yaml.ts";
import { writtenLike } from "./written.ts";

/** A node with the block that it stands in. */
interface Part {
  block: YamlBlock;
  node: Node;
}

/** A node's replacement by other YAML. Null where aliases stand for the node too, or a tag says how to read it. */
export function replacing({ block, node }: Part, yaml: string): Replacement | null {
  const [start, end] = node.range ?? [0, 0];
  return isPlainNode(node) ? replacingRun(block, start, end, yaml) : null;
}

/** A text's replacement by another, in the same quotes. Null where it is none of one line, or as of `replacing`. */
export function rewriting(part: Part, text: string): Replacement | null {
  if (!isScalar(part.node)) return null;
  const yaml = writtenLike(writtenAt(part), text);
  return yaml === null ? null : replacing(part, yaml);
}

/** What reads as more than a text within brackets, or as none. */
const FLOW_SIGNS = /[,[\]{}#:\n]/;

/** A single value's replacement by a list, which begins with it. Null as of `rewriting`. */
export function listing(part: Part, ...more: readonly string[]): Replacement | null {
  const written = writtenAt(part);
  const isWhole = writtenLike(written, "") !== null && (/^["']/.test(written) || !FLOW_SIGNS.test(written));
  return isScalar(part.node) && isWhole ? replacing(part, `[${[written, ...more].join(", ")}]`) : null;
}

/**
 * The removal of a field from a mapping, with its line or its comma. Null where more than the field would go or
 * nothing would be left.
 */
export function removing({ block, node }: Part, key: string): Replacement | null {
  if (!isMap<Node, Node | null>(node) || node.items.length < 2) return null;
  const index = node.items.findIndex((pair) => keyText(pair.key) === key);
  const pair = node.items[index];
  if (pair === undefined || ![pair.key, pair.value].every((part) => part !== null && isPlainNode(part)))
    return null;
  const run = node.flow === true ? runInBrackets(node.items, index) : runOfLine(pair, block.excerpt.text);
  return run === null || block.excerpt.text.slice(...run).includes("#")
    ? null
    : replacingRun(block, ...run, "");
}

/** Offsets in a block's text. */
type Run = [start: number, end: number];

/** A field with the comma before it, or where it is the first one, after it. */
function runInBrackets(pairs: readonly Pair<Node, Node | null>[], index: number): Run | null {
  const [own, before, after] = [pairs[index], pairs[index - 1], pairs[index + 1]];
  if (own === undefined) return null;
  if (before !== undefined) return [endOf(before), endOf(own)];
  const next = after?.key;
  return next !== undefined && isPlainNode(next) ? [startOf(own), next.range?.[0] ?? 0] : null;
}

/** A field that has a line for itself, with the line's beginning, so that the last line may have no end. */
function runOfLine(pair: Pair<Node, Node | null>, text: string): Run | null {
  const lineStart = text.lastIndexOf("\n", startOf(pair)) + 1;
  const lineEnd = text.indexOf("\n", endOf(pair));
  const end = lineEnd === -1 ? text.length : lineEnd;
  const around = text.slice(lineStart, startOf(pair)) + text.slice(endOf(pair), end);
  const isAlone = around.trim() === "" && !text.slice(startOf(pair), endOf(pair)).includes("\n");
  return isAlone && lineStart > 0 ? [lineStart - 1, end] : null;
}

function startOf({ key }: Pair<Node, Node | null>): number {
  return key.range?.[0] ?? 0;
}

function endOf({ key, value }: Pair<Node, Node | null>): number {
  return (value ?? key).range?.[1] ?? 0;
}

/** A fix for a name that is not known: the machine's to make where it is plainly a slip of one that is. */
export function respelling(
  part: Part,
  meant: Meant | null,
  advise: (name: string) => string,
): Fix | string | null {
  if (meant === null) return null;
  const advice = advise(meant.name);
  return meant.isPlain ? { advice, replacements: [rewriting(part, meant.name)] } : advice;
}

function writtenAt({ block, node }: Part): string {
  const [start, end] = node.range ?? [0, 0];
  return block.excerpt.text.slice(start, end);
}

function isPlainNode(node: Node): boolean {
  return !isAlias(node) && node.anchor === undefined && node.tag === undefined;
}

function replacingRun({ excerpt }: YamlBlock, start: number, end: number, yaml: string): Replacement {
  const span = { start: excerpt.toSource(start), end: excerpt.toSource(end) };
  return { span, was: excerpt.text.slice(start, end), text: yaml };
}
