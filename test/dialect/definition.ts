import type { Dialect } from "../../src/dialect/index.ts";
import type { FunctionDefinition } from "../../src/ir.ts";
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";

/** A function with the given parameters; everything else is as plain as can be. */
export function functionWith(
  parameters: JsonObject,
  more: Partial<FunctionDefinition> = {},
): FunctionDefinition {
  return {
    name: "look_up",
    title: null,
    description: "Looks something up.",
    category: null,
    parameters,
    returns: null,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    permission: null,
    cost: 1,
    cache: null,
    timeoutMs: null,
    deprecated: false,
    examples: [],
    binding: { kind: "declaration" },
    ...more,
  };
}

/** A function whose one parameter, `value`, has the given schema. */
export function functionOf(schema: JsonObject, definitions: JsonObject = {}): FunctionDefinition {
  return functionWith({ type: "object", properties: { value: schema }, ...definitions });
}

const schemaPlaces = ["/function/parameters", "/input_schema", "/parameters", "/inputSchema"];

/** The schema of the arguments in a dialect's tool. */
export function shownBy(dialect: Dialect, definition: FunctionDefinition): JsonObject {
  return schemaOf(dialect.encodeTool(definition).json);
}

/** The schema of the arguments in the JSON text of a tool. */
export function schemaOf(json: string): JsonObject {
  const tool: JsonValue = JSON.parse(json);
  const schema = schemaPlaces.map((place) => atPointer(tool, place)).find(isJsonObject);
  if (schema === undefined) throw new Error(`no schema in ${JSON.stringify(tool)}`);
  return schema;
}

/** What a dialect makes of the one parameter of `functionOf`. */
export function valueShownBy(dialect: Dialect, definition: FunctionDefinition): JsonValue | undefined {
  return atPointer(shownBy(dialect, definition), "/properties/value");
}

/** The losses of a dialect's tool, without the function's name. */
export function lossesOf(dialect: Dialect, definition: FunctionDefinition): [string, string, string][] {
  return dialect.encodeTool(definition).losses.map(({ path, keyword, outcome }) => [path, keyword, outcome]);
}
