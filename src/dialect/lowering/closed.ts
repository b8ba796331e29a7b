/** Objects for providers that know closed ones only, or no optional properties. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { distinct } from "../schema/canonical.ts";
import { copyOf, schemaKeywords, typesOf } from "../schema/keywords.ts";
import { keysNamedIn, resolveReference } from "../schema/schema-index.ts";
import { admitsNull } from "../schema/types.ts";
import type { Node, Walk } from "./node.ts";
import { restoreAbsence } from "./restore.ts";

/**
 * Closes an object that is open only because nobody said otherwise. One that invites more than it declares stays
 * open, as does one of which something declared could not be shown: closed, it would forbid what the author allows.
 */
export function closeObject({ output, source, walk }: Node): void {
  if (!walk.target.closedObjects || !typesOf(output).includes("object")) return;
  if (output.additionalProperties !== undefined || !isJsonObject(output.properties)) return;
  if (!mayHoldMore(source, output.properties, walk)) output.additionalProperties = false;
}

/**
 * Requires every property. An optional one may be null instead; where that null could not be told from the author's
 * own on the way back, the property stays optional.
 */
export function requireProperties(node: Node): void {
  const { input, output, walk, position } = node;
  const { properties, required } = output;
  if (!walk.target.everyPropertyRequired || !isJsonObject(properties)) return;
  const demanded = new Set(Array.isArray(required) ? required : []);
  const absent = new Set<string>();
  for (const key of Object.keys(isJsonObject(input.properties) ? input.properties : {})) {
    const alias = walk.aliases.get(key) ?? key;
    const schema = properties[alias];
    if (demanded.has(alias) || !isJsonObject(schema)) continue;
    const widened = admitsNull(schema) ? schema : withNull(schema);
    if (widened !== schema && position.ambiguous) continue;
    if (widened !== schema) absent.add(key);
    properties[alias] = widened;
    demanded.add(alias);
  }
  output.required = Object.keys(properties).filter((alias) => demanded.has(alias));
  if (absent.size > 0) node.restores.push(restoreAbsence(absent));
}

/** Keywords whose schemas speak of the very value that their own schema speaks of, and may declare properties. */
const sameValue = ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"];

function mayHoldMore(source: JsonObject, shown: JsonObject, walk: Walk): boolean {
  const pending: JsonObject[] = [source];
  const seen = new Set<JsonObject>();
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (invitesMore(schema) || keysNamedIn(schema).some((key) => !isShown(key, shown, walk))) return true;
    const target = schema.$ref === undefined ? null : resolveReference(walk.index, schema.$ref);
    if (isJsonObject(target?.schema)) pending.push(target.schema);
    for (const keyword of sameValue) pending.push(...schemasOf(keyword, schema[keyword]));
  }
  return false;
}

function invitesMore({
  patternProperties,
  additionalProperties,
  unevaluatedProperties,
}: JsonObject): boolean {
  const isOpened = (value: JsonValue | undefined): boolean => value !== undefined && value !== false;
  return (
    keysOf(patternProperties).length > 0 || isOpened(additionalProperties) || isOpened(unevaluatedProperties)
  );
}

function isShown(key: string, shown: JsonObject, { aliases }: Walk): boolean {
  return (aliases.get(key) ?? key) in shown;
}

function keysOf(value: JsonValue | undefined): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function schemasOf(keyword: string, value: JsonValue | undefined): JsonObject[] {
  if (typeof value !== "object" || value === null) return [];
  const schemas = schemaKeywords.get(keyword) === "one" ? [value] : Object.values(value);
  return schemas.filter(isJsonObject);
}

function withNull(schema: JsonObject): JsonObject {
  const copy = copyOf(schema);
  if (Array.isArray(schema.anyOf)) copy.anyOf = [...schema.anyOf, { type: "null" }];
  else copy.type = distinct([...typesOf(schema), "null"]);
  if (Array.isArray(schema.enum)) copy.enum = distinct([...schema.enum, null]);
  return copy;
}
