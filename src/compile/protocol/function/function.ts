import {
  COMMON_SCOPE,
  ELEMENT_SCOPE,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
  STEPS_SCOPE,
} from "../../../expression/index.ts";
import type { FunctionDefinition } from "../../../ir.ts";
import { isJsonObject, type JsonObject } from "../../../json.ts";
import { MAX_EXAMPLES, MAX_TIMEOUT_MS } from "../../../limits.ts";
import { jsonAt, type Place, report } from "../reading/place.ts";
import { FieldReader } from "../reading/reader.ts";
import { checkArguments } from "../schema/arguments.ts";
import { readParameters } from "../schema/parameters.ts";
import { keyPlace } from "../schema/places.ts";
import { readSchema } from "../schema/schema.ts";
import type { UpstreamSection } from "../upstream.ts";
import { completeAnnotations, type GivenAnnotations, readAnnotations } from "./annotations.ts";
import { readBinding } from "./binding.ts";
import { readCache } from "./cache.ts";
import { hasElements, type StepSection } from "./steps/step.ts";

/** A function with its places, for what is found out only when all functions are known. */
export interface FunctionSection {
  definition: FunctionDefinition;
  fields: FieldReader;
  given: GivenAnnotations;
  steps: readonly StepSection[];
}

/** Names that every provider accepts: a letter or `_`, then letters, digits, `_` and `-`, 64 in all. */
const FUNCTION_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const MAX_COST = 1_000_000;

/**
 * Reads one entry of `functions`. What a chain of steps does to the world is not known yet.
 * @param isUpload as of `readSchema`
 * @returns null, with diagnostics, where it has no usable name
 */
export function readFunction(
  place: Place,
  name: string,
  upstreams: readonly UpstreamSection[],
  isUpload: boolean,
): FunctionSection | null {
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  const functionName = readName(fields);
  const parameters = readParameters(fields, isUpload);
  warnOfShadowing(fields, parameters);
  const where = { schema: parameters, place: fields.valuePlace("parameters") };
  const { binding, steps } = readBinding(fields, where, parameterScope(parameters), upstreams);
  const returns = fields.at("returns");
  const given = readAnnotations(fields);
  const definition: FunctionDefinition = {
    name: functionName ?? "",
    title: fields.text("title"),
    description: fields.requiredText("description")?.trim() ?? "",
    category: fields.text("category"),
    parameters,
    returns: returns === null ? null : readSchema(returns, fields.nameOf("returns"), isUpload),
    annotations: completeAnnotations(given, binding, []),
    permission: fields.text("permission"),
    cost: fields.number("cost", 0, MAX_COST, true) ?? 1,
    cache: readCache(fields.mapping("cache")),
    timeoutMs: fields.milliseconds("timeout", 1, MAX_TIMEOUT_MS),
    deprecated: fields.boolean("deprecated") ?? false,
    examples: readExamples(fields, functionName ?? fields.name, parameters),
    binding,
  };
  fields.finish();
  return functionName === null ? null : { definition, fields, given, steps };
}

function readName(fields: FieldReader): string | null {
  const name = fields.requiredText("name");
  if (name === null || FUNCTION_NAME.test(name)) return name;
  const fix = name
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?![A-Za-z_])/, "_")
    .slice(0, 64);
  const message = `a function's name is a letter or _ and then letters, digits, _ or - (64 at most), not ${JSON.stringify(name)}`;
  report(
    fields.at("name") ?? fields.place,
    "function-name-invalid",
    message,
    /[A-Za-z0-9]/.test(fix) ? `name: ${fix}` : null,
  );
  return null;
}

/** A parameter named like something that expressions have already is not what its name means there. */
function warnOfShadowing(fields: FieldReader, { properties }: JsonObject): void {
  const place = fields.valuePlace("parameters");
  if (place === null || !isJsonObject(properties)) return;
  const taken = scopesOf(fields);
  for (const name of Object.keys(properties)) {
    const surroundings = taken.find(({ scope }) => scope.has(name));
    if (surroundings === undefined) continue;
    const message = `in ${surroundings.name}, ${name} is not this parameter, which is args["${name}"] there`;
    report(keyPlace(place, ["properties"], name), "parameter-shadowed", message);
  }
}

function scopesOf(fields: FieldReader): { scope: Scope; name: string }[] {
  const scopes = [{ scope: COMMON_SCOPE, name: "expressions" }];
  if (fields.has("response")) scopes.push({ scope: RESPONSE_SCOPE, name: "the expressions of response" });
  if (fields.has("paginate")) scopes.push({ scope: RESPONSE_SCOPE, name: "the expressions of paginate" });
  if (!fields.has("steps")) return scopes;
  const scope = hasElements(fields) ? joinScopes(STEPS_SCOPE, ELEMENT_SCOPE) : STEPS_SCOPE;
  return [...scopes, { scope, name: "the expressions of steps" }];
}

/** Sets of arguments, shown to models as they are. */
function readExamples(fields: FieldReader, functionName: string, parameters: JsonObject): JsonObject[] {
  return fields.items("examples", MAX_EXAMPLES).flatMap(({ place, name }) => {
    const example = jsonAt(place);
    if (!isJsonObject(example)) {
      report(place, "wrong-type", `${name} is a mapping of arguments`);
      return [];
    }
    checkArguments(place, name, functionName, parameters, example);
    return [example];
  });
}
