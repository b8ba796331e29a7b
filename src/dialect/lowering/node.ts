/** One node on its way through the walk, and what all nodes of a walk share. */
import type { Loss } from "../../ir.ts";
import type { JsonObject } from "../../json.ts";
import { MAX_SCHEMA_SENTENCE_CHARACTERS } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import { annotations, copyOf, type Schema } from "../schema/keywords.ts";
import type { SchemaIndex } from "../schema/schema-index.ts";
import type { Restore } from "./restore.ts";
import { accepts, type SchemaTarget } from "./target.ts";

/** A schema in the provider's words, and the way back for values that follow it (null: nothing to undo). */
export interface Lowered {
  schema: Schema;
  restore: Restore | null;
}

/** Where a node stands. */
export interface Position {
  /** JSON Pointer of the node, or of the nearest node above it that is in the document. */
  path: string;
  depth: number;
  isRoot: boolean;
  /** Below an alternative: which branch a value follows cannot be told, so no value may change its type. */
  ambiguous: boolean;
  /** Pointers of the references that were inlined on the way here. */
  inlined: readonly string[];
}

/** What the nodes of one walk share. */
export interface Walk {
  functionName: string;
  target: SchemaTarget;
  index: SchemaIndex;
  /** Property keys that the provider sees under another name. */
  aliases: ReadonlyMap<string, string>;
  losses: Map<string, Loss>;
  /** Names under `$defs` of what the references in the output lead to, by its pointer. */
  definitions: Map<string, string>;
  /**
   * The way back for values of a schema that was inlined, by its pointer; used where it stops being spelled
   * out.
   */
  inlined: Map<string, Restore | null>;
  /** Nodes lowered so far. */
  count: number;
  /** Whether there were more, or deeper ones, than are written out. */
  isCut: boolean;
  /** Lowers a schema that stands inside `node`. */
  lower: (schema: Schema, node: Node, options?: ChildOptions) => Lowered;
}

export interface ChildOptions {
  ambiguous?: boolean;
  /** Where the child stands, if it is no object, which the index does not know. */
  path?: string;
  /** Said in the child's description. */
  sentence?: string;
}

export interface Node {
  /**
   * The node in 2020-12 spelling, while it is rewritten; then what the processors read. Never the author's
   * object.
   */
  input: JsonObject;
  /** The node as the author has it, in 2020-12 spelling. */
  source: JsonObject;
  output: JsonObject;
  position: Position;
  /** Said in the description, after the author's own. */
  sentences: string[];
  restores: Restore[];
  /** Properties that only some alternatives declare. */
  ambiguousKeys: Set<string>;
  /** Pointers of the references that became part of this node. */
  followed: string[];
  walk: Walk;
}

/** Whether the provider accepts a keyword here. */
export function acceptsHere(node: Node, keyword: string): boolean {
  return accepts(node.walk.target, keyword, node.position.isRoot);
}

/** Records what becomes of a keyword. A `sentence` tells the model in its place. */
export function lose(
  node: Node,
  keyword: string,
  outcome: Loss["outcome"],
  { note, sentence }: { note?: string; sentence?: string },
): void {
  const path = node.position.path;
  const words = shorten(sentence ?? "", MAX_SCHEMA_SENTENCE_CHARACTERS);
  if (words !== "") node.sentences.push(words);
  const loss = {
    function: node.walk.functionName,
    path,
    keyword,
    outcome,
    note: note ?? `In words: ${words}`,
  };
  // An inlined definition is met once for each reference; one line about it is enough.
  const identity = [path, keyword, outcome, loss.note].join(" ");
  if (!node.walk.losses.has(identity)) node.walk.losses.set(identity, loss);
}

/** True where a node asserts nothing beside the keywords named. */
export function assertsOnly(schema: JsonObject, ...keywords: string[]): boolean {
  const asserted = copyOf(schema, (key) => !annotations.has(key) && !keywords.includes(key));
  return Object.keys(asserted).length === 0;
}
