import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../../json.ts";
import { type SchemaPath, subschemas } from "../../../schema/index.ts";
import type { Fix, Replacement } from "../../diagnostic.ts";
import { listing, removing, rewriting } from "../reading/corrections.ts";
import { type Place, report } from "../reading/place.ts";
import { Moves } from "./moves.ts";
import { fieldPlace, keyPlace } from "./places.ts";

/**
 * Rewrites what OpenAPI 3.0 says in its own way (section 4.7.24, "Schema Object") as JSON Schema 2020-12 says
 * it, each with a warning: `nullable`, boolean `exclusiveMinimum` and `exclusiveMaximum`, `example`, and
 * `required: true` on a property.
 * @param schema the caller's own copy; it is changed in place
 * @returns the way from the places of the rewritten schema back to those of the document
 */
export function rewriteHabits(place: Place, schema: JsonObject): Moves {
  const rewriter = new HabitRewriter(place);
  rewriter.visit(schema, [], []);
  return rewriter.moves;
}

/** Keywords that are about the same value as the schema that they stand in, so that each must allow null. */
const COMBINING = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];

/** Keywords that say nothing about which values are valid; they stay where they are. */
const ANNOTATIONS = new Set(
  "title description default example examples deprecated readOnly writeOnly $comment $schema $anchor $defs definitions".split(
    " ",
  ),
);

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

function isNullableCombination(schema: JsonObject): boolean {
  return schema.nullable === true && COMBINING.some((keyword) => schema[keyword] !== undefined);
}

class HabitRewriter {
  readonly moves = new Moves(isAnnotation);
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /**
   * @param written where the schema stands in the document
   * @param meant where it will stand
   */
  visit(schema: JsonObject, written: SchemaPath, meant: SchemaPath): void {
    this.#required(schema, written);
    const isWrapped = isNullableCombination(schema);
    const inner = isWrapped ? [...meant, "anyOf", 0] : meant;
    if (isWrapped) this.moves.add(written, inner);
    for (const [child, where] of subschemas(schema)) {
      const owner = isAnnotation(String(where[0])) ? meant : inner;
      if (isJsonObject(child)) this.visit(child, [...written, ...where], [...owner, ...where]);
    }
    this.#bound(schema, "exclusiveMinimum", "minimum", written);
    this.#bound(schema, "exclusiveMaximum", "maximum", written);
    this.#example(schema, written, meant);
    this.#nullable(schema, written, isWrapped);
  }

