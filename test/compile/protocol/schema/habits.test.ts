import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/compile/index.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { schemaValidator } from "../../../../src/schema/index.ts";
import { compiled, withBlock } from "../../compiled.ts";

/** A function with these properties, which begin on line 9 behind column 29. */
function compiledProperties(
  properties: string,
  rest = "",
): { schema: JsonObject; diagnostics: Diagnostic[] } {
  const yaml = `functions:\n  - name: f\n    description: d\n    parameters: {properties: ${properties}${rest}}\n    compute: 1 + 1`;
  const { skill, diagnostics } = compiled(withBlock(yaml));
  return { schema: skill?.functions[0]?.parameters ?? {}, diagnostics };
}

function readingOf(properties: string, rest = ""): JsonObject {
  const { schema, diagnostics } = compiledProperties(properties, rest);
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["schema-openapi-habit"]));
  return schema;
}

const isValid = (schema: JsonObject, value: JsonObject): boolean =>
  schemaValidator(schema).validate(value).length === 0;

describe("a habit of OpenAPI 3.0 is read as JSON Schema says it", () => {
  test.each([
    ["nullable", "{type: string, nullable: true}", { type: ["string", "null"] }],
    [
      "nullable beside several types",
      "{type: [string, integer], nullable: true}",
      { type: ["string", "integer", "null"] },
    ],
    ["nullable beside null", '{type: [string, "null"], nullable: true}', { type: ["string", "null"] }],
    ["nullable that is false", "{type: string, nullable: false}", { type: "string" }],
    ["nullable without a type", "{nullable: true}", {}],
    [
      "nullable beside an enum",
      "{type: string, nullable: true, enum: [x]}",
      { type: ["string", "null"], enum: ["x", null] },
    ],
    [
      "nullable beside a constant",
      "{const: x, nullable: true, default: null}",
      { default: null, anyOf: [{ const: "x" }, { type: "null" }] },
    ],
    ["an excluded minimum", "{minimum: 0, exclusiveMinimum: true}", { exclusiveMinimum: 0 }],
    ["an excluded maximum", "{maximum: 9, exclusiveMaximum: true}", { exclusiveMaximum: 9 }],
    ["a bound that is not excluded", "{minimum: 0, exclusiveMinimum: false}", { minimum: 0 }],
    ["a flag without its bound", "{exclusiveMinimum: false}", {}],
    ["an example", "{type: string, example: x}", { type: "string", examples: ["x"] }],
    ["an example behind others", "{examples: [1], example: 2}", { examples: [1, 2] }],
    [
      "nullable beside a combination",
      "{nullable: true, description: d, allOf: [{type: string}]}",
      { description: "d", anyOf: [{ allOf: [{ type: "string" }] }, { type: "null" }] },
    ],
  ])("%s", (_case, property, meant) => {
    expect(readingOf(`{a: ${property}}`).properties).toEqual({ a: meant });
  });

  test("null is accepted, and so is what was accepted before", () => {
    const schema = readingOf(
      "{a: {type: string, nullable: true, enum: [x, y]}, b: {nullable: true, $ref: '#/$defs/s'}}",
      ", $defs: {s: {type: string}}",
    );
    expect(isValid(schema, { a: null, b: null })).toBe(true);
    expect(isValid(schema, { a: "x", b: "z" })).toBe(true);
    expect(isValid(schema, { a: "z" })).toBe(false);
    expect(isValid(schema, { b: 1 })).toBe(false);
  });

  test("a bound that is excluded is refused, and what is just beyond it is not", () => {
    const schema = readingOf("{n: {type: number, minimum: 0, exclusiveMinimum: true}}");
    expect(isValid(schema, { n: 0 })).toBe(false);
    expect(isValid(schema, { n: 0.1 })).toBe(true);
  });

  test("required on a property is the object's list", () => {
    const schema = readingOf("{a: {required: true}, b: {required: false}, c: {}}", ", required: [c]");
    expect(schema).toMatchObject({ required: ["c", "a"], properties: { a: {}, b: {} } });
  });

  test("required on a property that is an object keeps the object's own list", () => {
    const schema = readingOf("{a: {type: object, required: true, properties: {b: {required: true}}}}");
    expect(schema).toMatchObject({ required: ["a"], properties: { a: { required: ["b"] } } });
  });

  test.each([
    ["{type: string, nullable: true}", 'type: [string, "null"]'],
    ["{nullable: true}", "remove nullable"],
    ["{enum: [x], nullable: true}", "null as one more value of enum"],
    [
      "{type: string, enum: [x], nullable: true}",
      'type: [string, "null"], and null as one more value of enum',
    ],
    ['{type: [string, "null"], enum: [x, null], nullable: true}', 'type: [string, "null"]'],
  ])("the fix of %s says all that makes null valid", (property, fix) => {
    expect(compiledProperties(`{a: ${property}}`).diagnostics).toMatchObject([{ fix }]);
  });

  test("thousands of habits are read, and the first hundred named", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
    const { schema, diagnostics } = compiledProperties(
      `{${names.map((name) => `${name}: {type: string, nullable: true, required: true}`).join(", ")}}`,
    );
    expect(diagnostics).toHaveLength(100);
    expect(schema.required).toEqual(names);
    expect(schema.properties).toMatchObject({ p9999: { type: ["string", "null"] } });
  });

  test("what only has the name of a habit is left alone", () => {
    const { schema, diagnostics } = compiledProperties(
      "{nullable: {type: boolean}, example: {type: string, default: e}}",
    );
    expect(diagnostics).toEqual([]);
    expect(schema.properties).toEqual({
      nullable: { type: "boolean" },
      example: { type: "string", default: "e" },
    });
  });

  test("references to what was moved follow it", () => {
    const schema = readingOf(
      "{a: {nullable: true, type: object, properties: {n: {type: integer}}, allOf: [{}]}, b: {$ref: '#/properties/a/properties/n'}, c: {$ref: '#/properties/a'}}",
    );
    expect(schema.properties).toMatchObject({
      b: { $ref: "#/properties/a/anyOf/0/properties/n" },
      c: { $ref: "#/properties/a" },
    });
    expect(isValid(schema, { b: 1, c: null })).toBe(true);
    expect(isValid(schema, { b: "x" })).toBe(false);
  });
});

