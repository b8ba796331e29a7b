/** A processor for each keyword: reads its value in the rewritten node, writes it in the provider's words. */
import { escapePointerToken, isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { isSchema, typesOf } from "../schema/keywords.ts";
import { resolveReference } from "../schema/schema-index.ts";
import { giveUp } from "./give-up.ts";
import { tellsAliasesApart } from "./key-rules.ts";
import { acceptsHere, type Lowered, lose, type Node } from "./node.ts";
import { type Restore, restoreElements, restoreMembers, restoreProperties } from "./restore.ts";
import { sentenceFor } from "./sentences.ts";
import { shownData, shownKeys } from "./shown.ts";

type Processor = (value: JsonValue, node: Node, keyword: string) => void;

const processors: ReadonlyMap<string, Processor> = new Map<string, Processor>([
  ["$ref", reference],
  ["items", one(itemsRestore)],
  ["additionalProperties", one(membersRestore)],
  ["unevaluatedItems", one(null)],
  ["unevaluatedProperties", one(null)],
  ["contains", one(null)],
  ["not", one(null)],
  ["if", one(null)],
  ["then", one(null)],
  ["else", one(null)],
  ["propertyNames", propertyNames],
  ["contentSchema", one(null)],
  ["allOf", conjuncts],
  ["anyOf", alternatives],
  ["oneOf", alternatives],
  ["prefixItems", tuple],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["dependentSchemas", dependentSchemas],
  ["dependentRequired", dependentRequired],
  ["required", required],
  ["pattern", pattern],
  ["minItems", minItems],
  ["format", format],
  ["const", data],
  ["enum", data],
  ["default", data],
  ["examples", data],
]);

/** Writes one keyword of the node's input into its output, or records what becomes of it. */
export function processKeyword(keyword: string, value: JsonValue, node: Node): void {
  if (!acceptsHere(node, keyword)) giveUp(keyword, value, node);
  else (processors.get(keyword) ?? copy)(value, node, keyword);
}

/** As it is; also what is malformed, for the last check to find. */
const copy: Processor = (value, node, keyword) => {
  node.output[keyword] = value;
};

function reference(value: JsonValue, node: Node): void {
  const found = resolveReference(node.walk.index, value);
  if (found === null) lose(node, "$ref", "dropped", { note: "It leads to nothing in this schema." });
  else node.output.$ref = `#/$defs/${definitionFor(found.pointer, node.walk.definitions)}`;
}

function definitionFor(pointer: string, definitions: Map<string, string>): string {
  const known = definitions.get(pointer);
  if (known !== undefined) return known;
  const taken = new Set(definitions.values());
  const wanted = pointer.replace(/^.*\//, "").replace(/[^A-Za-z0-9_-]+/g, "_") || "root";
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  definitions.set(pointer, name);
  return name;
}

/** A keyword that holds one schema; `restoring` null where it cannot be told whether a value follows it. */
function one(restoring: ((child: Restore, node: Node) => Restore) | null): Processor {
  return (value, node, keyword) => {
    // What closes an object is a boolean in every provider's own examples.
    const isClosing = typeof value === "boolean" && /^(?:additional|unevaluated)/.test(keyword);
    if (isClosing || !isSchema(value)) {
      copy(value, node, keyword);
      return;
    }
    const child = node.walk.lower(value, node, { ambiguous: restoring === null });
    node.output[keyword] = child.schema;
    if (child.restore !== null && restoring !== null) node.restores.push(restoring(child.restore, node));
  };
}

function alternatives(value: JsonValue, node: Node, keyword: string): void {
  lowerAll(value, node, keyword, true);
}

function conjuncts(value: JsonValue, node: Node, keyword: string): void {
  for (const { restore } of lowerAll(value, node, keyword, false)) {
    if (restore !== null) node.restores.push(restore);
  }
}

function tuple(value: JsonValue, node: Node, keyword: string): void {
  for (const [index, { restore }] of lowerAll(value, node, keyword, false).entries()) {
    if (restore !== null) node.restores.push(restoreElements(restore, index, index + 1));
  }
}

/** A keyword that holds a list of schemas; one that is malformed stays as it is. */
function lowerAll(value: JsonValue, node: Node, keyword: string, ambiguous: boolean): Lowered[] {
  const schemas = Array.isArray(value) && value.every(isSchema) ? value : null;
  const children = schemas?.map((schema) => node.walk.lower(schema, node, { ambiguous })) ?? [];
  node.output[keyword] = schemas === null ? value : children.map(({ schema }) => schema);
  return children;
}

function properties(value: JsonValue, node: Node, keyword: string): void {
  if (!isJsonObject(value)) {
    copy(value, node, keyword);
    return;
  }
  const restores = new Map<string, Restore>();
  const lowered = Object.entries(value).map(([key, schema]): [string, JsonValue] => {
    const alias = node.walk.aliases.get(key) ?? key;
    const path = propertyPath(value, key, node);
    if (alias !== key) loseKey(key, alias, path, node);
    if (!isSchema(schema)) return [alias, schema];
    const sentence = alias === key ? {} : { sentence: `Original name: ${JSON.stringify(key)}.` };
    const child = node.walk.lower(schema, node, {
      ambiguous: node.ambiguousKeys.has(key),
      path,
      ...sentence,
    });
    if (child.restore !== null) restores.set(key, child.restore);
    return [alias, child.schema];
  });
  node.output[keyword] = jsonObject(lowered);
  const restore = restoreProperties(restores);
  if (restore !== null) node.restores.push(restore);
}

/** Where the schema of a property stands; where it is in no place of its own, the node's place. */
function propertyPath(properties: JsonObject, key: string, { position, walk }: Node): string {
  const schema = properties[key];
  const own = isJsonObject(schema) ? walk.index.pointers.get(schema) : undefined;
  const table = walk.index.pointers.get(properties);
  return own ?? (table === undefined ? position.path : `${table}/${escapePointerToken(key)}`);
}

function loseKey(key: string, alias: string, path: string, node: Node): void {
  const at = { ...node, position: { ...node.position, path } };
  lose(at, "properties", "renamed", {
    note: `The key ${JSON.stringify(key)} is sent as ${JSON.stringify(alias)}, and turned back.`,
  });
}

function patternProperties(value: JsonValue, node: Node, keyword: string): void {
  if (!isJsonObject(value)) {
    copy(value, node, keyword);
    return;
  }
  const { aliases, target } = node.walk;
  const isRefused = ([source, schema]: [string, JsonValue]): boolean =>
    target.patternFault(source) !== null || tellsAliasesApart(keyword, { [source]: schema }, aliases);
  const entries = Object.entries(value);
  const kept = entries.filter((entry) => !isRefused(entry));
  const refused = entries.filter(isRefused);
  if (kept.length > 0 || refused.length === 0) {
    node.output[keyword] = jsonObject(kept.map(([source, schema]) => [source, lowerAmbiguous(schema, node)]));
  }
  if (refused.length > 0) giveUp(keyword, jsonObject(refused), node);
}

function propertyNames(value: JsonValue, node: Node, keyword: string): void {
  if (tellsAliasesApart(keyword, value, node.walk.aliases)) giveUp(keyword, value, node);
  else one(null)(value, node, keyword);
}

function dependentSchemas(value: JsonValue, node: Node, keyword: string): void {
  if (!isJsonObject(value)) {
    copy(value, node, keyword);
    return;
  }
  const entries = Object.entries(value).map(([key, schema]): [string, JsonValue] => [
    node.walk.aliases.get(key) ?? key,
    lowerAmbiguous(schema, node),
  ]);
  node.output[keyword] = jsonObject(entries);
}

function lowerAmbiguous(schema: JsonValue, node: Node): JsonValue {
  return isSchema(schema) ? node.walk.lower(schema, node, { ambiguous: true }).schema : schema;
}

function dependentRequired(value: JsonValue, node: Node, keyword: string): void {
  if (!isJsonObject(value)) {
    copy(value, node, keyword);
    return;
  }
  const { aliases } = node.walk;
  const entries = Object.entries(value).map(([key, needed]): [string, JsonValue] => [
    aliases.get(key) ?? key,
    Array.isArray(needed) ? shownKeys(needed, aliases) : needed,
  ]);
  node.output[keyword] = jsonObject(entries);
}

function required(value: JsonValue, node: Node, keyword: string): void {
  if (!Array.isArray(value)) {
    copy(value, node, keyword);
    return;
  }
  const { properties: declared } = node.input;
  const isDeclared = (key: JsonValue): boolean =>
    typeof key === "string" && isJsonObject(declared) && Object.hasOwn(declared, key);
  const stays = (key: JsonValue): boolean => !node.walk.target.requiredIsDeclared || isDeclared(key);
  const kept = value.filter(stays);
  if (kept.length > 0) node.output[keyword] = shownKeys(kept, node.walk.aliases);
  const others = value.filter((key) => !stays(key));
  if (others.length > 0) giveUp(keyword, others, node);
}

function pattern(value: JsonValue, node: Node, keyword: string): void {
  const fault = typeof value === "string" ? node.walk.target.patternFault(value) : null;
  if (fault === null) {
    copy(value, node, keyword);
    return;
  }
  const sentence = sentenceFor(keyword, value, node.input, node.walk);
  lose(node, keyword, "described", {
    note: `In words: ${fault}.`,
    ...(sentence === null ? {} : { sentence }),
  });
}

function minItems(value: JsonValue, node: Node, keyword: string): void {
  const isTooLarge = typeof value === "number" && value > node.walk.target.largestMinItems;
  if (isTooLarge) giveUp(keyword, value, node);
  else copy(value, node, keyword);
}

function format(value: JsonValue, node: Node, keyword: string): void {
  const [type = "string"] = typesOf(node.input);
  const known = node.walk.target.formats.get(type);
  if (known === undefined || (typeof value === "string" && known.has(value))) node.output[keyword] = value;
  else giveUp(keyword, value, node);
}

function data(value: JsonValue, node: Node, keyword: string): void {
  node.output[keyword] = shownData(value, node.walk.aliases);
}

function membersRestore(child: Restore, node: Node): Restore {
  const { properties: declared } = node.input;
  return restoreMembers(new Set(Object.keys(isJsonObject(declared) ? declared : {})), child);
}

function itemsRestore(child: Restore, node: Node): Restore {
  const { prefixItems } = node.input;
  return restoreElements(child, Array.isArray(prefixItems) ? prefixItems.length : 0);
}
