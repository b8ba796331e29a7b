import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_SCHEMAS_FOR_ONE_VALUE } from "../limits.ts";
import { quoteValue, thereAre } from "./quote.ts";
import {
  pointerOfReference,
  pointerTo,
  type SchemaFault,
  type SchemaPath,
  subschemas,
  walkSchema,
} from "./walk.ts";

/** References that lead nowhere; where there is none, schemas that combine others without an end, or too many. */
export function checkReferences(root: JsonObject): SchemaFault[] {
  const combining: PlacedSchema[] = [];
  walkSchema(root, (schema, path) => {
    if (combinesSchemas(schema)) combining.push({ schema, path });
  });
  if (combining.length === 0) return [];
  const places = placesIn(root);
  const known = definitionsOf(root);
  const faults = combining.flatMap(({ schema, path }) => referenceFaults(schema, path, known, places));
  return faults.length > 0 ? faults : combinationFaults(combining, places);
}

/** A schema, with where it stands within another. */
interface PlacedSchema {
  schema: JsonObject;
  path: SchemaPath;
}

/** Schemas by the JSON Pointers to them. */
type Places = ReadonlyMap<string, JsonObject | boolean>;

function placesIn(root: JsonObject): Places {
  const places = new Map<string, JsonObject | boolean>([["", root]]);
  walkSchema(root, (schema, path) => {
    for (const [child, where] of subschemas(schema)) places.set(pointerTo([...path, ...where]), child);
  });
  return places;
}

/** What could be referred to instead, in words. */
function definitionsOf(root: JsonObject): string {
  const names = isJsonObject(root.$defs) ? Object.keys(root.$defs).map((name) => `#/$defs/${name}`) : [];
  return thereAre(names);
}

/** @param known what the message ends with where nothing stands at a reference */
function referenceFaults(
  subschema: JsonObject,
  path: SchemaPath,
  known: string,
  places: Places,
): SchemaFault[] {
  const { $ref: reference } = subschema;
  if (typeof reference !== "string") return [];
  const pointer = pointerOfReference(reference);
  if (pointer !== null && places.has(pointer)) return [];
  const message =
    pointer === null
      ? `${quoteValue(reference)} is not a place in this schema, such as #/$defs/name`
      : `no schema stands at ${reference}${known}`;
  return [{ kind: "reference", path: [...path, "$ref"], message, fix: null }];
}

/** Keywords whose schemas are about the same value as the schema that they stand in. */
const SAME_VALUE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);

/** Whether a schema applies others to the value that it is about itself; most do not. */
function combinesSchemas(subschema: JsonObject): boolean {
  return Object.keys(subschema).some((keyword) => keyword === "$ref" || SAME_VALUE.has(keyword));
}

/**
 * A schema that comes back to itself without a step into the value could be checked for ever; one that names
 * others twice, and those again others, takes twice as long at every level.
 */
function combinationFaults(combining: readonly PlacedSchema[], places: Places): SchemaFault[] {
  const costs = new Map<string, number>();
  for (const { path } of combining) {
    const cost = costOf(pointerTo(path), places, costs);
    if (cost <= MAX_SCHEMAS_FOR_ONE_VALUE) continue;
    const message =
      cost === Number.POSITIVE_INFINITY
        ? "this schema refers to itself without a step into the value"
        : `this schema combines more than ${MAX_SCHEMAS_FOR_ONE_VALUE} schemas for one value`;
    return [{ kind: "reference", path, message, fix: null }];
  }
  return [];
}

/**
 * How many schemas one value is checked against; infinite where the way comes back to a schema that it began
 * in.
 */
function costOf(
  pointer: string,
  places: Places,
  costs: Map<string, number>,
  way: readonly string[] = [],
): number {
  const known = costs.get(pointer);
  if (known !== undefined) return known;
  if (way.includes(pointer)) return Number.POSITIVE_INFINITY;
  if (way.length > MAX_SCHEMAS_FOR_ONE_VALUE) return way.length;
  let cost = 1;
  for (const next of sameValue(pointer, places)) cost += costOf(next, places, costs, [...way, pointer]);
  costs.set(pointer, cost);
  return cost;
}

/** The places of the schemas that a schema applies to the very value that it is about. */
function sameValue(pointer: string, places: Places): string[] {
  const subschema = places.get(pointer);
  if (!isJsonObject(subschema)) return [];
  const within = [...subschemas(subschema)].flatMap(([, where]) =>
    SAME_VALUE.has(String(where[0])) ? [pointer + pointerTo(where)] : [],
  );
  const target = typeof subschema.$ref === "string" ? pointerOfReference(subschema.$ref) : null;
  return target === null ? within : [...within, target];
}
