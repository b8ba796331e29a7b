/** What holds for every dialect and every schema. */
import { Validator, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { functionWith, shownBy } from "./definition.ts";
import { parametersAndArguments } from "./generated.ts";

const runs = { numRuns: 300 };

/** Original keys and the keys that a model sees, read off the descriptions as a model would. */
function aliasesIn(value: JsonValue, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) for (const part of value) aliasesIn(part, found);
  if (!isJsonObject(value)) return found;
  for (const [alias, property] of Object.entries(value)) {
    const own = isJsonObject(property) ? firstDescription(property) : "";
    const name = /Original name: ("(?:[^"\\]|\\.)*")\./.exec(own)?.[1];
    if (name !== undefined) found.set(JSON.parse(name), alias);
    aliasesIn(property, found);
  }
  return found;
}

function firstDescription(schema: JsonObject): string {
  const { description, anyOf } = schema;
  if (typeof description === "string") return description;
  const [first] = Array.isArray(anyOf) ? anyOf : [];
  return isJsonObject(first) && typeof first.description === "string" ? first.description : "";
}

/** The arguments as a model sends them that goes by the schema it was shown. */
function sent(
  value: JsonValue,
  shown: JsonValue | undefined,
  root: JsonObject,
  aliases: Map<string, string>,
): JsonValue {
  const schema = dereferenced(shown, root);
  const { enum: values, type, items, prefixItems, properties } = schema;
  const text = JSON.stringify(value);
  if (type === "string" && typeof value !== "string" && Array.isArray(values) && values.includes(text))
    return text;
  if (Array.isArray(value)) {
    const at = (index: number): JsonValue | undefined =>
      Array.isArray(prefixItems) ? prefixItems[index] : items;
    return value.map((part, index) => sent(part, at(index) ?? items, root, aliases));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => {
    const alias = aliases.get(key) ?? key;
    const property =
      isJsonObject(properties) && Object.hasOwn(properties, alias) ? properties[alias] : undefined;
    return [alias, sent(part, property, root, aliases)];
  });
  return Object.fromEntries(entries);
}

function dereferenced(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === "string" ? dereferenced(atPointer(root, $ref.slice(1)), root) : schema;
}

/** OpenAPI's `nullable`, which no JSON Schema validator knows, written out. */
function withNull(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => [key, withNull(value)]);
  const copy = Object.fromEntries(entries.filter(([key]) => key !== "nullable" || isJsonObject(schema[key])));
  return schema.nullable === true ? { anyOf: [copy, { type: "null" }] } : copy;
}

function isValid(value: JsonValue, schema: JsonValue): boolean {
  return new Validator(schema as ValidatorSchema, "2020-12").validate(value).valid;
}

describe.each(Object.values(dialects))("$name", (dialect) => {
  test("sends nothing that the provider would refuse, and needs no last resort", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        const { json, losses } = dialect.encodeTool(functionWith(parameters));
        expect(dialect.problemsOf(json)).toEqual([]);
        expect(losses.filter(({ note }) => note.includes("would refuse"))).toEqual([]);
      }),
      runs,
    );
  });

  test("names a place in the parameters for every loss", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        for (const { path, note } of dialect.encodeTool(functionWith(parameters)).losses) {
          expect(atPointer(parameters, path)).toBeDefined();
          expect(note).not.toBe("");
        }
      }),
      runs,
    );
  });

  test("takes arguments back as the function declares them", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters, given }) => {
        const definition = functionWith(parameters);
        const schema = shownBy(dialect, definition);
        const asSent = sent(given, schema, schema, aliasesIn(schema));
        expect(isJsonObject(asSent) && dialect.restoreArguments(definition, asSent)).toEqual(given);
      }),
      runs,
    );
  });

  test("never forbids what the function allows", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters, given }) => {
        const schema = shownBy(dialect, functionWith(parameters));
        const asSent = sent(given, schema, schema, aliasesIn(schema));
        expect({ asSent, schema, isValid: isValid(asSent, withNull(schema)) }).toMatchObject({
          isValid: true,
        });
      }),
      runs,
    );
  });

  test("renames different keys to different names, whatever their order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 80 }), { maxLength: 20 }),
        (keys) => {
          const aliasOf = (order: string[]): Map<string, string> => {
            const properties = Object.fromEntries(order.map((key) => [key, { type: "string" }]));
            const definition = functionWith({ type: "object", properties });
            const schema = shownBy(dialect, definition);
            return aliasesIn(schema);
          };
          const aliases = aliasOf(keys);
          const names = keys.map((key) => aliases.get(key) ?? key);
          expect(new Set(names).size).toBe(keys.length);
          expect(aliasOf([...keys].reverse())).toEqual(aliases);
        },
      ),
      runs,
    );
  });

  test("gives the same bytes for the same function and leaves its input alone", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        const before = JSON.stringify(parameters);
        const first = dialect.encodeTool(functionWith(parameters));
        const second = dialect.encodeTool(functionWith(JSON.parse(before)));
        expect(second).toEqual(first);
        expect(JSON.stringify(parameters)).toBe(before);
      }),
      runs,
    );
  });
});

test("the generated arguments are valid for the generated parameters", () => {
  // Where they were not, the laws above would be empty. OpenAPI 3.0 spellings are beyond the validator.
  const spoken = (parameters: JsonObject): boolean =>
    !/"nullable"|"exclusiveMinimum":(?:true|false)/.test(JSON.stringify(parameters));
  fc.assert(
    fc.property(parametersAndArguments, ({ parameters, given }) => {
      fc.pre(spoken(parameters));
      expect(isValid(given, parameters)).toBe(true);
    }),
    runs,
  );
});
