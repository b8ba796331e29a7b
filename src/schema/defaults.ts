import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json.ts";
import { MAX_FILLED_DEFAULTS } from "../limits.ts";
import { resolved } from "./walk.ts";

/**
 * Fills in the defaults that a schema gives for members that are absent, also within objects and lists that
 * are present, and through references. The value is not changed; a member that is null was given and stays.
 */
export function fillDefaults(schema: JsonObject, value: JsonObject): JsonObject {
  return fillMembers(schema, value, { root: schema, open: [], budget: { left: MAX_FILLED_DEFAULTS } });
}

/** Where a filling stands. */
interface Place {
  root: JsonObject;
  /**
   * The schemas that it is within; one of them is not put into itself by a default, for that would never end.
   */
  open: readonly JsonObject[];
  /** How many more defaults are filled in. Schemas that name each other could ask for any number of them. */
  budget: { left: number };
}

function fillMembers(schema: JsonObject, value: JsonObject, place: Place): JsonObject {
  const filled = jsonObject(Object.entries(value));
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const target = resolved(place.root, property);
    const given = Object.hasOwn(filled, name) ? filled[name] : defaultOf(property, target, place);
    if (given !== undefined) filled[name] = fillValue(target, given, place);
  }
  return filled;
}

function defaultOf(property: JsonObject, target: JsonObject, place: Place): JsonValue | undefined {
  const value = property.default ?? target.default;
  if (value === undefined || place.open.includes(target)) return undefined;
  return place.budget.left-- > 0 ? value : undefined;
}

function fillValue(schema: JsonObject, value: JsonValue, place: Place): JsonValue {
  const within = { ...place, open: [...place.open, schema] };
  if (isJsonObject(value)) return fillMembers(schema, value, within);
  const { items } = schema;
  if (!Array.isArray(value) || !isJsonObject(items)) return value;
  const target = resolved(place.root, items);
  return value.map((item) => fillValue(target, item, within));
}
