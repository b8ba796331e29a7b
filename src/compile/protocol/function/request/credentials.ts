import { type CredentialField, credentialField, isCredentialField } from "../../../../credential-field.ts";
import type { Authentication, Binding } from "../../../../ir.ts";
import { type Place, report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { declaredParameters } from "../../schema/parameters.ts";
import type { UpstreamSection } from "../../upstream.ts";
import type { FunctionSection } from "../function.ts";
import { wireName, wireNamePlace } from "./placement.ts";

/**
 * Refuses fields that have a name under which a credential of the skill travels: only the sender attaches that, so
 * they would never be sent.
 */
export function checkCredentialFields(
  functions: readonly FunctionSection[],
  upstreams: readonly UpstreamSection[],
  credentials: readonly Authentication[],
): void {
  // The others travel in a header that no skill may set.
  const named = credentials.filter(({ method }) => method === "api_key");
  const places = (["header", "query"] as const).filter((place) =>
    named.some((one) => credentialField(one).in === place),
  );
  for (const where of places) {
    const isCredential = (field: string): boolean => isCredentialField(named, where, field);
    if (where === "header")
      for (const { fields } of upstreams) reportKeys(fields.mapping("headers"), isCredential);
    for (const section of functions) checkFunction(section, where, isCredential);
  }
}

type IsCredential = (field: string) => boolean;

function checkFunction(
  section: FunctionSection,
  where: CredentialField["in"],
  isCredential: IsCredential,
): void {
  const { binding } = section.definition;
  if (binding.kind !== "request") return;
  const request = section.fields.mapping("request");
  reportKeys(request?.mapping(where === "query" ? "query" : "headers") ?? null, isCredential);
  for (const { name, value } of where === "query" ? binding.request.query : binding.request.headers) {
    if (value.kind === "argument" && isCredential(name)) reportParameter(section, value.name);
  }
  const parameter = where === "query" ? pagingParameter(binding) : null;
  const place = section.fields.mapping("paginate")?.at("parameter") ?? null;
  if (parameter !== null && place !== null && isCredential(parameter)) reportTaken(place, parameter);
}

function pagingParameter({ paginate }: Extract<Binding, { kind: "request" }>): string | null {
  return paginate === null || paginate.kind === "link" ? null : paginate.parameter;
}

function reportKeys(fields: FieldReader | null, isCredential: IsCredential): void {
  for (const key of fields?.keys ?? [])
    if (fields !== null && isCredential(key)) reportTaken(fields.keyPlace(key), key);
}

function reportParameter({ definition, fields }: FunctionSection, name: string): void {
  const place = fields.valuePlace("parameters");
  const schema = declaredParameters(definition.parameters).get(name);
  if (place === null || schema === undefined) return;
  reportTaken(wireNamePlace(place, name, schema), wireName(name, schema));
}

function reportTaken(place: Place, name: string): void {
  report(place, "credential-taken", `a credential of the skill travels as ${name}, so nothing else can`);
}
