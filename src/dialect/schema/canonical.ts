/**
 * One node of a schema, brought to JSON Schema 2020-12: what a provider never sees is gone, and the spellings
 * of draft 4 and OpenAPI 3.0 that skill authors copy from API documents are replaced. Nothing is lost here,
 * and the input is never changed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { annotations, copyOf, housekeeping, identityOf, ordered, typesOf, without } from "./keywords.ts";

const steps: readonly ((schema: JsonObject) => JsonObject)[] = [
  withoutExtensions,
  distinctLists,
  numericBound("minimum", "exclusiveMinimum"),
  numericBound("maximum", "exclusiveMaximum"),
  tuple,
  example,
  nullable,
  ordered,
];

/** The node in 2020-12 spelling. The schemas inside it are the very objects of the input. */
export function canonical(schema: JsonObject): JsonObject {
  return steps.reduce((node, step) => step(node), schema);
}

/** The values without repetitions; equal objects count as one. */
export function distinct(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [identityOf(value), value])).values()];
}

/** True where a schema accepts null and nothing else. */
export function isNullSchema(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, enum: values } = schema;
  if (type === "null" || ("const" in schema && schema.const === null)) return true;
  return Array.isArray(values) && values.length > 0 && values.every((value) => value === null);
}

/** `x-*` keywords are for interfaces and requests, never for models. */
function withoutExtensions(schema: JsonObject): JsonObject {
  return copyOf(schema, (keyword) => !keyword.startsWith("x-") && !housekeeping.has(keyword));
}

function distinctLists(schema: JsonObject): JsonObject {
  const node = copyOf(schema);
  for (const keyword of ["type", "enum", "required"]) {
    const values = node[keyword];
    if (Array.isArray(values)) node[keyword] = distinct(values);
  }
  const types = typesOf(node);
  if (types.length === 1 && types[0] !== undefined) node.type = types[0];
  return node;
}

/** Draft 4 and OpenAPI 3.0: `exclusiveMinimum: true` makes the bound that stands beside it exclusive. */
function numericBound(bound: string, exclusive: string): (schema: JsonObject) => JsonObject {
  return (schema) => {
    const flag = schema[exclusive];
    if (typeof flag !== "boolean") return schema;
    const limit = schema[bound];
    if (!flag || limit === undefined) return without(schema, exclusive);
    const node = without(schema, bound);
    node[exclusive] = limit;
    return node;
  };
}

/** Draft 7 and before: a list of `items` is a tuple, and `additionalItems` is what follows it. */
function tuple(schema: JsonObject): JsonObject {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return schema;
  const node = without(schema, "items", "additionalItems");
  node.prefixItems = items;
  if (additionalItems !== undefined) node.items = additionalItems;
  return node;
}

/** OpenAPI 3.0 has one `example`. */
function example(schema: JsonObject): JsonObject {
  const { example: value, examples } = schema;
  if (value === undefined) return schema;
  const node = without(schema, "example");
  if (examples === undefined) node.examples = [value];
  return node;
}

/** Keywords beside which null cannot be let in by adding it to `type`. */
const restrictions = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];

/** OpenAPI 3.0: `nullable: true` also accepts null, whatever the other keywords say. */
function nullable(schema: JsonObject): JsonObject {
  if (typeof schema.nullable !== "boolean") return schema;
  const node = without(schema, "nullable");
  if (!schema.nullable) return node;
  const types = typesOf(node);
  if (types.length > 0 && !restrictions.some((keyword) => keyword in node)) {
    node.type = distinct([...types, "null"]);
    if (Array.isArray(node.enum)) node.enum = distinct([...node.enum, null]);
    return node;
  }
  const asserted = copyOf(node, (keyword) => !annotations.has(keyword));
  if (Object.keys(asserted).length === 0) return node;
  const union = copyOf(node, (keyword) => annotations.has(keyword));
  union.anyOf = [asserted, { type: "null" }];
  return union;
}
