import type { FunctionDefinition, Template } from "../../../../ir.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonObject,
  pointerTokens,
} from "../../../../json.ts";
import { probablyMeant } from "../../../../nearest.ts";
import { schemaValidator } from "../../../../schema/index.ts";
import { type Place, report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { fieldPlace } from "../../schema/places.ts";
import type { StepSection } from "./step.ts";

/**
 * Checks the arguments that steps give against the functions that they call, as far as both are in one
 * document and the arguments are written out, and says which steps nobody needs.
 */
export function checkStepCalls(
  steps: readonly StepSection[],
  functions: ReadonlyMap<string, FunctionDefinition>,
): void {
  for (const section of steps) {
    const callee = functions.get(section.step.call);
    warnOfUnused(section, callee);
    if (callee !== undefined) checkArguments(section, callee);
  }
}

/** What changes something is worth running for that alone. */
function warnOfUnused({ step, fields, isUsed }: StepSection, callee: FunctionDefinition | undefined): void {
  if (isUsed || callee?.annotations.readOnly === false) return;
  const message = `nothing needs the result of the step ${step.id}`;
  report(fields.at("id") ?? fields.place, "step-unused", message);
}

function checkArguments({ step, fields }: StepSection, callee: FunctionDefinition): void {
  if (step.with.kind !== "object") return;
  const inner = fields.has("with") ? fields.mapping("with") : null;
  const members = step.with.members;
  const properties = isJsonObject(callee.parameters.properties) ? callee.parameters.properties : {};
  const given = new Set(members.map(([name]) => name));
  for (const [name, template] of members) {
    const place = inner?.keyPlace(name) ?? fields.place;
    if (Object.hasOwn(properties, name)) checkValue(inner, name, template, callee);
    else if (callee.parameters.additionalProperties === false)
      reportUnknown(place, name, callee.name, Object.keys(properties));
  }
  const isNull = new Set(members.flatMap(([name, template]) => (literalOf(template) === null ? [name] : [])));
  for (const name of requiredOf(callee.parameters, properties)) {
    if (given.has(name) && !isNull.has(name)) continue;
    const message = `the step ${step.id} does not give ${name}, which ${callee.name} requires`;
    report(inner?.place ?? fields.place, "argument-missing", message, `${name}: …`);
  }
}

/** Names that a call must give: a default is filled in for those that have one. */
function requiredOf(schema: JsonObject, properties: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required
    .filter((name) => typeof name === "string")
    .filter((name) => {
      const property = properties[name];
      return !isJsonObject(property) || property.default === undefined;
    });
}

function reportUnknown(place: Place, name: string, callee: string, known: readonly string[]): void {
  const meant = probablyMeant(name, known);
  const message = `${callee} has no parameter ${name}; it has: ${known.join(", ") || "none"}`;
  report(place, "argument-unknown", message, meant === null ? null : `${meant}:`);
}

function checkValue(
  fields: FieldReader | null,
  name: string,
  template: Template,
  { name: callee, parameters }: FunctionDefinition,
): void {
  const value = literalOf(template);
  if (value === undefined || value === null || fields === null) return;
  const place = fields.at(name) ?? fields.place;
  const [fault] = schemaValidator(parameters).validateAt(
    ["properties", name],
    value,
    place.diagnostics.validationSteps,
  );
  if (fault === undefined) return;
  const message = `${fields.nameOf(name)}${fault.path} is refused by ${callee}: expected ${fault.expected}, got ${fault.got}`;
  report(fieldPlace(place, pointerTokens(fault.path)), "schema-value-rejected", message);
}

/** The value of a template that holds no expression; undefined where it is made only at run time. */
function literalOf(template: Template): JsonValue | undefined {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "object":
      return literalObject(template.members);
    case "array": {
      const items = template.items.map(literalOf);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case "argument":
    case "expression":
    case "text":
      return undefined;
  }
}

/** As in rendering, a member that is null is left out. */
function literalObject(members: readonly (readonly [string, Template])[]): JsonObject | undefined {
  const object = jsonObject();
  for (const [name, member] of members) {
    const value = literalOf(member);
    if (value === undefined) return undefined;
    if (value !== null) object[name] = value;
  }
  return object;
}
