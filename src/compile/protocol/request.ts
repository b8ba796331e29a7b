import {
  argumentsUsed,
  COMMON_SCOPE,
  joinScopes,
  RESPONSE_SCOPE,
  type Scope,
  templateExpressions,
} from "../../expression/index.ts";
import type {
  BodyBinding,
  Method,
  PathPart,
  QueryField,
  QueryStyle,
  RequestBinding,
  Template,
} from "../../ir.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { bodyEncodingNames, methodNames, queryStyleNames } from "../../vocabulary.ts";
import { templateAt } from "./expressions.ts";
import { type FieldReader, type Place, report } from "./reader.ts";
import { fieldPlace, keyPlace } from "./schema.ts";
import { DEFAULT_UPSTREAM, mayBeSkillHeader, readHeaders, reportReservedHeader } from "./upstream.ts";

/** Methods whose parameters go to the query. */
const BODYLESS: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD", "DELETE"]);

/** Methods that cannot have a body at all: `fetch` refuses one (Fetch, the constructor of `Request`). */
const NEVER_WITH_BODY: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD"]);

/** A function's parameters, and where they stand in the document (null where it has none). */
export interface Parameters {
  schema: JsonObject;
  place: Place | null;
}

/** Where a function's parameters go that no template places. */
interface Placement {
  properties: ReadonlyMap<string, JsonObject>;
  place: Place | null;
  placed: Set<string>;
}

/**
 * Reads `request`. Each parameter ends in exactly one place: where a template or `x-in` puts it, otherwise in
 * the query for GET, HEAD and DELETE and in the body for the rest. A parameter that only the function's own
 * `response` names is for the gateway and is not sent.
 * @param used sources of expressions outside the request that may name parameters
 */
export function readRequest(
  fields: FieldReader,
  parameters: Parameters,
  scope: Scope,
  used: readonly string[],
): RequestBinding {
  const method = fields.oneOf("method", methodNames) ?? "GET";
  if (!fields.has("method"))
    report(fields.place, "missing-field", `${fields.nameOf("method")} is missing`, "method: GET");
  const placement = placementOf(parameters);
  const path = readPath(fields, placement);
  const query = readQuery(fields, scope, placement);
  const headers = readHeaders(fields, scope);
  for (const { value } of headers) markPlaced(value, placement);
  const encode = fields.oneOf("encode", bodyEncodingNames) ?? "json";
  const body = readBody(fields, scope, encode, placement);
  const upstream = fields.text("upstream") ?? DEFAULT_UPSTREAM;
  fields.finish();
  checkWishes(placement);
  checkHeaders(placement);
  if (NEVER_WITH_BODY.has(method)) reportBody(method, fields, placement);
  const placed = {
    upstream,
    method,
    path,
    query: [...query, ...placedBy("query", placement)],
    headers: [...headers, ...placedBy("header", placement)],
    body,
  };
  for (const source of used) markUsed(source, placement, REPLY_SCOPE);
  return placeTheRest(placed, encode, placement);
}

function placementOf({ schema, place }: Parameters): Placement {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  return {
    properties: new Map(properties.map(([name, property]) => [name, isJsonObject(property) ? property : {}])),
    place,
    placed: new Set(),
  };
}

/** A parameter counts as placed where a template's expressions take it. */
function markPlaced(template: Template, placement: Placement): void {
  for (const source of templateExpressions(template)) markUsed(source, placement, COMMON_SCOPE);
}

const REPLY_SCOPE = joinScopes(COMMON_SCOPE, RESPONSE_SCOPE);

/** @param surroundings names that mean something else than parameters, which only `args` reaches then */
function markUsed(source: string, { properties, placed }: Placement, surroundings: Scope): void {
  const { names, all } = argumentsUsed(source);
  const isElse = (name: string) => surroundings.has(name) && !source.includes("args");
  for (const name of all ? properties.keys() : names)
    if (properties.has(name) && !isElse(name)) placed.add(name);
}

const PLACES = ["path", "query", "header", "body"] as const;

