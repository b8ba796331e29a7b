import {
  argumentsUsed,
  COMMON_SCOPE,
  joinScopes,
  RESPONSE_SCOPE,
  type Scope,
  templateExpressions,
} from "../../../../expression/index.ts";
import type { Method, QueryStyle, Template } from "../../../../ir.ts";
import type { JsonObject } from "../../../../json.ts";
import { queryStyleNames } from "../../../../vocabulary.ts";
import { type Place, report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { declaredParameters } from "../../schema/parameters.ts";
import { fieldPlace, keyPlace } from "../../schema/places.ts";
import { mayBeSkillHeader, reportHeaderName } from "../../upstream.ts";

/** A function's parameters, and where they stand in the document (null where it has none). */
export interface Parameters {
  schema: JsonObject;
  place: Place | null;
}

/** Where a function's parameters go that no template places. */
export interface Placement {
  properties: ReadonlyMap<string, JsonObject>;
  required: ReadonlySet<unknown>;
  place: Place | null;
  placed: Set<string>;
}

/** The placement of parameters before any template is read. */
export function placementOf({ schema, place }: Parameters): Placement {
  return {
    properties: declaredParameters(schema),
    required: new Set(Array.isArray(schema.required) ? schema.required : []),
    place,
    placed: new Set(),
  };
}

/** A parameter counts as placed where a template's expressions take it. */
export function markPlaced(template: Template, placement: Placement): void {
  for (const source of templateExpressions(template)) markUsed(source, placement, COMMON_SCOPE);
}

/** In scope of expressions over a reply, but for the parameters. */
export const REPLY_SCOPE = joinScopes(COMMON_SCOPE, RESPONSE_SCOPE);

/**
 * A parameter counts as placed where an expression takes it.
 * @param surroundings names that mean something else than parameters, which only `args` reaches then
 */
export function markUsed(source: string, { properties, placed }: Placement, surroundings: Scope): void {
  const { names, all } = argumentsUsed(source);
  const isElse = (name: string) => surroundings.has(name) && !source.includes("args");
  for (const name of all ? properties.keys() : names)
    if (properties.has(name) && !isElse(name)) placed.add(name);
}

const PLACES = ["path", "query", "header", "body"] as const;

/** Checks what parameters wish for themselves (`x-in`, `x-style`) against what the request does with them. */
export function checkWishes(placement: Placement): void {
  for (const [name, schema] of placement.properties) {
    const wish = schema["x-in"];
    reportNotOneOf(name, schema, "x-in", PLACES, placement);
    reportNotOneOf(name, schema, "x-style", queryStyleNames, placement);
    if (schema["x-name"] !== undefined && wireName(name, schema) !== schema["x-name"])
      reportParameter(placement, name, "x-name", "wrong-type", "x-name is a text, and not an empty one");
    const isPlaced = placement.placed.has(name);
    if (wish === "path" && !isPlaced)
      reportParameter(placement, name, "x-in", "parameter-not-placed", `the path does not name {${name}}`);
    else if (isPlaced && wish !== undefined && wish !== "path")
      reportParameter(
        placement,
        name,
        "x-in",
        "parameter-placed-twice",
        `the request places ${name} itself, and x-in places it too`,
      );
  }
}

/** Headers that parameters ask to be, under the name that they have on the wire. */
export function checkHeaders({ properties, place, placed }: Placement): void {
  for (const [name, schema] of properties) {
    const header = wireName(name, schema);
    if (place === null || schema["x-in"] !== "header" || placed.has(name) || mayBeSkillHeader(header))
      continue;
    reportHeaderName(wireNamePlace(place, name, schema), header);
  }
}

/** Says of everything that would be sent in a body that it cannot be. */
export function reportBody(method: Method, fields: FieldReader, placement: Placement): void {
  const message = `a ${method} request has no body`;
  if (fields.has("body")) report(fields.keyPlace("body"), "body-not-allowed", message);
  for (const [name, schema] of placement.properties) {
    if (schema["x-in"] === "body" && !placement.placed.has(name))
      reportParameter(placement, name, "x-in", "body-not-allowed", message);
  }
}

function reportNotOneOf(
  name: string,
  schema: JsonObject,
  keyword: string,
  choices: readonly string[],
  placement: Placement,
): void {
  const value = schema[keyword];
  if (value === undefined || (typeof value === "string" && choices.includes(value))) return;
  const message = `${keyword} is one of ${choices.join(", ")}, not ${JSON.stringify(value)}`;
  reportParameter(placement, name, keyword, "not-one-of", message);
}

/** Says something about a parameter: at one of its keywords, or at its name where `keyword` is null. */
export function reportParameter(
  { place }: Placement,
  name: string,
  keyword: string | null,
  code:
    | "parameter-not-placed"
    | "parameter-placed-twice"
    | "not-one-of"
    | "wrong-type"
    | "body-not-allowed"
    | "field-sent-twice",
  message: string,
): void {
  if (place === null || place.diagnostics.isFull) return;
  const where =
    keyword === null
      ? keyPlace(place, ["properties"], name)
      : fieldPlace(place, ["properties", name, keyword]);
  report(where, code, message);
}

/** The name that a parameter has on the wire. */
export function wireName(name: string, schema: JsonObject): string {
  const wire = schema["x-name"];
  return typeof wire === "string" && wire !== "" ? wire : name;
}

/** Where a parameter's name on the wire stands in the document. */
export function wireNamePlace(place: Place, name: string, schema: JsonObject): Place {
  return wireName(name, schema) === name
    ? keyPlace(place, ["properties"], name)
    : fieldPlace(place, ["properties", name, "x-name"]);
}

/** How a parameter that is a list is written in a query. */
export function styleOf(schema: JsonObject): QueryStyle {
  return queryStyleNames.find((style) => style === schema["x-style"]) ?? "csv";
}
