import { type OutputUnit, validate } from "@cfworker/json-schema";
import type { ArgumentFault } from "../errors.ts";
import { atPath, atPointer, isJsonObject, type JsonObject, type JsonValue, pointerTokens } from "../json.ts";
import { MAX_PATTERN_STEPS, MAX_SCHEMA_REFERENCES } from "../limits.ts";
import { libraryForm } from "./library-form.ts";
import {
  type CompiledPatterns,
  type PatternSteps,
  spendStepsFrom,
  TooManyStepsError,
  withPatternNamed,
} from "./pattern-format.ts";
import { quoteValue } from "./quote.ts";
import { describeRule } from "./rules.ts";
import { payForComparisons, withUniqueItemsNamed } from "./unique-items.ts";
import { pointerTo, referenced, type SchemaPath, walkSchema } from "./walk.ts";

/** Checks values against one schema. */
export interface SchemaValidator {
  /**
   * Every fault of a value, in the schema's order; none where it is valid.
   * @param steps what patterns and `uniqueItems` may cost, where several checks share it
   */
  validate(value: JsonValue, steps?: PatternSteps): ArgumentFault[];
  /** As `validate`, against the schema that stands at a path within this one. */
  validateAt(path: SchemaPath, value: JsonValue, steps?: PatternSteps): ArgumentFault[];
  /**
   * As `validateAt`, for a value of the schema's own `enum`, which is left out: to look each of its values up
   * among all of them would take the square of their number.
   */
  validateEnumValue(path: SchemaPath, value: JsonValue, steps?: PatternSteps): ArgumentFault[];
}

/**
 * A validator for JSON Schema 2020-12, formats asserted. References go to places in the same schema only.
 * @param schema one in which `checkSchema` finds no fault
 */
