import type { ArgumentFault } from "../errors.ts";
import { atPath, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_VALIDATION_STEPS } from "../limits.ts";
import { SchemaChecks } from "./evaluation/checks.ts";
import { type Check, Evaluation } from "./evaluation/evaluation.ts";
import { SecretMarks } from "./evaluation/secrets.ts";
import type { ValidationSteps } from "./evaluation/steps.ts";
import { type SchemaPath, walkSchema } from "./walk.ts";
import { otherNames } from "./wording/names.ts";
import { Wording } from "./wording/wording.ts";

/** Checks values against one schema. */
export interface SchemaValidator {
  /**
   * Every fault of a value, in the schema's order; none where it is valid.
   * @param steps what the check may take, where several share it
   */
  validate(value: JsonValue, steps?: ValidationSteps): ArgumentFault[];
  /**
   * As `validate`, in the words of somebody who knows members by other names; paths are in the schema's own.
   * @param names other names by the schema's
   */
  validateNamed(value: JsonValue, names: ReadonlyMap<string, string>): ArgumentFault[];
  /** As `validate`, against the schema that stands at a path within this one. */
  validateAt(path: SchemaPath, value: JsonValue, steps?: ValidationSteps): ArgumentFault[];
  /**
   * As `validateAt`, for a value of the schema's own `enum`, which is left out: to look each of its values up
   * among all of them would take the square of their number.
   */
  validateEnumValue(path: SchemaPath, value: JsonValue, steps?: ValidationSteps): ArgumentFault[];
}

/**
 * A validator for JSON Schema 2020-12, formats asserted. References go to places in the same schema only.
 * @param schema one in which `checkSchema` finds no fault
 */
export function schemaValidator(schema: JsonObject): SchemaValidator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new EvaluatingValidator(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** Preparing a schema takes longer than checking a value with it. */
const validators = new WeakMap<JsonObject, SchemaValidator>();

class EvaluatingValidator implements SchemaValidator {
  readonly #schema: JsonObject;
  readonly #checks: SchemaChecks;
  readonly #secrets: SecretMarks;
  readonly #wording: Wording;
  readonly #marksSeen: boolean;
  readonly #withoutEnum = new Map<JsonObject, Check>();

  constructor(schema: JsonObject) {
    this.#schema = schema;
    this.#checks = new SchemaChecks(schema);
    this.#secrets = new SecretMarks(schema);
    this.#wording = new Wording(schema);
    this.#marksSeen = asksWhatWasSeen(schema);
  }

  validate(value: JsonValue, steps?: ValidationSteps): ArgumentFault[] {
    return this.#faults(this.#checks.of(this.#schema), [], value, steps);
  }

  validateNamed(value: JsonValue, names: ReadonlyMap<string, string>): ArgumentFault[] {
    const wording = names.size === 0 ? this.#wording : new Wording(this.#schema, otherNames(names));
    return this.#faults(this.#checks.of(this.#schema), [], value, undefined, wording);
  }

  validateAt(path: SchemaPath, value: JsonValue, steps?: ValidationSteps): ArgumentFault[] {
    const schema = atPath(this.#schema, path);
    return isJsonObject(schema) ? this.#faults(this.#checks.of(schema), path, value, steps) : [];
  }

  validateEnumValue(path: SchemaPath, value: JsonValue, steps?: ValidationSteps): ArgumentFault[] {
    const schema = atPath(this.#schema, path);
    return isJsonObject(schema) ? this.#faults(this.#enumless(schema), path, value, steps) : [];
  }

  #enumless(schema: JsonObject): Check {
    let check = this.#withoutEnum.get(schema);
    if (check === undefined) {
      const { enum: _values, ...others } = schema;
      check = this.#checks.of(others);
      this.#withoutEnum.set(schema, check);
    }
    return check;
  }

  /** @param path where the schema stands that is checked against */
  #faults(
    check: Check,
    path: SchemaPath,
    value: JsonValue,
    steps: ValidationSteps | undefined,
    wording = this.#wording,
  ): ArgumentFault[] {
    const evaluation = new Evaluation({
      owners: path.length === 0 ? [] : this.#schemasAround(path),
      steps: steps ?? { left: MAX_VALIDATION_STEPS },
      secrets: this.#secrets,
      wording,
      marksSeen: this.#marksSeen,
    });
    const holds = check(evaluation, value);
    return holds && evaluation.abandoned === null ? [] : tellingOf(evaluation.faults);
  }

  #schemasAround(path: SchemaPath): JsonObject[] {
    return path.map((_token, index) => atPath(this.#schema, path.slice(0, index))).filter(isJsonObject);
  }
}

function asksWhatWasSeen(root: JsonObject): boolean {
  let asks = false;
  walkSchema(root, ({ unevaluatedItems, unevaluatedProperties }) => {
    asks ||= unevaluatedItems !== undefined || unevaluatedProperties !== undefined;
  });
  return asks;
}

/** Of a value of the wrong type that alone is said: what else it is not follows from it. */
function tellingOf(faults: readonly ArgumentFault[]): ArgumentFault[] {
  const mistyped = new Set(faults.filter(({ rule }) => rule === "type").map(({ path }) => path));
  return faults.filter(({ rule, path }) => rule === "type" || !mistyped.has(path));
}
