import type { JsonObject, JsonValue } from "../../json.ts";
import { walkSchema } from "../walk.ts";

/** Which values of a schema may be secrets, by its marks `writeOnly` and `format: password`. */
export class SecretMarks {
  readonly #root: JsonObject;
  #hasAny: boolean | null = null;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /**
   * Whether a value that a keyword refuses may hold a secret. With a secret anywhere in the schema, only a plain
   * value that plainly is none is not one.
   * @param owners the schemas that led to the keyword, the one that it stands in last
   */
  mayHold(keyword: string, value: JsonValue, owners: readonly JsonObject[]): boolean {
    this.#hasAny ??= hasSecrets(this.#root);
    if (!this.#hasAny) return false;
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
const UNDECLARED = new Set(["additionalProperties", "unevaluatedProperties", "patternProperties"]);

const COMBINING = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"];

function isSecret(schema: JsonObject): boolean {
  return schema.writeOnly === true || schema.format === "password";
}

function hasSecrets(root: JsonObject): boolean {
  let found = false;
  walkSchema(root, (subschema) => {
    found ||= isSecret(subschema);
  });
  return found;
}
