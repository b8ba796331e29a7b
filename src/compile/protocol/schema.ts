import { isCollection, isMap, type Node } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { probablyMeant } from "../../nearest.ts";
import {
  backtrackingPatterns,
  checkSchema,
  knownKeywords,
  type SchemaFault,
  type SchemaPath,
  schemaValidator,
  walkSchema,
} from "../../schema/index.ts";
import { keyText, resolved } from "../document/yaml.ts";
import { type FieldReader, jsonAt, type Place, report } from "./reader.ts";

/** Keywords that say more about members than `properties` does; a schema with one of them is left open. */
const OPENING =
  "additionalProperties patternProperties unevaluatedProperties allOf anyOf oneOf if $ref".split(" ");

/** The parameters of a function that takes none. */
const NO_PARAMETERS: JsonObject = { type: "object", properties: {}, additionalProperties: false };

/**
 * Reads a function's `parameters`. Where the schema does not say otherwise, arguments that it does not
 * declare are refused: a misspelt optional argument would otherwise be dropped in silence.
 * @param isUpload as of `readSchema`
 */
export function readParameters(fields: FieldReader, isUpload: boolean): JsonObject {
  const place = fields.at("parameters");
  if (place === null) return NO_PARAMETERS;
  const schema = readSchema(place, fields.nameOf("parameters"), isUpload);
  if (schema === null) return namesOnly(jsonAt(place));
  if (schema.type !== undefined && schema.type !== "object") {
    report(
      fieldPlace(place, ["type"]),
      "schema-root-not-object",
      `${fields.nameOf("parameters")} describes an object`,
      "type: object",
    );
  }
  checkRequired(place, schema, fields.nameOf("parameters"));
  const open = OPENING.some((keyword) => schema[keyword] !== undefined);
  const properties = schema.properties ?? {};
  return { ...schema, type: "object", properties, ...(open ? {} : { additionalProperties: false }) };
}

/** Parameters whose schemas are not good: whatever refers to them by name is not to be blamed for it. */
function namesOnly(schema: JsonValue): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  return { type: "object", properties: jsonObject(Object.keys(properties).map((name) => [name, {}])) };
}

/**
 * Reads a JSON Schema and checks it, and the values that it gives for itself. Null where it is a bad one.
 * @param isUpload whether patterns that may take exponential time make it a bad one
 */
export function readSchema(place: Place, name: string, isUpload: boolean): JsonObject | null {
  const schema = jsonAt(place);
  if (!isJsonObject(schema)) {
    report(place, "wrong-type", `${name} is a JSON Schema, a mapping`);
    return null;
  }
  const faults = checkSchema(schema);
  for (const fault of faults) reportSchemaFault(place, fault);
  walkSchema(schema, (subschema, path) => warnOfKeywords(place, subschema, path));
  if (faults.length > 0 || !mayUsePatterns(place, schema, isUpload)) return null;
  walkSchema(schema, (subschema, path) => checkOwnValues(place, schema, subschema, path));
  return schema;
}

const FAULT_CODES = {
  keyword: "schema-keyword-invalid",
  pattern: "schema-pattern-invalid",
  reference: "schema-reference-invalid",
} as const;

function reportSchemaFault(place: Place, { kind, path, message, fix }: SchemaFault): void {
  report(fieldPlace(place, path), FAULT_CODES[kind], message, fix);
}

/**
 * Whoever uploads a slow pattern can also choose the text that it is slow on; a bundled skill is only warned.
 */
function mayUsePatterns(place: Place, schema: JsonObject, isUpload: boolean): boolean {
  const slow = backtrackingPatterns(schema);
  const code = isUpload ? "schema-pattern-forbidden" : "schema-pattern-backtracks";
  for (const { path, message } of slow) {
    const where =
      path.at(-2) === "patternProperties"
        ? keyPlace(place, path.slice(0, -1), String(path.at(-1)))
        : fieldPlace(place, path);
    report(where, code, `this pattern may take exponential time: ${message}`);
  }
  return slow.length === 0 || !isUpload;
}

/** Keywords that OpenAPI 3.0 had and JSON Schema does not: what they say would be dropped in silence. */
const FOREIGN = new Map([["nullable", 'type: [string, "null"]']]);

function warnOfKeywords(place: Place, schema: JsonObject, path: SchemaPath): void {
  for (const keyword of Object.keys(schema)) {
    if (keyword.startsWith("x-") || knownKeywords.includes(keyword)) continue;
    const meant = FOREIGN.get(keyword) ?? probablyMeant(keyword, knownKeywords);
    if (meant === null) continue;
    const message = `${keyword} means nothing in JSON Schema 2020-12`;
    report(
      keyPlace(place, path, keyword),
      "unknown-field",
      message,
      meant.includes(":") ? meant : `${meant}:`,
    );
  }
}

/** The place of a member within a schema's node, or of the nearest part of it that exists. */
export function fieldPlace(place: Place, path: SchemaPath): Place {
  let node = place.node;
  for (const key of path) {
    const next: unknown = isCollection(node) ? node.get(key, true) : undefined;
    const target = isNodeLike(next) ? resolved(place.block, next) : null;
    if (target === null) break;
    node = target;
  }
  return { ...place, node };
}

/** The place of a member's name within a schema's node, or of the nearest part of it that exists. */
export function keyPlace(place: Place, path: SchemaPath, key: string): Place {
  const owner = fieldPlace(place, path);
  const pairs = isMap<Node, Node | null>(owner.node) ? owner.node.items : [];
  const pair = pairs.find((candidate) => keyText(candidate.key) === key);
  return pair === undefined ? owner : { ...owner, node: pair.key };
}

function isNodeLike(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "range" in value;
}

/** Defaults, examples and enum values must be valid by the very schema that they stand in. */
function checkOwnValues(place: Place, root: JsonObject, schema: JsonObject, path: SchemaPath): void {
  if (place.diagnostics.isFull) return;
  for (const { value, at } of ownValues(schema)) {
    const validator = schemaValidator(root);
    const steps = place.diagnostics.patternSteps;
    const [fault] =
      at[0] === "enum"
        ? validator.validateEnumValue(path, value, steps)
        : validator.validateAt(path, value, steps);
    if (fault === undefined) continue;
    const message = `${at[0]} ${fault.got} is refused by its own schema: expected ${fault.expected}`;
    report(fieldPlace(place, [...path, ...at]), "schema-value-rejected", message);
  }
}

function ownValues(schema: JsonObject): { value: JsonValue; at: SchemaPath }[] {
  const lists = (["examples", "enum"] as const).flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((value, index) => ({ value, at: [keyword, index] })) : [];
  });
  return schema.default === undefined ? lists : [{ value: schema.default, at: ["default"] }, ...lists];
}

/** Keywords by which a name may be a property though `properties` does not have it. */
const ELSEWHERE = "patternProperties allOf anyOf oneOf if $ref".split(" ");

function checkRequired(place: Place, schema: JsonObject, name: string): void {
  if (ELSEWHERE.some((keyword) => schema[keyword] !== undefined)) return;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  if (!Array.isArray(schema.required)) return;
  schema.required.forEach((required, index) => {
    if (typeof required === "string" && Object.hasOwn(properties, required)) return;
    const meant = typeof required === "string" ? probablyMeant(required, Object.keys(properties)) : null;
    report(
      fieldPlace(place, ["required", index]),
      "schema-required-unknown",
      `${name} requires ${JSON.stringify(required)}, which is not one of its properties`,
      meant,
    );
  });
}
