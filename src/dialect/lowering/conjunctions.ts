/** References and `allOf`, folded into the node that holds them where a provider has neither. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { MAX_INLINED_REPETITIONS } from "../../limits.ts";
import { canonical, isNullSchema } from "../schema/canonical.ts";
import { type Schema, typesOf, without } from "../schema/keywords.ts";
import { closedByItself } from "../schema/members.ts";
import { type MergeLoss, merge } from "../schema/merge.ts";
import { type Reference, resolveReference } from "../schema/schema-index.ts";
import { admitsNull } from "../schema/types.ts";
import { acceptsHere, lose, type Node } from "./node.ts";
import { sentenceForConjuncts } from "./sentences.ts";

/** Folds what the provider has no `$ref`, `allOf` or null alternative for, until nothing of it is left. */
export function foldConjunctions(node: Node): void {
  // A reference that leads back to what this node already says adds nothing, so each is followed once.
  const followed = new Set<string>();
  do {
    referenceAsConjunct(node);
    mergeConjuncts(node, followed);
    unwrapNullable(node);
  } while (Array.isArray(node.input.allOf) && !acceptsHere(node, "allOf"));
}

/**
 * What a reference leads to, and a note in the node that it was followed. Null, with the loss recorded, where
 * it leads nowhere or where a recursive structure has been spelled out far enough.
 */
export function follow(reference: JsonValue, node: Node): Reference | null {
  const { index } = node.walk;
  const found = resolveReference(index, reference);
  if (found === null) {
    lose(node, "$ref", "dropped", { note: "It leads to nothing in this schema." });
    return null;
  }
  const { inlined } = node.position;
  if (inlined.filter((pointer) => pointer === found.pointer).length >= MAX_INLINED_REPETITIONS) {
    lose(node, "$ref", "described", {
      sentence: "Structured like the level above; not spelled out further.",
    });
    // What is not shown is still written like the level above, so it is restored like that level.
    if (!node.position.ambiguous) {
      node.restores.push((value, depth) => node.walk.inlined.get(found.pointer)?.(value, depth) ?? value);
    }
    return { pointer: found.pointer, schema: outlineOf(found.schema) };
  }
  node.followed.push(found.pointer);
  node.position = { ...node.position, inlined: [...inlined, found.pointer] };
  return found;
}

/** Of a schema that is not spelled out, the type; what a list of it holds is left open. */
export function outlineOf(schema: Schema): JsonObject {
  const [type = "object"] = typeof schema === "boolean" ? [] : typesOf(schema);
  return type === "array" ? { type, items: true } : { type };
}

function referenceAsConjunct(node: Node): void {
  const { $ref: reference, allOf } = node.input;
  if (reference === undefined || acceptsHere(node, "$ref")) return;
  node.input = without(node.input, "$ref");
  node.input.allOf = [{ $ref: reference }, ...(Array.isArray(allOf) ? allOf : [])];
}

function mergeConjuncts(node: Node, followed: Set<string>): void {
  const { allOf } = node.input;
  if (!Array.isArray(allOf) || acceptsHere(node, "allOf")) return;
  node.input = without(node.input, "allOf");
  const apart: JsonValue[] = [];
  for (const conjunct of allOf) {
    const merged = merge(node.input, dereferenced(conjunct, node, followed), tellOf(node));
    if (merged !== null) node.input = merged;
    else apart.push(conjunct);
  }
  if (apart.length === 0) return;
  const sentence = sentenceForConjuncts(apart, node.walk);
  const note = `${apart.length} of its parts cannot be merged; in words, as far as these reach: ${sentence}`;
  lose(node, "allOf", "described", { sentence, ...(apart.length > 1 ? { note } : {}) });
}

/** Records in a node what two schemas say that became one. */
export function tellOf(node: Node): MergeLoss {
  return (keyword, note) => lose(node, keyword, "dropped", { note });
}

/** A conjunct; what its reference leads to becomes a conjunct of it, which the next round takes up. */
function dereferenced(conjunct: JsonValue, node: Node, followed: Set<string>): JsonObject {
  if (conjunct === true) return {};
  if (!isJsonObject(conjunct)) return { not: {} };
  const schema = closedByItself(canonical(conjunct));
  const { $ref: reference, allOf } = schema;
  if (reference === undefined) return schema;
  const rest = without(schema, "$ref");
  const found = follow(reference, node);
  if (found === null || followed.has(found.pointer)) return rest;
  followed.add(found.pointer);
  rest.allOf = [...(Array.isArray(allOf) ? allOf : []), found.schema];
  return rest;
}

/** Where null needs `nullable`: takes it out of unions; an alternative left alone is no alternative. */
function unwrapNullable(node: Node): void {
  if (node.walk.target.typeLists) return;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = node.input[keyword];
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((branch) => !isNullSchema(branch));
    if (others.length === 0) continue;
    const rest = without(node.input, keyword);
    if (others.length < branches.length && admitsNull(rest)) node.input.nullable = true;
    if (others.length === 1) {
      const { allOf } = node.input;
      node.input = without(node.input, keyword);
      node.input.allOf = [...(Array.isArray(allOf) ? allOf : []), ...others];
    } else {
      node.input[keyword] = others;
    }
  }
}
