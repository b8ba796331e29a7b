/** `anyOf` and `oneOf`, where a provider has none or none beside other keywords. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { canonical, distinct } from "../schema/canonical.ts";
import { copyOf, typesOf, without } from "../schema/keywords.ts";
import { merge } from "../schema/merge.ts";
import { follow, tellOf } from "./conjunctions.ts";
import { acceptsHere, assertsOnly, lose, type Node } from "./node.ts";
import { sentenceForUnion } from "./sentences.ts";

/** Leaves at most such unions in the node as the provider accepts there. */
export function settleUnions(node: Node): void {
  for (const keyword of ["anyOf", "oneOf"]) {
    if (!Array.isArray(node.input[keyword])) continue;
    const isPossible = acceptsHere(node, keyword) || acceptsHere(node, "anyOf");
    if (!isPossible || !fitsBesideOthers(node, keyword)) foldUnion(node, keyword);
    else if (!acceptsHere(node, keyword)) loosen(node, keyword);
  }
}

function fitsBesideOthers(node: Node, keyword: string): boolean {
  if (!node.walk.target.unionsStandAlone || assertsOnly(node.input, keyword)) return true;
  return assertsOnly(node.input, keyword, "type") && pushTypeDown(node, keyword);
}

/** Moves a type that all alternatives share into each of them; false where one of them contradicts it. */
function pushTypeDown(node: Node, keyword: string): boolean {
  const [type, ...others] = typesOf(node.input);
  const branches = node.input[keyword];
  if (type === undefined || others.length > 0 || !Array.isArray(branches)) return false;
  const typed = branches.map((branch) => {
    if (!isJsonObject(branch) || "$ref" in branch || "type" in branch) return branch;
    const copy = copyOf(branch);
    copy.type = type;
    return copy;
  });
  const agrees = (branch: JsonValue): boolean => isJsonObject(branch) && (branch.type ?? type) === type;
  if (!typed.every(agrees)) return false;
  node.input = without(node.input, "type");
  node.input[keyword] = typed;
  return true;
}

function loosen(node: Node, keyword: string): void {
  const branches = node.input[keyword];
  if (branches === undefined) return;
  node.input = without(node.input, keyword);
  node.input.anyOf = branches;
  lose(node, keyword, "widened", {
    note: "The provider has anyOf only: at least one alternative, not exactly one.",
  });
}

/**
 * Says the rule in the description. What the alternatives declare becomes optional in the node itself, so
 * that a model still sees every property with its schema; which combinations are valid is decided when the
 * call comes.
 */
function foldUnion(node: Node, keyword: string): void {
  const branches = node.input[keyword];
  node.input = without(node.input, keyword);
  if (!Array.isArray(branches)) return;
  const expanded = branches.map((branch) => expand(branch, node));
  // Beside a closed object's own properties, those of the alternatives would be refused anyway.
  if (node.input.additionalProperties !== false) hoistProperties(node, expanded.filter(isJsonObject));
  lose(node, keyword, "described", { sentence: sentenceForUnion(keyword, expanded, node.walk) });
}

/** An alternative with its reference replaced by what that leads to. */
function expand(branch: JsonValue, node: Node): JsonValue {
  if (!isJsonObject(branch)) return branch;
  const schema = canonical(branch);
  if (schema.$ref === undefined) return schema;
  const rest = without(schema, "$ref");
  const found = follow(schema.$ref, node);
  if (found === null || !isJsonObject(found.schema)) return rest;
  return merge(rest, canonical(found.schema), tellOf(node)) ?? rest;
}

function hoistProperties(node: Node, branches: readonly JsonObject[]): void {
  const { properties, required } = node.input;
  const own = isJsonObject(properties) ? properties : {};
  const found = new Map<string, JsonValue[]>();
  for (const { properties: declared } of branches) {
    for (const [key, schema] of Object.entries(isJsonObject(declared) ? declared : {})) {
      if (!Object.hasOwn(own, key) && schema !== false) found.set(key, [...(found.get(key) ?? []), schema]);
    }
  }
  if (found.size === 0) return;
  for (const key of found.keys()) node.ambiguousKeys.add(key);
  const hoisted = [...found].map(([key, schemas]): [string, JsonValue] => [key, alternativesOf(schemas)]);
  node.input.properties = jsonObject([...Object.entries(own), ...hoisted]);
  const common = requiredByAll(branches);
  if (common.length === 0) return;
  node.input.required = distinct([...(Array.isArray(required) ? required : []), ...common]);
}

function alternativesOf(schemas: readonly JsonValue[]): JsonValue {
  const different = distinct(schemas);
  const [first] = different;
  return different.length > 1 || first === undefined ? { anyOf: different } : first;
}

function requiredByAll(branches: readonly JsonObject[]): JsonValue[] {
  const lists = branches.map(({ required }) => (Array.isArray(required) ? required : []));
  const [first = [], ...others] = lists;
  return first.filter((key) => others.every((list) => list.includes(key)));
}
