/**
 * A function's parameters in a provider's words. Each node goes through four stages: its spelling is made
 * canonical, it is rewritten as a whole (references, unions, types), each keyword is processed, and what the
 * provider demands of every node is filled in. What is rewritten, and what is demanded, is decided by the
 * target's data alone.
 */

import type { Loss } from "../../ir.ts";
import { isJsonObject, type JsonObject, jsonObject } from "../../json.ts";
import { MAX_NESTING, MAX_SCHEMA_NODES } from "../../limits.ts";
import { aliasesFor } from "../names.ts";
import { canonical } from "../schema/canonical.ts";
import { type Schema, without } from "../schema/keywords.ts";
import { indexSchema } from "../schema/schema-index.ts";
import { foldConjunctions, outlineOf } from "./conjunctions.ts";
import { finish } from "./finish.ts";
import {
  acceptsHere,
  assertsOnly,
  type ChildOptions,
  type Lowered,
  lose,
  type Node,
  type Position,
  type Walk,
} from "./node.ts";
import { processKeyword } from "./processors.ts";
import { inSequence, type Restore, restoreKeys } from "./restore.ts";
import type { SchemaTarget } from "./target.ts";
import {
  constantAsEnumeration,
  dropIdleKeywords,
  enumerationAsStrings,
  inferType,
  nullAsNullable,
  sayOpen,
  tupleAsItems,
  typesAsUnion,
} from "./types.ts";
import { settleUnions } from "./unions.ts";
import { fitValues } from "./values.ts";

/** Each does nothing where the target has no need of it; each may rely on those before it. */
const rewrites: readonly ((node: Node) => void)[] = [
  foldConjunctions,
  constantAsEnumeration,
  fitValues,
  nullAsNullable,
  settleUnions,
  enumerationAsStrings,
  tupleAsItems,
  inferType,
  typesAsUnion,
  dropIdleKeywords,
  sayOpen,
];

/** A schema in a provider's words. */
export interface LoweredSchema {
  schema: JsonObject;
  /** What the root of parameters could not say; it belongs in the description of the tool. */
  sentences: string[];
  losses: Loss[];
  /** Property keys that the provider sees under another name. */
  aliases: ReadonlyMap<string, string>;
  /** Whether the schema was too large to be written out; a claim to be strict would be one about another schema. */
  isCut: boolean;
  /** The way back for arguments; null where nothing was renamed or retyped. */
  restore: Restore | null;
}

/**
 * Writes the schema of a function's parameters in a provider's words. The same input gives the same output.
 */
export function lowerParameters(
  functionName: string,
  parameters: JsonObject,
  target: SchemaTarget,
): LoweredSchema {
  return lowerDocument(functionName, parameters, target, true);
}

/**
 * Writes a schema for values of any type in a provider's words. References in the result start at its own
 * root.
 */
export function lowerSchema(functionName: string, schema: JsonObject, target: SchemaTarget): LoweredSchema {
  return lowerDocument(functionName, schema, target, false);
}

function lowerDocument(
  functionName: string,
  document: JsonObject,
  target: SchemaTarget,
  isRoot: boolean,
): LoweredSchema {
  const index = indexSchema(document);
  const aliases = aliasesFor(index.propertyKeys, target.propertyKeys);
  const losses = new Map<string, Loss>();
  const walk: Walk = {
    functionName,
    target,
    index,
    aliases,
    losses,
    definitions: new Map(),
    inlined: new Map(),
    count: 0,
    isCut: false,
    lower,
  };
  const position: Position = { path: "", depth: 0, isRoot, ambiguous: false, inlined: [] };
  const root = nodeAt(position, isRoot ? argumentsObject(index.root) : canonical(index.root), walk);
  const { schema, restore } = process(root);
  const definitions = lowerDefinitions(root);
  if (definitions !== null) schema.$defs = definitions;
  const keyOfAlias = new Map([...aliases].map(([key, alias]) => [alias, key]));
  const restores = [restoreKeys(keyOfAlias), restore].filter((part) => part !== null);
  return {
    schema,
    sentences: root.sentences,
    losses: [...losses.values()],
    aliases,
    isCut: walk.isCut,
    restore: inSequence(restores),
  };
}

/** Arguments are an object, whatever the author left open. */
function argumentsObject(parameters: JsonObject): JsonObject {
  const input = canonical(without(parameters, "nullable"));
  input.type = "object";
  return input;
}

/** Lowers what references lead to, and what references inside those lead to, each once. */
function lowerDefinitions(root: Node): JsonObject | null {
  const { walk } = root;
  if (walk.definitions.size === 0) return null;
  const schemas = jsonObject();
  // The map grows while it is visited: a definition may refer to more of them.
  for (const [pointer, name] of walk.definitions) {
    const from = { ...root, position: { ...root.position, path: pointer } };
    // Who refers to a definition, and from below which alternatives, is not known here.
    schemas[name] = lower(walk.index.at(pointer), from, { ambiguous: true }).schema;
  }
  return schemas;
}

function lower(schema: Schema, parent: Node, options: ChildOptions = {}): Lowered {
  const { walk } = parent;
  if (typeof schema === "boolean" && walk.target.booleanSchemas) return { schema, restore: null };
  walk.count += 1;
  const isCut = parent.position.depth >= MAX_NESTING || walk.count > MAX_SCHEMA_NODES;
  walk.isCut ||= isCut;
  // Closed forms are for strict tools, and none is made of a schema that was cut.
  if (isCut && walk.target.closedObjects) return { schema: jsonObject(), restore: null };
  const node = childOf(parent, schema, options);
  if (isCut && !assertsOnly(node.input, "type")) {
    node.input = outlineOf(node.input);
    lose(node, "type", "described", { sentence: "Nested or branched too far to be spelled out here." });
  }
  if (schema === false && !acceptsHere(node, "not")) {
    node.input = { type: "string" };
    lose(node, "not", "described", { sentence: "No value is valid here." });
  }
  return process(node);
}

function childOf(
  parent: Node,
  schema: Schema,
  { ambiguous = false, path: given, sentence }: ChildOptions,
): Node {
  const { walk, position } = parent;
  const input = isJsonObject(schema) ? canonical(schema) : schema ? jsonObject() : { not: {} };
  const path = isJsonObject(schema) ? walk.index.pointers.get(schema) : given;
  const child: Position = {
    path: path ?? position.path,
    depth: position.depth + 1,
    isRoot: false,
    ambiguous: ambiguous || position.ambiguous,
    inlined: position.inlined,
  };
  const node = nodeAt(child, input, walk);
  if (sentence !== undefined) node.sentences.push(sentence);
  return node;
}

function nodeAt(position: Position, input: JsonObject, walk: Walk): Node {
  return {
    input,
    source: input,
    output: jsonObject(),
    position,
    sentences: [],
    restores: [],
    ambiguousKeys: new Set(),
    followed: [],
    walk,
  };
}

function process(node: Node): { schema: JsonObject; restore: Restore | null } {
  for (const rewrite of rewrites) rewrite(node);
  for (const [keyword, value] of Object.entries(node.input)) processKeyword(keyword, value, node);
  const schema = finish(node);
  const restore = inSequence(node.restores);
  for (const pointer of node.followed) node.walk.inlined.set(pointer, restore);
  return { schema, restore };
}
