import { type Scope, templateExpressions } from "../../expression/index.ts";
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
import { type FieldReader, report } from "./reader.ts";
import { DEFAULT_UPSTREAM, readHeaders } from "./upstream.ts";

const BODYLESS: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD", "DELETE"]);

/** Where a function's parameters go that no template places. */
interface Placement {
  properties: ReadonlyMap<string, JsonObject>;
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
  parameters: JsonObject,
  scope: Scope,
  used: readonly string[],
): RequestBinding {
  const method = fields.oneOf("method", methodNames) ?? "GET";
  if (!fields.has("method")) report(fields.place, "missing-field", `${fields.nameOf("method")} is missing`);
  const placement = placementOf(parameters);
  const path = readPath(fields, placement);
  const query = readQuery(fields, scope, placement);
  const headers = readHeaders(fields, scope);
  for (const { value } of headers) markPlaced(value, placement);
  const encode = fields.oneOf("encode", bodyEncodingNames) ?? "json";
  const body = readBody(fields, scope, encode, placement);
  const upstream = fields.text("upstream") ?? DEFAULT_UPSTREAM;
  fields.finish();
  const placed = {
    upstream,
    method,
    path,
    query,
    headers: [...headers, ...placedBy("header", placement)],
    body,
  };
  markMentioned(used.join("\n"), placement);
  return placeTheRest(placed, encode, placement);
}

function placementOf(parameters: JsonObject): Placement {
  const properties = isJsonObject(parameters.properties) ? Object.entries(parameters.properties) : [];
  return {
    properties: new Map(properties.map(([name, schema]) => [name, isJsonObject(schema) ? schema : {}])),
    placed: new Set(),
  };
}

/** A parameter counts as placed where a template's expressions name it. */
function markPlaced(template: Template, placement: Placement): void {
  markMentioned(templateExpressions(template).join("\n"), placement);
}

function markMentioned(sources: string, placement: Placement): void {
  for (const name of placement.properties.keys()) if (mentions(sources, name)) placement.placed.add(name);
}

function mentions(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `(?<![\\w.])${escaped}(?!\\w)|args\\.${escaped}(?!\\w)|args\\[["']${escaped}["']\\]`,
  ).test(source);
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
  if (query === null) return placedBy("query", placement);
  const written = query.keys.flatMap((name): QueryField[] => {
    const place = query.at(name);
    const value = place === null ? null : templateAt(place, query.nameOf(name), scope);
    if (value === null) return [];
    markPlaced(value, placement);
    return [{ name, value, style: "csv" }];
  });
  return [...written, ...placedBy("query", placement)];
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
  if (toBody.length === 0 || binding.body !== null) return { ...binding, query };
  const members = toBody.map(([name, schema]): [string, Template] => [
    wireName(name, schema),
    argument(name),
  ]);
  return { ...binding, query, body: { encode, value: { kind: "object", members } } };
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
