import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../../json.ts";
import { jsonAt, report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";
import { fieldPlace } from "./places.ts";
import { readSchema } from "./schema.ts";

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
  const open = OPENING.some((keyword) => schema[keyword] !== undefined);
  const properties = schema.properties ?? {};
  return { ...schema, type: "object", properties, ...(open ? {} : { additionalProperties: false }) };
}

/** The parameters that a function declares, by name; one whose schema is no mapping says nothing of itself. */
export function declaredParameters({ properties }: JsonObject): Map<string, JsonObject> {
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.map(([name, schema]) => [name, isJsonObject(schema) ? schema : {}]));
}

/**
 * Parameters whose schemas are not good, with what they say to the gateway alone: whatever refers to them by
 * name is not to be blamed for it.
 */
function namesOnly(schema: JsonValue): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const names = Object.entries(properties).map(([name, property]): [string, JsonObject] => {
    const entries = isJsonObject(property) ? Object.entries(property) : [];
    return [name, jsonObject(entries.filter(([keyword]) => keyword.startsWith("x-")))];
  });
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return { type: "object", properties: jsonObject(names), required };
}
