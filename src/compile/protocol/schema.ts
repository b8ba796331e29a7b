import { isCollection, type Node } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { schemaValidator } from "../../schema/index.ts";
import { type FieldReader, jsonAt, type Place, report } from "./reader.ts";

/** Keywords that say more about members than `properties` does; a schema with one of them is left open. */
const OPENING =
  "additionalProperties patternProperties unevaluatedProperties allOf anyOf oneOf if $ref".split(" ");

/**
 * Reads a function's `parameters`. Where the schema does not say otherwise, arguments that it does not declare
 * are refused: a misspelt optional argument would otherwise be dropped in silence.
 */
export function readParameters(fields: FieldReader): JsonObject {
  const place = fields.at("parameters");
  if (place === null) return { type: "object", properties: {}, additionalProperties: false };
  const schema = readSchema(place, fields.nameOf("parameters"));
  if (schema === null) return { type: "object", properties: {} };
  if (schema.type !== undefined && schema.type !== "object") {
    report(
      fieldPlace(place, ["type"]),
      "schema-root-not-object",
      `${fields.nameOf("parameters")} describes an object`,
    );
  }
  checkRequired(place, schema, fields.nameOf("parameters"));
  const open = OPENING.some((keyword) => schema[keyword] !== undefined);
  const properties = schema.properties ?? {};
  return { ...schema, type: "object", properties, ...(open ? {} : { additionalProperties: false }) };
}

/** Reads a JSON Schema and checks its patterns and the values that it gives for itself. */
export function readSchema(place: Place, name: string): JsonObject | null {
  const schema = jsonAt(place);
  if (schema === undefined) return null;
  if (!isJsonObject(schema)) {
    report(place, "wrong-type", `${name} is a JSON Schema, a mapping`);
    return null;
  }
  const faultsBefore = place.diagnostics.hasErrors;
  walkSchema(schema, [], (subschema, path) => checkPattern(place, subschema, path));
  if (faultsBefore || !place.diagnostics.hasErrors) checkOwnValues(place, schema);
  return schema;
}

/** The place of a member within a schema's node, or of the nearest part of it that exists. */
function fieldPlace(place: Place, path: readonly (string | number)[]): Place {
  let node: Node = place.node;
  for (const key of path) {
    const next: unknown = isCollection(node) ? node.get(key, true) : undefined;
    if (!isNodeLike(next)) break;
    node = next;
  }
  return { ...place, node };
}

function isNodeLike(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "range" in value;
}

type Path = (string | number)[];

/** Keywords of 2020-12 that hold a schema, a list of schemas or a table of schemas. */
const SCHEMA_KEYWORDS =
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  );
const LIST_KEYWORDS = "allOf anyOf oneOf prefixItems".split(" ");
const TABLE_KEYWORDS = "properties patternProperties $defs dependentSchemas".split(" ");

/** Visits a schema and all schemas in it, each with its path; values and annotations are not schemas. */
function walkSchema(schema: JsonObject, path: Path, action: (schema: JsonObject, path: Path) => void): void {
  action(schema, path);
  const enter = (value: JsonValue | undefined, ...keys: Path): void => {
    if (isJsonObject(value)) walkSchema(value, [...path, ...keys], action);
  };
  for (const keyword of SCHEMA_KEYWORDS) enter(schema[keyword], keyword);
  for (const keyword of LIST_KEYWORDS) {
    const list = schema[keyword];
    for (const [index, item] of Array.isArray(list) ? list.entries() : []) enter(item, keyword, index);
  }
  for (const keyword of TABLE_KEYWORDS) {
    const table = schema[keyword];
    if (isJsonObject(table)) for (const [name, item] of Object.entries(table)) enter(item, keyword, name);
  }
}

function checkPattern(place: Place, schema: JsonObject, path: Path): void {
  const { pattern } = schema;
  if (typeof pattern !== "string") return;
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.replace(/^.*\/u?: /s, "").toLowerCase();
    report(
      fieldPlace(place, [...path, "pattern"]),
      "schema-pattern-invalid",
      `the pattern ${pattern} is not valid: ${reason}`,
    );
  }
}

/** Defaults, examples and enum values must be valid by the very schema that they stand in. */
function checkOwnValues(place: Place, root: JsonObject): void {
  walkSchema(root, [], (schema, path) => {
    const values = ownValues(schema);
    if (values.length === 0) return;
    const { default: _default, examples: _examples, ...rules } = schema;
    const validator = schemaValidator(root.$defs === undefined ? rules : { ...rules, $defs: root.$defs });
    for (const { value, at } of values) {
      const [fault] = validator.validate(value);
      if (fault === undefined) continue;
      const where = fieldPlace(place, [...path, ...at]);
      report(
        where,
        "schema-value-rejected",
        `${at[0]} ${fault.got} is refused by its own schema: expected ${fault.expected}`,
      );
    }
  });
}

function ownValues(schema: JsonObject): { value: JsonValue; at: Path }[] {
  const lists = (["examples", "enum"] as const).flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((value, index) => ({ value, at: [keyword, index] })) : [];
  });
  return schema.default === undefined ? lists : [{ value: schema.default, at: ["default"] }, ...lists];
}

function checkRequired(place: Place, schema: JsonObject, name: string): void {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  if (!Array.isArray(schema.required)) return;
  schema.required.forEach((required, index) => {
    if (typeof required === "string" && Object.hasOwn(properties, required)) return;
    const where = fieldPlace(place, ["required", index]);
    report(
      where,
      "schema-required-unknown",
      `${name} requires ${JSON.stringify(required)}, which is not one of its properties`,
    );
  });
}