  #report(path: SchemaPath, keyword: string, reading: string, fix: () => string | Fix): void {
    // Looking for places takes longer the more there is; nobody reads on to the last of so many.
    if (!this.#place.diagnostics.takes("schema-openapi-habit")) return;
    const message = `${keyword} is not JSON Schema 2020-12; it was read as ${reading}`;
    report(keyPlace(this.#place, path, keyword), "schema-openapi-habit", message, fix());
  }

  /** The way to write a keyword of a schema without it. */
  #removing(path: SchemaPath, keyword: string, advice: string): Fix {
    return { advice, replacements: [removing(fieldPlace(this.#place, path), keyword)] };
  }

  /** `required: true` of a property is its name in the object's list. */
  #required(schema: JsonObject, path: SchemaPath): void {
    const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
    const others = Array.isArray(schema.required) ? schema.required : [];
    const required = new Set(others);
    const before = required.size;
    for (const [name, property] of properties) {
      if (!isJsonObject(property) || typeof property.required !== "boolean") continue;
      const isRequired = property.required;
      delete property.required;
      const at = [...path, "properties", name];
      if (!isRequired) {
        this.#report(at, "required", "nothing", () =>
          this.#removing(at, "required", "remove required: false"),
        );
      } else {
        const fix = `required: [${name}] beside properties`;
        this.#report(at, "required", `required: [${name}] of the object`, () => fix);
        required.add(name);
      }
    }
    if (required.size > before) schema.required = [...others, ...[...required].slice(before)];
  }

  /** A bound that is excluded was the bound itself and a flag. */
  #bound(schema: JsonObject, flag: string, bound: string, path: SchemaPath): void {
    const excludes = schema[flag];
    const value = schema[bound];
    if (typeof excludes !== "boolean" || (excludes && typeof value !== "number")) return;
    delete schema[flag];
    if (!excludes || typeof value !== "number") {
      this.#report(path, flag, "nothing", () => this.#removing(path, flag, `remove ${flag}`));
      return;
    }
    delete schema[bound];
    schema[flag] = value;
    const advice = `${flag}: ${value} in the place of ${bound}`;
    this.#report(path, flag, `${flag}: ${value}`, () => ({
      advice,
      replacements: [
        rewriting(keyPlace(this.#place, path, bound), flag),
        removing(fieldPlace(this.#place, path), flag),
      ],
    }));
  }

  #example(schema: JsonObject, written: SchemaPath, meant: SchemaPath): void {
    const { example, examples = [] } = schema;
    if (example === undefined || !Array.isArray(examples)) return;
    const isFirst = schema.examples === undefined;
    delete schema.example;
    this.moves.add([...written, "example"], [...meant, "examples", examples.length]);
    schema.examples = [...examples, example];
    const advice = `examples: [${JSON.stringify(example)}]`;
    this.#report(written, "example", "one of examples", () => ({
      advice,
      replacements: [
        isFirst ? rewriting(keyPlace(this.#place, written, "example"), "examples") : null,
        listing(fieldPlace(this.#place, [...written, "example"])),
      ],
    }));
  }

  #nullable(schema: JsonObject, path: SchemaPath, isWrapped: boolean): void {
    const { nullable } = schema;
    if (typeof nullable !== "boolean") return;
    delete schema.nullable;
    if (!nullable)
      this.#report(path, "nullable", "nothing", () =>
        this.#removing(path, "nullable", "remove nullable: false"),
      );
    else if (isWrapped) {
      this.#report(path, "nullable", "one alternative", () => 'anyOf: […, {type: "null"}]');
      wrap(schema);
    } else {
      const types = withNull(schema.type);
      const values = withValue(schema.enum, null);
      const shown = Array.isArray(types) ? types.map((type) => (type === "null" ? '"null"' : type)) : [];
      const changes = [
        ...(shown.length === 0 ? [] : [`type: [${shown.join(", ")}]`]),
        ...(values === schema.enum ? [] : ["null as one more value of enum"]),
      ].join(", and ");
      const reading = changes || "nothing, for null is allowed";
      this.#report(path, "nullable", reading, () => ({
        advice: changes || "remove nullable",
        replacements: this.#allowingNull(schema, path),
      }));
      if (types !== undefined) schema.type = types;
      if (values !== undefined) schema.enum = values;
    }
  }

  /** What says the same as `nullable: true`; a list of types or values is a person's to extend. */
  #allowingNull({ type, enum: values }: JsonObject, path: SchemaPath): (Replacement | null)[] {
    const removal = removing(fieldPlace(this.#place, path), "nullable");
    const allows = (list: JsonValue): boolean => Array.isArray(list) && list.includes("null");
    if (values !== undefined && !(Array.isArray(values) && values.includes(null))) return [null];
    if (type === undefined || allows(type)) return [removal];
    return [listing(fieldPlace(this.#place, [...path, "type"]), '"null"'), removal];
  }
}

function withNull(type: JsonValue | undefined): JsonValue | undefined {
  return typeof type === "string" ? withValue([type], "null") : withValue(type, "null");
}

/** A list with a value that it lacks; what is no list is left as it is. */
function withValue(list: JsonValue | undefined, value: JsonValue): JsonValue | undefined {
  return !Array.isArray(list) || list.includes(value) ? list : [...list, value];
}

/** Makes a schema's rules the first of two alternatives, null the second. */
function wrap(schema: JsonObject): void {
  const rules = jsonObject();
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword)) continue;
    rules[keyword] = value;
    delete schema[keyword];
  }
  schema.anyOf = [rules, jsonObject([["type", "null"]])];
}
