/** Types, null and enumerations for a provider that has one type a node and strings in enumerations. */
import { isJsonObject, type JsonObject, type JsonValue, jsonKind } from "../../json.ts";
import { distinct } from "../schema/canonical.ts";
import {
  annotations,
  copyOf,
  identityOf,
  keywordsOfType,
  typedKeywords,
  typesOf,
  without,
} from "../schema/keywords.ts";
import { merge } from "../schema/merge.ts";
import { admitsNull } from "../schema/types.ts";
import { acceptsHere, lose, type Node } from "./node.ts";
import { restoreValues } from "./restore.ts";
import { sentenceFor } from "./sentences.ts";
import { setTypes } from "./values.ts";

/** `const` is an enumeration of one. */
export function constantAsEnumeration(node: Node): void {
  const { const: constant } = node.input;
  if (constant === undefined || acceptsHere(node, "const") || !acceptsHere(node, "enum")) return;
  node.input = merge(without(node.input, "const"), { enum: [constant] }) ?? node.input;
}

/** Null leaves `type` and `enum` and becomes `nullable`. */
export function nullAsNullable(node: Node): void {
  if (node.walk.target.typeLists) return;
  const { enum: values } = node.input;
  const types = typesOf(node.input);
  const others = types.filter((type) => type !== "null" && !(type === "integer" && types.includes("number")));
  if (types.includes("null") && admitsNull(node.input)) node.input.nullable = true;
  if (Array.isArray(values)) {
    if (types.length === 0 && values.includes(null)) node.input.nullable = true;
    node.input.enum = values.filter((value) => value !== null);
  }
  setTypes(node.input, others);
  if ((types.length > 0 && others.length === 0) || isEmptied(values)) sayNull(node);
}

/** Enumerations hold strings: other values are sent as their JSON text and turned back before validation. */
export function enumerationAsStrings(node: Node): void {
  const { enum: values } = node.input;
  if (node.walk.target.enumValues === "any" || !Array.isArray(values) || !acceptsHere(node, "enum")) return;
  const types = typesOf(node.input);
  if (types[0] === "boolean" && values.length === 2 && values.every((value) => typeof value === "boolean")) {
    node.input = without(node.input, "enum");
    return;
  }
  const texts = new Map(values.map((value) => [textOf(value), value]));
  const isExact = values.length > 0 && texts.size === values.length && !texts.has("");
  const isRetyped = values.some((value) => typeof value !== "string");
  if (!isExact || (isRetyped && node.position.ambiguous)) {
    describeEnumeration(node, values);
    return;
  }
  node.input.enum = [...texts.keys()];
  node.input.type = "string";
  if (!isRetyped) return;
  node.restores.push(restoreValues(texts));
  lose(node, "enum", "renamed", { note: "Values other than strings are sent as strings, and turned back." });
  const { default: fallback } = node.input;
  if (fallback !== undefined && texts.has(textOf(fallback))) node.input.default = textOf(fallback);
}

/** Every node says its type: the one that its keywords belong to, or all of them. */
export function inferType(node: Node): void {
  const { everyNodeTyped } = node.walk.target;
  if (!everyNodeTyped || typesOf(node.input).length > 0 || Array.isArray(node.input.anyOf)) return;
  const { enum: values } = node.input;
  if (Array.isArray(values) && values.length > 0) {
    setTypes(node.input, kindsOf(values));
    return;
  }
  const implied = [...keywordsOfType]
    .filter(
      ([type, keywords]) =>
        type !== "integer" && keywords.some((keyword) => impliesType(keyword, node.input)),
    )
    .map(([type]) => type);
  if (implied.length > 0) {
    setTypes(node.input, implied);
    const note = `No type is given; values of other types than ${implied.join(", ")} are not offered.`;
    lose(node, "type", "dropped", { note });
    return;
  }
  const flat = ["string", "number", "boolean", "object"];
  setTypes(node.input, [...flat, "array"]);
  // The provider has no word for "any", so lists of lists of anything have to end somewhere.
  node.input.items = { type: flat };
  node.input.nullable = true;
  lose(node, "type", "described", { sentence: "Any JSON value." });
}

