/** Rules about schemas that several providers have. */
import { isJsonObject } from "../json.ts";
import type { NodeRule } from "./check.ts";
import { typesOf } from "./schema/keywords.ts";

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
