/**
 * What is known about a schema before it is walked: where each object stands, and which names occur in it.
 */
import {
  atPointer,
  escapePointerToken,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonObject,
} from "../../json.ts";
import { pointerOfReference } from "../../schema/index.ts";
import { isSchema, type Schema } from "./keywords.ts";

/** A schema that a reference leads to, and its JSON Pointer. */
export interface Reference {
  pointer: string;
  schema: Schema;
}

/** The schema as a document that can be pointed into. */
export interface SchemaIndex {
  root: JsonObject;
  /** Where each object of the document stands, as a JSON Pointer. */
  pointers: ReadonlyMap<JsonObject, string>;
  /** The schemas that have an `$anchor`, by its name. */
  anchors: ReadonlyMap<string, JsonObject>;
  /** Every property key that the document declares or requires. */
  propertyKeys: ReadonlySet<string>;
  /** The schema at a JSON Pointer; an open one where none stands there. */
  at: (pointer: string) => Schema;
}

/** Visits the whole document once, without recursion: a document may nest deeper than the stack. */
export function indexSchema(document: JsonObject): SchemaIndex {
  const root = unshared(document);
  const pointers = new Map<JsonObject, string>();
  const anchors = new Map<string, JsonObject>();
  const propertyKeys = new Set<string>();
  const pending: { value: JsonValue; pointer: string }[] = [{ value: root, pointer: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer } = next;
    if (isJsonObject(value)) {
      pointers.set(value, pointer);
      if (typeof value.$anchor === "string") anchors.set(value.$anchor, value);
      for (const key of keysNamedIn(value)) propertyKeys.add(key);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [token, part] of Object.entries(value)) {
      pending.push({ value: part, pointer: `${pointer}/${escapePointerToken(token)}` });
    }
  }
  const at = (pointer: string): Schema => {
    const schema = atPointer(root, pointer);
    return isSchema(schema) ? schema : true;
  };
  return { root, pointers, anchors, propertyKeys, at };
}

/**
 * A copy in which every object stands in one place only. Objects that a YAML alias puts into two places are
 * equal to two objects, and are the same as two once they have been stored; the result must not depend on
 * that.
 */
function unshared(document: JsonObject): JsonObject {
  const root = jsonObject();
  const pending: { from: JsonObject | JsonValue[]; to: JsonObject | JsonValue[] }[] = [
    { from: document, to: root },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { from, to } = next;
    for (const [token, part] of Object.entries(from)) {
      const copy = isJsonObject(part) ? jsonObject() : Array.isArray(part) ? [] : part;
      if (Array.isArray(to)) to.push(copy);
      else to[token] = copy;
      if (typeof part !== "object" || part === null || typeof copy !== "object" || copy === null) continue;
      pending.push({ from: part, to: copy });
    }
  }
  return root;
}

/**
 * What a `$ref` leads to: any JSON Pointer fragment (RFC 6901, section 6) or anchor of the same document.
 * Null for other documents and for places that do not exist.
 */
export function resolveReference(index: SchemaIndex, reference: JsonValue | undefined): Reference | null {
  if (typeof reference !== "string" || !reference.startsWith("#")) return null;
  const anchored = index.anchors.get(reference.slice(1));
  const pointer = anchored === undefined ? pointerOfReference(reference) : index.pointers.get(anchored);
  if (typeof pointer !== "string") return null;
  const schema = atPointer(index.root, pointer);
  return isSchema(schema) ? { pointer, schema } : null;
}

/** The property keys that one schema declares or requires. */
export function keysNamedIn({ properties, required }: JsonObject): string[] {
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  const demanded = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return [...declared, ...demanded];
}