/** A tuple becomes a list of anything that the tuple may hold; the order is said in the description. */
export function tupleAsItems(node: Node): void {
  const { prefixItems, items, maxItems } = node.input;
  if (acceptsHere(node, "prefixItems") || !Array.isArray(prefixItems)) return;
  const sentence = sentenceFor("prefixItems", prefixItems, node.input, node.walk);
  node.input = without(node.input, "prefixItems", "items");
  const isOpen = items !== false && maxItems !== prefixItems.length;
  const elements = distinct([...prefixItems, ...(isOpen ? [items ?? true] : [])]);
  const [only, ...others] = elements;
  if (only !== undefined) node.input.items = others.length === 0 ? only : { anyOf: elements };
  if (items === false && maxItems === undefined) node.input.maxItems = prefixItems.length;
  lose(node, "prefixItems", "described", sentence === null ? {} : { sentence });
}

/** Several types become alternatives, each with the keywords that belong to it. */
export function typesAsUnion(node: Node): void {
  const types = typesOf(node.input);
  if (node.walk.target.typeLists || types.length < 2) return;
  const branches = types.map((type) => {
    // Beside strings, a format is one of strings; alone, numbers have formats of their own.
    const isOfStrings = type !== "string" && types.includes("string");
    const own = (keywordsOfType.get(type) ?? []).filter((keyword) => keyword !== "format" || !isOfStrings);
    const branch = copyOf(node.input, (keyword) => own.includes(keyword));
    branch.type = type;
    return branch;
  });
  node.input = copyOf(node.input, (keyword) => keyword !== "type" && !typedKeywords.has(keyword));
  node.input.anyOf = branches;
}

/**
 * What JSON Schema takes for granted, said where a provider cannot: an object may hold what it does not
 * declare.
 */
export function sayOpen(node: Node): void {
  const { type, properties, additionalProperties } = node.input;
  const declaresNothing = !isJsonObject(properties) || Object.keys(properties).length === 0;
  if (type !== "object" || !declaresNothing || additionalProperties !== undefined) return;
  // A function without parameters is not a free-form object, and where something was said already, that is
  // enough.
  if (node.position.isRoot || node.sentences.length > 0 || acceptsHere(node, "additionalProperties")) return;
  node.input.additionalProperties = true;
}

/**
 * Keywords that do not belong to the type say nothing about its values, so leaving them out loses nothing.
 */
export function dropIdleKeywords(node: Node): void {
  const [type, ...others] = typesOf(node.input);
  if (!node.walk.target.everyNodeTyped || type === undefined || others.length > 0) return;
  const own = keywordsOfType.get(type) ?? [];
  node.input = copyOf(node.input, (keyword) => !typedKeywords.has(keyword) || own.includes(keyword));
}

/** True where a keyword stands in the node and belongs to one type only. */
function impliesType(keyword: string, schema: JsonObject): boolean {
  return keyword in schema && keyword !== "format";
}

function isEmptied(values: JsonValue | undefined): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => value === null);
}

function sayNull(node: Node): void {
  node.input = copyOf(node.input, (keyword) => annotations.has(keyword));
  node.input.type = "string";
  node.input.nullable = true;
  lose(node, "type", "described", { sentence: "Always null." });
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : identityOf(value);
}

function describeEnumeration(node: Node, values: readonly JsonValue[]): void {
  const sentence = sentenceFor("enum", [...values], node.input, node.walk);
  node.input = without(node.input, "enum");
  if (typesOf(node.input).length === 0) setTypes(node.input, kindsOf(values));
  lose(node, "enum", "described", sentence === null ? {} : { sentence });
}

function kindsOf(values: readonly JsonValue[]): string[] {
  return [...new Set(values.map(jsonKind))];
}
