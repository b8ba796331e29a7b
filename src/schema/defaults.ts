import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json.ts";

/**
 * Fills in the defaults that a schema gives for members that are absent, also within objects that are present.
 * The value is not changed; a member that is null was given and stays.
 */
export function fillDefaults(schema: JsonObject, value: JsonObject): JsonObject {
  const filled = jsonObject(Object.entries(value));
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const given: JsonValue | undefined =
      filled[name] ?? (Object.hasOwn(filled, name) ? null : property.default);
    if (given === undefined) continue;
    filled[name] = isJsonObject(given) ? fillDefaults(property, given) : given;
  }
  return filled;
}
