import { type JsonObject, type JsonValue, pointerTokens } from "../../../json.ts";
import { type SchemaPath, schemaValidator } from "../../../schema/index.ts";
import { type Place, report } from "../reading/place.ts";
import type { Moves } from "./moves.ts";
import { fieldPlace } from "./places.ts";

/** Defaults, examples, constants and enum values must be valid by the very schema that they stand in. */
export function checkOwnValues(
  place: Place,
  root: JsonObject,
  schema: JsonObject,
  path: SchemaPath,
  moves: Moves,
): void {
  if (place.diagnostics.isFull) return;
  for (const { value, at } of ownValues(schema)) {
    const validator = schemaValidator(root);
    const steps = place.diagnostics.validationSteps;
    const [fault] =
      at[0] === "enum"
        ? validator.validateEnumValue(path, value, steps)
        : validator.validateAt(path, value, steps);
    if (fault === undefined) continue;
    const message = `${at[0]} ${fault.got} is refused by its own schema: expected ${fault.expected}`;
    const where = moves.written([...path, ...at, ...pointerTokens(fault.path)]);
    report(fieldPlace(place, where), "schema-value-rejected", message);
  }
}

function ownValues(schema: JsonObject): { value: JsonValue; at: SchemaPath }[] {
  const single = (["default", "const"] as const).flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined ? [] : [{ value, at: [keyword] }];
  });
  const lists = (["examples", "enum"] as const).flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((value, index) => ({ value, at: [keyword, index] })) : [];
  });
  return [...single, ...lists];
}
