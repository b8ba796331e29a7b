import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { referenced } from "./walk.ts";

/** Schemas that are looked at together to say what one of them means; those met in practice combine a handful. */
const MAX_CONJUNCTS = 30;

/** A schema with all others that hold wherever it does: those that its `$ref` and its `allOf` name, and theirs. */
export function conjuncts(root: JsonObject, schema: JsonValue | undefined): JsonObject[] {
  return reached(schema, ({ $ref, allOf }) => [
    referenced(root, $ref),
    ...(Array.isArray(allOf) ? allOf : []),
  ]);
}

/** A schema with all others that are about the same value, whether or not they hold. */
export function inPlace(root: JsonObject, schema: JsonValue | undefined): JsonObject[] {
  return reached(schema, ({ $ref, allOf, anyOf, oneOf, if: test, then, else: otherwise }) => [
    referenced(root, $ref),
    ...[allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : [])),
    test,
    then,
    otherwise,
  ]);
}

function reached(
  schema: JsonValue | undefined,
  next: (schema: JsonObject) => (JsonValue | undefined)[],
): JsonObject[] {
  const found = new Set<JsonObject>(isJsonObject(schema) ? [schema] : []);
  for (const one of found) {
    if (found.size >= MAX_CONJUNCTS) break;
    for (const other of next(one)) if (isJsonObject(other)) found.add(other);
  }
  return [...found];
}
