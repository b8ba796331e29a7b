/** What models send in place of what a schema wants, brought back where there is no doubt what was meant. */
import { isJsonObject, type JsonObject, type JsonValue, jsonKind, jsonObject } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import { resolved } from "../../schema/index.ts";

/**
 * Arguments with three habits of models undone: a list or an object written as JSON text, a number or a
 * boolean written as text, and null for an optional argument that knows no null. Only a value that its schema
 * refuses is changed, and only into one of a type that the schema names; what is in doubt stays as it is, for
 * the validation that follows to refuse. Nothing is rounded: a text that is not exactly a number's own
 * spelling stays text.
 */
export function coerceArguments(schema: JsonObject, args: JsonObject): JsonObject {
  return new Coercion(schema).members(schema, args);
}

class Coercion {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  members(schema: JsonObject, value: JsonObject): JsonObject {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    return jsonObject(
      Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
        const property = Object.hasOwn(properties, name) ? this.#resolved(properties[name]) : null;
        if (property === null) return [[name, member]];
        const isSuperfluous = member === null && !required.includes(name) && !this.#admitsNull(property);
        return isSuperfluous ? [] : [[name, this.#value(property, member)]];
      }),
    );
  }

  #value(schema: JsonObject, given: JsonValue): JsonValue {
    const types = this.#types(schema);
    const value = typeof given === "string" && types.length > 0 ? fromText(given, types) : given;
    if (isJsonObject(value)) return this.members(schema, value);
    const items = Array.isArray(value) ? this.#resolved(schema.items) : null;
    return Array.isArray(value) && items !== null ? value.map((item) => this.#value(items, item)) : value;
  }

  /** The schema itself, behind any references; null for none, for `true` and for references that lead nowhere. */
  #resolved(schema: JsonValue | undefined): JsonObject | null {
    const meant = isJsonObject(schema) ? resolved(this.#root, schema) : null;
    return meant?.$ref === undefined ? meant : null;
  }

  /** In doubt, yes: then a null stays. */
  #admitsNull(schema: JsonObject): boolean {
    const types = this.#types(schema);
    return types.length === 0 || types.includes("null");
  }

  /** The types that a schema names, by its values or its alternatives where it has no `type`; none in doubt. */
  #types(schema: JsonObject): JsonValue[] {
    const { type, const: only, enum: values } = schema;
    if (type !== undefined) return Array.isArray(type) ? type : [type];
    if (only !== undefined) return [jsonKind(only)];
    if (Array.isArray(values)) return values.map(jsonKind);
    const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
    const types = alternatives.map((entry) => {
      const alternative = this.#resolved(entry);
      return alternative === null ? [] : this.#types(alternative);
    });
    return types.every((some) => some.length > 0) ? types.flat() : [];
  }
}

/** What a text says in one of the types that are wanted in its place, or the text itself. */
function fromText(text: string, types: readonly JsonValue[]): JsonValue {
  if (types.includes("string")) return text;
  const read = readings.map((reading) => reading(text)).find((value) => value !== undefined);
  if (read === undefined) return text;
  const kind = jsonKind(read);
  return types.includes(kind) || (kind === "integer" && types.includes("number")) ? read : text;
}

const readings: readonly ((text: string) => JsonValue | undefined)[] = [
  (text) => (text === "true" || text === "false" ? text === "true" : undefined),
  (text) => (Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : undefined),
  (text) => {
    const json = /^\s*[[{]/.test(text) ? parseJson(text, MAX_NESTING) : null;
    return json?.ok === true ? json.value : undefined;
  },
];
