import { isJsonObject, type JsonObject } from "../../../json.ts";
import { probablyMeant } from "../../../nearest.ts";
import { pointerTo, type SchemaPath } from "../../../schema/index.ts";
import { type Place, report } from "../reading/place.ts";
import type { Moves } from "./moves.ts";
import { fieldPlace } from "./places.ts";

/** Keywords by which a name may be a property though `properties` does not have it. */
const ELSEWHERE = "patternProperties allOf anyOf oneOf if $ref".split(" ");

/** Steps into a value; a schema behind any other keyword may be one of several that are put together. */
const MEMBERS = new Set<string | number>(["properties", "items", "additionalProperties"]);

/** Says which names an object requires without having them as properties. */
export function checkRequired(
  place: Place,
  name: string,
  schema: JsonObject,
  path: SchemaPath,
  moves: Moves,
): void {
  const { properties, required } = schema;
  if (!Array.isArray(required) || !isWhole(schema, path)) return;
  const names = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  required.forEach((one, index) => {
    if (typeof one !== "string" || names.has(one) || place.diagnostics.isFull) return;
    const where = fieldPlace(place, moves.written([...path, "required", index]));
    const message = `${name}${pointerTo(path)} requires ${JSON.stringify(one)}, which is not one of its properties`;
    report(where, "schema-required-unknown", message, probablyMeant(one, names));
  });
}

/** Whether all the properties that an object may have stand in the schema itself. */
function isWhole(schema: JsonObject, path: SchemaPath): boolean {
  if (ELSEWHERE.some((keyword) => schema[keyword] !== undefined)) return false;
  return path.length === 0 || (schema.properties !== undefined && isMemberPath(path));
}

function isMemberPath(path: SchemaPath): boolean {
  for (let index = 0; index < path.length; index++) {
    if (!MEMBERS.has(path[index] ?? "")) return false;
    if (path[index] === "properties") index++;
  }
  return true;
}
