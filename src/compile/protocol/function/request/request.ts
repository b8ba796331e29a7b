import type { Scope } from "../../../../expression/index.ts";
import type { BodyBinding, Field, Method, QueryField, RequestBinding, Template } from "../../../../ir.ts";
import type { JsonObject } from "../../../../json.ts";
import { bodyEncodingNames, methodNames } from "../../../../vocabulary.ts";
import { templateAt } from "../../reading/expressions.ts";
import { report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { DEFAULT_UPSTREAM, readHeaders } from "../../upstream.ts";
import { readPath } from "./path.ts";
import {
  checkHeaders,
  checkWishes,
  markPlaced,
  markUsed,
  type Parameters,
  type Placement,
  placementOf,
  REPLY_SCOPE,
  reportBody,
  reportParameter,
  styleOf,
  wireName,
} from "./placement.ts";

/** Methods whose parameters go to the query. */
const BODYLESS: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD", "DELETE"]);

/** Methods that cannot have a body at all: `fetch` refuses one (Fetch, the constructor of `Request`). */
const NEVER_WITH_BODY: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD"]);

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
  const binding = placeTheRest(placed, encode, placement);
  reportSentTwice(binding, fields, placement);
  return binding;
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

function argument(name: string): Template {
  return { kind: "argument", name };
}

/** Says which fields have a name that an earlier one has already. */
function reportSentTwice(
  { query, headers, body }: RequestBinding,
  fields: FieldReader,
  placement: Placement,
): void {
  const members = body?.value.kind === "object" ? body.value.members : [];
  reportRepeated("the query", query, null, placement);
  // Names of headers are the same in capitals (RFC 9110, section 5.1).
  const lowerCase = headers.map(({ name, value }) => ({ name: name.toLowerCase(), value }));
  reportRepeated(
    "the headers",
    lowerCase,
    fields.has("headers") ? fields.mapping("headers") : null,
    placement,
  );
  reportRepeated(
    "the body",
    members.map(([name, value]) => ({ name, value })),
    null,
    placement,
  );
}

function reportRepeated(
  where: string,
  sent: readonly Field[],
  written: FieldReader | null,
  placement: Placement,
): void {
  const seen = new Set<string>();
  for (const { name, value } of sent) {
    const message = `${where} would have ${name} twice`;
    if (!seen.has(name)) seen.add(name);
    else if (value.kind === "argument") {
      const isRenamed = placement.properties.get(value.name)?.["x-name"] !== undefined;
      reportParameter(placement, value.name, isRenamed ? "x-name" : null, "field-sent-twice", message);
    } else if (written !== null) {
      const key = written.keys.findLast((other) => other.toLowerCase() === name) ?? name;
      report(written.keyPlace(key), "field-sent-twice", message);
    }
  }
}