describe("a fault is shown where it was written", () => {
  test.each([
    ["of an example", "{type: integer, example: «x»}", "schema-value-rejected"],
    ["of an example behind others", "{type: integer, examples: [1], example: «x»}", "schema-value-rejected"],
    [
      "within what became an alternative",
      "{nullable: true, allOf: [{type: «strng»}]}",
      "schema-keyword-invalid",
    ],
    [
      "of a default beside an alternative",
      "{nullable: true, allOf: [{type: string}], default: «1»}",
      "schema-value-rejected",
    ],
    [
      "of a default within an alternative",
      "{nullable: true, allOf: [{type: string, default: «1»}]}",
      "schema-value-rejected",
    ],
    [
      "of a second alternative within another",
      "{nullable: true, allOf: [{nullable: true, anyOf: [{minimum: «x»}]}]}",
      "schema-keyword-invalid",
    ],
    ["of a type that null was added to", "{type: «strng», nullable: true}", "schema-keyword-invalid"],
  ])("%s", (_case, marked, code) => {
    const { diagnostics } = compiledProperties(`{a: ${marked.replace(/[«»]/g, "")}}`);
    const faults = diagnostics.filter((diagnostic) => diagnostic.code !== "schema-openapi-habit");
    const column = "    parameters: {properties: {a: ".length + marked.indexOf("«") + 1;
    expect(faults).toMatchObject([{ code, line: 9, column }]);
  });

  test("and so is the habit itself, with what to write instead", () => {
    const { diagnostics } = compiledProperties("{a: {nullable: true, type: string}}");
    expect(diagnostics).toMatchObject([
      {
        code: "schema-openapi-habit",
        severity: "warning",
        line: 9,
        column: 35,
        fix: 'type: [string, "null"]',
      },
    ]);
  });
});