/** Checks what parameters wish for themselves (`x-in`, `x-style`) against what the request does with them. */
function checkWishes(placement: Placement): void {
  for (const [name, schema] of placement.properties) {
    const wish = schema["x-in"];
    reportNotOneOf(name, schema, "x-in", PLACES, placement);
    reportNotOneOf(name, schema, "x-style", queryStyleNames, placement);
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
function checkHeaders({ properties, place, placed }: Placement): void {
  for (const [name, schema] of properties) {
    const header = wireName(name, schema);
    if (place === null || schema["x-in"] !== "header" || placed.has(name) || mayBeSkillHeader(header))
      continue;
    const where =
      header === name
        ? keyPlace(place, ["properties"], name)
        : fieldPlace(place, ["properties", name, "x-name"]);
    reportReservedHeader(where, header);
  }
}

/** Says of everything that would be sent in a body that it cannot be. */
function reportBody(method: Method, fields: FieldReader, placement: Placement): void {
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

function reportParameter(
  { place }: Placement,
  name: string,
  keyword: string | null,
  code: "parameter-not-placed" | "parameter-placed-twice" | "not-one-of" | "body-not-allowed",
  message: string,
): void {
  if (place === null) return;
  const where =
    keyword === null
      ? keyPlace(place, ["properties"], name)
      : fieldPlace(place, ["properties", name, keyword]);
  report(where, code, message);
}

function readPath(fields: FieldReader, placement: Placement): PathPart[] {
  const text = fields.requiredText("path");
  if (text === null) return [];
  const place = fields.at("path") ?? fields.place;
  if (
    !text.startsWith("/") ||
    /[?#\s\\]/.test(text) ||
    text.split("/").some((segment) => /^\.\.?$/.test(segment))
  ) {
    report(
      place,
      "path-invalid",
      `${fields.nameOf("path")} begins with / and holds no query, space or dot segment`,
    );
    return [];
  }
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part): PathPart => {
      if (!part.startsWith("{")) return part;
      const parameter = part.slice(1, -1);
      if (!placement.properties.has(parameter)) {
        report(
          place,
          "parameter-unknown",
          `${fields.nameOf("path")} names {${parameter}}, which is not a parameter`,
        );
      }
      placement.placed.add(parameter);
      return { parameter };
    });
}

function readQuery(fields: FieldReader, scope: Scope, placement: Placement): QueryField[] {
  const query = fields.mapping("query");
  if (query === null) return [];
  return query.keys.flatMap((name): QueryField[] => {
    const place = query.at(name);
    const value = place === null ? null : templateAt(place, query.nameOf(name), scope);
    if (value === null) return [];
    markPlaced(value, placement);
    return [{ name, value, style: "csv" }];
  });
}

function readBody(
  fields: FieldReader,
  scope: Scope,
  encode: BodyBinding["encode"],
  placement: Placement,
): BodyBinding | null {
  const place = fields.at("body");
  const value = place === null ? null : templateAt(place, fields.nameOf("body"), scope);
  if (value === null) return null;
  markPlaced(value, placement);
  return { encode, value };
}

/** The fields of the parameters that ask by `x-in` for a place and are in none yet. */
function placedBy(where: string, placement: Placement): QueryField[] {
  return [...placement.properties]
    .filter(([name, schema]) => schema["x-in"] === where && !placement.placed.has(name))
    .map(([name, schema]) => placeParameter(name, schema, placement));
}

function placeParameter(name: string, schema: JsonObject, placement: Placement): QueryField {
  placement.placed.add(name);
  return { name: wireName(name, schema), value: argument(name), style: styleOf(schema) };
}

function placeTheRest(
  binding: RequestBinding,
  encode: BodyBinding["encode"],
  placement: Placement,
): RequestBinding {
  const rest = [...placement.properties].filter(([name]) => !placement.placed.has(name));
  const toBody = rest.filter(([, schema]) => schema["x-in"] === "body" || !BODYLESS.has(binding.method));
  const toQuery = rest.filter((entry) => !toBody.includes(entry));
  const query = [
    ...binding.query,
    ...toQuery.map(([name, schema]) => placeParameter(name, schema, placement)),
  ];
  if (binding.body !== null) for (const [name] of toBody) reportLeftOut(name, placement);
  if (toBody.length === 0 || binding.body !== null) return { ...binding, query };
  const members = toBody.map(([name, schema]): [string, Template] => [
    wireName(name, schema),
    argument(name),
  ]);
  return { ...binding, query, body: { encode, value: { kind: "object", members } } };
}

function reportLeftOut(name: string, placement: Placement): void {
  const message = `${name} is sent nowhere: the body that is written out does not hold it`;
  reportParameter(placement, name, null, "parameter-not-placed", message);
}

function wireName(name: string, schema: JsonObject): string {
  const wire = schema["x-name"];
  return typeof wire === "string" && wire !== "" ? wire : name;
}

function styleOf(schema: JsonObject): QueryStyle {
  return queryStyleNames.find((style) => style === schema["x-style"]) ?? "csv";
}

function argument(name: string): Template {
  return { kind: "argument", name };
}
