import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { ArgumentFault } from "../errors.ts";
import { atPointer, isJsonObject, type JsonObject, type JsonValue, pointerTokens } from "../json.ts";
import { quoteValue } from "./quote.ts";
import { describeRule } from "./rules.ts";

/** Checks values against one schema. */
export interface SchemaValidator {
  /** Every fault of a value, in the schema's order; none where it is valid. */
  validate(value: JsonValue): ArgumentFault[];
}

/** A validator for JSON Schema 2020-12, formats asserted. References go to places in the same schema only. */
export function schemaValidator(schema: JsonObject): SchemaValidator {
  const validator = new Validator(schema, "2020-12", false);
  return {
    validate(value) {
      const { valid, errors } = validator.validate(value);
      return valid ? [] : faultsOf(errors, schema, value);
    },
  };
}

/** Keywords whose own error only repeats that something below them is wrong. */
const CARRIERS = new Set(
  (
    "properties patternProperties items prefixItems allOf $ref $dynamicRef dependentSchemas then else " +
    "additionalProperties unevaluatedProperties unevaluatedItems propertyNames"
  ).split(" "),
);

/** Keywords that speak for their alternatives: what is wrong with each of those would only confuse. */
const ALTERNATIVES = ["anyOf", "oneOf", "not", "contains"];

function faultsOf(errors: readonly OutputUnit[], schema: JsonObject, value: JsonValue): ArgumentFault[] {
  const settled = errors
    .filter(({ keyword }) => ALTERNATIVES.includes(keyword))
    .map((unit) => `${unit.keywordLocation}/`);
  const telling = errors.filter(
    (unit) =>
      !CARRIERS.has(unit.keyword) && !settled.some((location) => unit.keywordLocation.startsWith(location)),
  );
  const mistyped = new Set(
    telling.filter(({ keyword }) => keyword === "type").map((unit) => unit.instanceLocation),
  );
  return telling
    .filter((unit) => unit.keyword === "type" || !mistyped.has(unit.instanceLocation))
    .map((unit) => faultOf(unit, schema, value));
}

function faultOf(unit: OutputUnit, schema: JsonObject, root: JsonValue): ArgumentFault {
  const path = fromFragment(unit.instanceLocation);
  const value = atPointer(root, path);
  const location = pointerTokens(fromFragment(unit.keywordLocation));
  const owner = subschemaAt(schema, location.slice(0, -1));
  const missing = unit.keyword === "required" ? missingName(unit.error) : null;
  const secret = owner.writeOnly === true || owner.format === "password";
  return {
    path: missing === null ? path : `${path}/${missing}`,
    rule: unit.keyword === "false" ? "additionalProperties" : unit.keyword,
    expected: describeRule(unit.keyword, owner, pointerTokens(path).length === 1 ? schema : {}, unit.error),
    got: missing !== null || value === undefined ? "nothing" : quoteValue(value, secret),
  };
}

/** The library names the missing property only in its sentence. */
function missingName(sentence: string): string | null {
  const match = /required property "(.*)"\.$/s.exec(sentence);
  return match?.[1]?.replaceAll("~", "~0").replaceAll("/", "~1") ?? null;
}

/** `#/a%20b` as a JSON Pointer; the library writes fragments without percent-encoding what JSON Pointer allows. */
function fromFragment(fragment: string): string {
  return fragment.replace(/^#/, "");
}

/** The schema that a keyword's location lies in, through any `$ref` on the way. */
function subschemaAt(root: JsonObject, tokens: readonly string[]): JsonObject {
  let current: JsonValue | undefined = root;
  for (const token of tokens) {
    if (token === "$ref" && isJsonObject(current) && typeof current.$ref === "string") {
      current = atPointer(root, decodeURIComponent(fromFragment(current.$ref)));
    } else if (Array.isArray(current)) current = current[Number(token)];
    else current = isJsonObject(current) ? current[token] : undefined;
  }
  return isJsonObject(current) ? current : {};
}
