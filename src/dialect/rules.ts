/** Rules about schemas that several providers have. */
import { isJsonObject } from "../json.ts";
import type { NodeRule } from "./check.ts";
import { typesOf } from "./schema/keywords.ts";
import { isOfType } from "./schema/types.ts";

/** A rule of every provider: one that checks its tools refuses what contradicts itself. */
export const valuesHaveTheType: NodeRule = {
  says: "enumerated values, defaults and examples are of the schema's type",
  holds: (schema) => {
    const types = [...typesOf(schema), ...(schema.nullable === true ? ["null"] : [])];
    if (typesOf(schema).length === 0) return true;
    const single = [schema.const, schema.default].filter((value) => value !== undefined);
    const lists = [schema.enum, schema.examples].filter(Array.isArray);
    return [single, ...lists].every((values) => values.every((value) => isOfType(value, types)));
  },
};

export const objectsDeclareProperties: NodeRule = {
  says: "objects have `properties`",
  holds: (schema) => !typesOf(schema).includes("object") || schema.properties !== undefined,
};

export const objectsAreClosed: NodeRule = {
  says: "objects are closed",
  holds: (schema) => !typesOf(schema).includes("object") || schema.additionalProperties === false,
};

export const arraysDeclareItems: NodeRule = {
  says: "arrays have `items`",
  holds: (schema) => !typesOf(schema).includes("array") || schema.items !== undefined,
};

export const valuesHaveTypes: NodeRule = {
  says: "every value has a type",
  holds: (schema) => schema.anyOf !== undefined || typesOf(schema).length > 0,
};

export const requiredIsDeclared: NodeRule = {
  says: "`required` names declared properties",
  holds: ({ required, properties }) =>
    !Array.isArray(required) ||
    required.every((key) => isJsonObject(properties) && Object.hasOwn(properties, String(key))),
};
