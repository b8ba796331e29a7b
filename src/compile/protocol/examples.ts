import type { Example, FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonObject, jsonObject } from "../../json.ts";
import { MAX_LISTED_FAULTS, MAX_PARALLEL_CALLS } from "../../limits.ts";
import { fillDefaults, schemaValidator } from "../../schema/index.ts";
import { reportUnknownFunction } from "./constraints.ts";
import { FieldReader, type Place, report } from "./reader.ts";

/** Reads one entry of `examples` and checks its calls against the functions' own schemas. */
export function readExample(
  place: Place,
  name: string,
  functions: readonly FunctionDefinition[],
): Example | null {
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  const user = fields.requiredText("user");
  const thought = fields.text("thought")?.trim() ?? null;
  const first = readCall(fields, functions);
  const others = fields.items("parallel_calls", MAX_PARALLEL_CALLS).flatMap((item) => {
    const call = FieldReader.at(item.place, item.name);
    const read = call === null ? null : readCall(call, functions);
    call?.finish();
    return read ?? [];
  });
  fields.finish();
  if (user === null || first === null) return null;
  return { user, thought, calls: [first, ...others] };
}

function readCall(
  fields: FieldReader,
  functions: readonly FunctionDefinition[],
): Example["calls"][number] | null {
  const name = fields.requiredText("function");
  const given = fields.json("params");
  const parameters = isJsonObject(given) ? given : jsonObject();
  if (name === null) return null;
  const definition = functions.find((candidate) => candidate.name === name);
  if (definition === undefined) {
    const names = functions.map((candidate) => candidate.name);
    reportUnknownFunction(fields.at("function") ?? fields.place, name, names);
    return null;
  }
  checkParameters(fields, definition, parameters);
  return { function: name, parameters };
}

function checkParameters(fields: FieldReader, definition: FunctionDefinition, parameters: JsonObject): void {
  const place = fields.at("params") ?? fields.place;
  checkCall(place, fields.nameOf("params"), definition.name, definition.parameters, parameters);
}

/**
 * Says what a function's schema has against the arguments of an example: the first faults, and how many more.
 */
export function checkCall(
  place: Place,
  name: string,
  functionName: string,
  schema: JsonObject,
  given: JsonObject,
): void {
  const filled = fillDefaults(schema, given);
  const faults = schemaValidator(schema).validate(filled, place.diagnostics.patternSteps);
  for (const { path, expected, got } of faults.slice(0, MAX_LISTED_FAULTS)) {
    const message = `${name}${path} is refused by ${functionName}: expected ${expected}, got ${got}`;
    report(place, "schema-value-rejected", message);
  }
  const unlisted = faults.length - MAX_LISTED_FAULTS;
  if (unlisted > 0)
    report(
      place,
      "schema-value-rejected",
      `${name} is refused by ${functionName} for ${unlisted} more reasons`,
    );
}
