import { type JsonObject, pointerTokens } from "../../../json.ts";
import { MAX_LISTED_FAULTS } from "../../../limits.ts";
import { fillDefaults, schemaValidator } from "../../../schema/index.ts";
import { type Place, report } from "../reading/place.ts";
import { fieldPlace } from "./places.ts";

/**
 * Says what a function's schema has against the arguments of an example: the first faults, and how many more.
 */
export function checkArguments(
  place: Place,
  name: string,
  functionName: string,
  schema: JsonObject,
  given: JsonObject,
): void {
  const filled = fillDefaults(schema, given);
  const faults = schemaValidator(schema).validate(filled, place.diagnostics.validationSteps);
  for (const { path, expected, got } of faults.slice(0, MAX_LISTED_FAULTS)) {
    const message = `${name}${path} is refused by ${functionName}: expected ${expected}, got ${got}`;
    report(fieldPlace(place, pointerTokens(path)), "schema-value-rejected", message);
  }
  const unlisted = faults.length - MAX_LISTED_FAULTS;
  if (unlisted > 0)
    report(
      place,
      "schema-value-rejected",
      `${name} is refused by ${functionName} for ${unlisted} more reasons`,
    );
}
