/** What a provider demands of every node, filled in; and the description, put together. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { canonical } from "../schema/canonical.ts";
import { ordered, typesOf, without } from "../schema/keywords.ts";
import { closeObject, requireProperties } from "./closed.ts";
import { assertsOnly, lose, type Node } from "./node.ts";
import { sentenceFor } from "./sentences.ts";
import { tellMisfits } from "./values.ts";

/** The finished schema of a node whose keywords are all processed. */
export function finish(node: Node): JsonObject {
  openForPatterns(node);
  declareProperties(node);
  declareItems(node);
  closeObject(node);
  requireProperties(node);
  allowNull(node);
  tellMisfits(node);
  if (node.walk.target.unionsStandAlone) leaveUnionAlone(node);
  describe(node);
  return ordered(node.output);
}

/**
 * What is said of the members that no pattern names would be said of all, where patterns could not be written: a closed
 * object would forbid what the author allows.
 */
function openForPatterns(node: Node): void {
  const { input, output } = node;
  const written = isJsonObject(output.patternProperties) ? output.patternProperties : {};
  if (!isJsonObject(input.patternProperties)) return;
  if (Object.keys(input.patternProperties).every((pattern) => Object.hasOwn(written, pattern))) return;
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (output[keyword] === undefined || output[keyword] === true) continue;
    node.output = without(node.output, keyword);
    lose(node, keyword, "widened", { note: "It would hold for the members that the patterns name, too." });
  }
}

/**
 * An object without `properties` gets an empty one. That alone would read as "no properties allowed", so it
 * is also said to be open; only a function that takes no parameters at all is closed: what a model might send
 * it means nothing.
 */
function declareProperties(node: Node): void {
  const { output, walk, position } = node;
  if (!walk.target.objectsDeclareProperties || !typesOf(output).includes("object")) return;
  output.properties ??= jsonObject();
  if (!isJsonObject(output.properties) || Object.keys(output.properties).length > 0) return;
  const takesNothing = position.isRoot && assertsOnly(canonical(walk.index.root), "type", "properties");
  if (output.unevaluatedProperties === undefined) output.additionalProperties ??= !takesNothing;
}

function declareItems(node: Node): void {
  const { output, walk } = node;
  if (!walk.target.arraysDeclareItems || !typesOf(output).includes("array")) return;
  output.items ??= walk.lower(true, node).schema;
}

function allowNull(node: Node): void {
  const { output, walk, position } = node;
  const types = typesOf(output);
  if (!walk.target.nullsEverywhere || position.isRoot || types.length === 0 || types.includes("null")) return;
  output.type = [...types, "null"];
}

/** Moves everything beside `anyOf` to the first alternative, where a model reads it next. */
function leaveUnionAlone(node: Node): void {
  const { anyOf: branches, title, default: fallback, nullable } = node.output;
  if (!Array.isArray(branches)) return;
  if (fallback !== undefined) sayInstead(node, "default", fallback);
  if (title !== undefined) {
    lose(node, "title", "dropped", { note: "The provider accepts nothing beside anyOf." });
  }
  node.output = without(node.output, "title", "default", "nullable");
  const [first, ...others] = branches.flatMap(alternativesIn);
  if (!isJsonObject(first)) return;
  const copy = jsonObject(Object.entries(first));
  if (nullable === true) copy.nullable = true;
  describe(node);
  const text = joined([node.output.description, copy.description], "\n");
  if (text !== "") copy.description = text;
  node.output = jsonObject([["anyOf", [copy, ...others]]]);
  node.sentences = [];
}

/** Alternatives of alternatives are alternatives. */
function alternativesIn(branch: JsonValue): JsonValue[] {
  return isJsonObject(branch) && Array.isArray(branch.anyOf) ? branch.anyOf : [branch];
}

function sayInstead(node: Node, keyword: string, value: JsonValue): void {
  const sentence = sentenceFor(keyword, value, node.input, node.walk);
  lose(node, keyword, "described", sentence === null ? {} : { sentence });
}

/** The author's words, then what the schema could not say. The root's sentences go to the tool instead. */
function describe(node: Node): void {
  if (node.position.isRoot) return;
  const text = joined([node.output.description, node.sentences.join(" ")], "\n");
  if (text !== "") node.output.description = text;
}

function joined(parts: readonly (JsonValue | undefined)[], separator: string): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join(separator);
}