export function schemaValidator(schema: JsonObject): SchemaValidator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new LibraryValidator(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** Preparing a schema takes longer than checking a value with it. */
const validators = new WeakMap<JsonObject, SchemaValidator>();

class LibraryValidator implements SchemaValidator {
  readonly #schema: JsonObject;
  readonly #rules: JsonObject;
  /** To the library a table of the schemas that references lead to. It would make one of all the schemas there are. */
  readonly #lookup: Record<string, JsonObject | boolean>;
  readonly #targets = new Map<string, JsonValue | undefined>();
  readonly #patterns: CompiledPatterns = new Map();
  #hasSecrets: boolean | null = null;
  #referencesLeft = 0;

  constructor(schema: JsonObject) {
    this.#schema = schema;
    this.#rules = libraryForm(schema);
    this.#lookup = new Proxy(Object.create(null), {
      get: (_target, reference: string) => this.#follow(reference),
    });
  }

  #follow(reference: string): JsonValue | undefined {
    if (payForComparisons(reference)) return true;
    if (--this.#referencesLeft < 0) throw new TooManyReferencesError();
    if (!this.#targets.has(reference)) this.#targets.set(reference, referenced(this.#rules, reference));
    return this.#targets.get(reference);
  }

  validate(value: JsonValue, steps?: PatternSteps): ArgumentFault[] {
    return this.validateAt([], value, steps);
  }

  validateAt(path: SchemaPath, value: JsonValue, steps?: PatternSteps): ArgumentFault[] {
    const rules = atPath(this.#rules, path);
    return isJsonObject(rules) ? this.#check(rules, path, value, steps) : [];
  }

  validateEnumValue(path: SchemaPath, value: JsonValue, steps?: PatternSteps): ArgumentFault[] {
    const rules = atPath(this.#rules, path);
    if (!isJsonObject(rules)) return [];
    const { enum: _values, ...others } = rules;
    return this.#check(others, path, value, steps);
  }

  #check(rules: JsonObject, path: SchemaPath, value: JsonValue, steps?: PatternSteps): ArgumentFault[] {
    spendStepsFrom(steps ?? { left: MAX_PATTERN_STEPS }, this.#patterns);
    try {
      const errors = this.#errorsOf(value, rules);
      return errors.length === 0 ? [] : this.#faultsOf(errors, value, path);
    } catch (error) {
      return [faultOfAbandonedCheck(error)];
    }
  }

  #errorsOf(value: JsonValue, rules: JsonObject): OutputUnit[] {
    const check = (stopsEarly: boolean): OutputUnit[] => {
      this.#referencesLeft = MAX_SCHEMA_REFERENCES;
      return validate(value, rules, "2020-12", this.#lookup, stopsEarly).errors;
    };
    try {
      return check(false);
    } catch (error) {
      // The library passes errors on as arguments, of which there can be some 100,000: then the first ones
      // will do.
      if (!(error instanceof RangeError)) throw error;
      return check(true);
    }
  }

  /** @param path where the schema stands by which there are errors */
  #faultsOf(errors: readonly OutputUnit[], value: JsonValue, path: SchemaPath): ArgumentFault[] {
    const telling = tellingOf(
      errors.map((unit, index) => located(withUniqueItemsNamed(withPatternNamed(unit)), errors[index - 1])),
    );
    const mistyped = new Set(
      telling.filter(({ keyword }) => keyword === "type").map((unit) => unit.instanceLocation),
    );
    return telling
      .filter((unit) => unit.keyword === "type" || !mistyped.has(unit.instanceLocation))
      .map((unit) => this.#faultOf(unit, value, path));
  }

  #faultOf(unit: OutputUnit, root: JsonValue, schemaPath: SchemaPath): ArgumentFault {
    const place = fromFragment(unit.instanceLocation);
    const missing = missingMember(unit);
    const path = missing === null ? place : place + pointerTo([missing.name]);
    const value = missing === null ? atPointer(root, path) : undefined;
    const within = pointerTokens(fromFragment(unit.keywordLocation)).slice(0, -1);
    const owners = ownersOf(this.#schema, [...schemaPath, ...within]);
    return {
      path,
      rule: unit.keyword,
      expected: missing?.expected ?? describeRule(unit.keyword, owners.at(-1) ?? {}, value),
      got: value === undefined ? "nothing" : quoteValue(value, this.#mayHoldSecret(unit, value, owners)),
    };
  }

  /** With a secret anywhere in a schema, only a plain value that plainly is none of them is ever shown. */
  #mayHoldSecret({ keyword }: OutputUnit, value: JsonValue, owners: readonly JsonObject[]): boolean {
    this.#hasSecrets ??= hasSecrets(this.#schema);
    if (!this.#hasSecrets) return false;
    const owner = owners.at(-1) ?? {};
    return (
      owners.some(isSecret) ||
      (typeof value === "object" && value !== null) ||
      UNDECLARED.has(keyword) ||
      COMBINING.some((combining) => owner[combining] !== undefined)
    );
  }
}

/** Keywords of members that no schema describes: a misspelt secret is still a secret. */
const UNDECLARED = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "patternProperties",
]);

const COMBINING = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"];

function isSecret(schema: JsonObject): boolean {
  return schema.writeOnly === true || schema.format === "password";
}

function hasSecrets(schema: JsonObject): boolean {
  let found = false;
  walkSchema(schema, (subschema) => {
    found ||= isSecret(subschema);
  });
  return found;
}

class TooManyReferencesError extends Error {}

/** The ways in which a value, not the program, can end a check. */
function faultOfAbandonedCheck(error: unknown): ArgumentFault {
  if (error instanceof TooManyReferencesError) {
    const expected = `a value that can be checked by following ${MAX_SCHEMA_REFERENCES} references`;
    return { path: "", rule: "$ref", expected, got: "one that takes more" };
  }
  if (error instanceof TooManyStepsError) {
    const { rule, expected, got } = error;
    return { path: "", rule, expected, got };
  }
  if (error instanceof RangeError)
    return { path: "", rule: "items", expected: "a value with fewer faults", got: "too many to list" };
  // The library writes names into URI fragments, which half a surrogate pair cannot be.
  if (error instanceof URIError) {
    const expected = "member names of whole characters";
    return { path: "", rule: "propertyNames", expected, got: "a name with half a surrogate pair" };
  }
  throw error;
}

/** Keywords whose own error only repeats that something below them is wrong. */
const CARRIERS = new Set(
  (
    "properties patternProperties items prefixItems allOf $ref dependentSchemas if then else " +
    "additionalProperties unevaluatedProperties unevaluatedItems propertyNames"
  ).split(" "),
);

/** Keywords that speak for their alternatives: what is wrong with each of those would only confuse. */
const ALTERNATIVES = new Map([
  ["anyOf", "anyOf"],
  ["oneOf", "oneOf"],
  ["not", "not"],
  ["contains", "contains"],
  ["minContains", "contains"],
]);

/** An error with the place of its keyword; `says` where it is one to report. */
interface LocatedUnit extends OutputUnit {
  says: boolean;
}

/**
 * The schema `false` has no keyword: what fails is the keyword that holds it, whose error comes before,
 * unless it is one of several alternatives. The library gives the place of the value in its stead.
 */
function located(unit: OutputUnit, before: OutputUnit | undefined): LocatedUnit {
  if (unit.keyword !== "false") return { ...unit, says: !CARRIERS.has(unit.keyword) };
  if (before === undefined || !CARRIERS.has(before.keyword)) return { ...unit, says: false };
  return { ...unit, keyword: before.keyword, keywordLocation: before.keywordLocation, says: true };
}

function tellingOf(units: readonly LocatedUnit[]): LocatedUnit[] {
  const settled = new Set<string>();
  for (const { keyword, keywordLocation } of units) {
    const alternatives = ALTERNATIVES.get(keyword);
    if (alternatives !== undefined) settled.add(keywordLocation.replace(/[^/]*$/, `${alternatives}/`));
  }
  const places = [...settled];
  return units.filter(
    ({ says, keywordLocation }) => says && !places.some((place) => keywordLocation.startsWith(place)),
  );
}

/** The member that is missing, which the library names only in its sentence. */
function missingMember({ keyword, error }: OutputUnit): { name: string; expected: string } | null {
  if (keyword === "required") {
    const [, name] = /required property "(.*)"\.$/s.exec(error) ?? [];
    return name === undefined ? null : { name, expected: "a value" };
  }
  if (keyword !== "dependentRequired") return null;
  const [, given, name] = /^Instance has "(.*)" but does not have "(.*)"\.$/s.exec(error) ?? [];
  return name === undefined ? null : { name, expected: `a value, because ${given} is given` };
}

/** `#/a%20b` as a JSON Pointer. */
function fromFragment(fragment: string): string {
  return decodeURIComponent(fragment.replace(/^#/, ""));
}

/** The schemas that a keyword's location leads through, from the root to the one that it stands in. */
function ownersOf(root: JsonObject, tokens: SchemaPath): JsonObject[] {
  const owners = [root];
  let current: JsonValue | undefined = root;
  for (const token of tokens) {
    if (token === "$ref" && isJsonObject(current)) current = referenced(root, current.$ref);
    else if (Array.isArray(current)) current = current[Number(token)];
    else current = isJsonObject(current) ? current[token] : undefined;
    if (isJsonObject(current)) owners.push(current);
  }
  return owners;
}
