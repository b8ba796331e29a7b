/** Arguments by way of example, as a model that goes by the emitted schema would send them. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json.ts";
import { MAX_NESTING } from "../limits.ts";
import { resolved } from "../schema/index.ts";
import { identityOf, typesOf } from "./schema/keywords.ts";

/** Arguments in the words of a tool's emitted schema: the way there, of which `restoreArguments` is the way back. */
export function argumentsShown(
  given: JsonObject,
  schema: JsonObject,
  aliases: ReadonlyMap<string, string>,
): JsonObject {
  const shown = new Showing(schema, aliases).value(given, schema, 0);
  return isJsonObject(shown) ? shown : given;
}

class Showing {
  readonly #root: JsonObject;
  readonly #aliases: ReadonlyMap<string, string>;

  constructor(root: JsonObject, aliases: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#aliases = aliases;
  }

  value(given: JsonValue, place: JsonValue | undefined, depth: number): JsonValue {
    const schema = isJsonObject(place) ? resolved(this.#root, place) : {};
    if (depth > MAX_NESTING) return given;
    if (Array.isArray(given)) return this.#list(given, schema, depth);
    if (isJsonObject(given)) return this.#object(given, schema, depth);
    const { type, enum: values } = schema;
    const text = identityOf(given);
    const isText = type === "string" && typeof given !== "string";
    return isText && Array.isArray(values) && values.includes(text) ? text : given;
  }

  #list(given: readonly JsonValue[], { items, prefixItems }: JsonObject, depth: number): JsonValue {
    const leading = Array.isArray(prefixItems) ? prefixItems : [];
    return given.map((element, index) => this.value(element, leading[index] ?? items, depth + 1));
  }

  #object(given: JsonObject, { properties, required }: JsonObject, depth: number): JsonValue {
    const declared = isJsonObject(properties) ? properties : {};
    const shown = jsonObject();
    for (const [key, member] of Object.entries(given)) {
      const alias = this.#aliases.get(key) ?? key;
      const schema = Object.hasOwn(declared, alias) ? declared[alias] : undefined;
      shown[alias] = this.value(member, schema, depth + 1);
    }
    // Where every property is required, null says that an optional one is absent.
    for (const key of Array.isArray(required) ? required : []) {
      if (typeof key !== "string" || key in shown) continue;
      const schema = declared[key];
      if (isJsonObject(schema) && isNullable(schema)) shown[key] = null;
    }
    return shown;
  }
}

function isNullable(schema: JsonObject): boolean {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isJsonObject(branch) && isNullable(branch));
  return typesOf(schema).includes("null");
}
