import type { Example, FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonObject, jsonObject } from "../../json.ts";
import { MAX_PARALLEL_CALLS } from "../../limits.ts";
import { reportUnknownFunction } from "./function/unknown-function.ts";
import { jsonAt, type Place, report } from "./reading/place.ts";
import { FieldReader } from "./reading/reader.ts";
import { checkArguments } from "./schema/arguments.ts";

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
  const parameters = readArguments(fields);
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

function readArguments(fields: FieldReader): JsonObject {
  const place = fields.at("params");
  const given = place === null ? jsonObject() : jsonAt(place);
  if (isJsonObject(given)) return given;
  report(place ?? fields.place, "wrong-type", `${fields.nameOf("params")} is a mapping of arguments`);
  return jsonObject();
}

function checkParameters(fields: FieldReader, definition: FunctionDefinition, parameters: JsonObject): void {
  const place = fields.at("params") ?? fields.place;
  checkArguments(place, fields.nameOf("params"), definition.name, definition.parameters, parameters);
}
