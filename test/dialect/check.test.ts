/** The last check finds what it is there for; a check that finds nothing would pass every other test. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { dialectNames } from "../../src/vocabulary.ts";

const toolWith: Record<string, (schema: JsonValue, name?: string) => JsonObject> = {
  openai: (parameters, name = "f") => ({ type: "function", function: { name, description: "", parameters } }),
  anthropic: (input_schema, name = "f") => ({ name, description: "", input_schema }),
  gemini: (parameters, name = "f") => ({ name, description: "", parameters }),
  mcp: (inputSchema, name = "f") => ({ name, description: "", inputSchema }),
  "openai-responses": (parameters, name = "f") => ({ type: "function", name, parameters, strict: false }),
  deepseek: (parameters, name = "f") => ({
    type: "function",
    function: { name, description: "", parameters },
  }),
};

function problems(dialect: string, schema: JsonValue, name?: string): string[] {
  const [found] = Object.values(dialects).filter((candidate) => candidate.name === dialect);
  return found?.problemsOf(JSON.stringify(toolWith[dialect]?.(schema, name))) ?? [];
}

const of = (value: JsonValue): JsonObject => ({ type: "object", properties: { value } });

describe.each(dialectNames)("%s", (dialect) => {
  test("passes a plain tool", () => {
    expect(problems(dialect, of({ type: "string", enum: ["a"], description: "A." }))).toEqual([]);
  });

  test.each<[string, JsonValue]>([
    ["no schema", 3],
    ["another type at the root", { type: "array", items: { type: "string" } }],
    ["no type at the root", { properties: {} }],
    ["a type that there is not", of({ type: "int" })],
    ["repeated values", of({ type: "string", enum: ["a", "a"] })],
    ["a draft 4 bound", of({ type: "number", exclusiveMinimum: true })],
    ["a negative length", of({ type: "string", minLength: -1 })],
    ["a list for a schema", of({ type: "array", items: [{ type: "string" }] })],
    ["a text for a schema", of("string")],
    ["no alternatives", of({ anyOf: [] })],
    ["required as a flag", of({ type: "string", required: true })],
    ["an enumerated value of another type", of({ type: "string", enum: ["a", null] })],
    ["an enumerated text among whole numbers", of({ type: "integer", enum: ["9007199254740993", 1] })],
    ["a default of another type", of({ type: "string", default: null })],
    ["an example of another type", of({ type: ["integer", "null"], examples: [1, 1.5] })],
    ["a constant of another type", of({ type: "string", const: 1 })],
    ["a word for interfaces", of({ type: "string", "x-widget": "slider" })],
    ["a reference to nothing", of({ $ref: "#/$defs/None" })],
    ["a fault far inside", of({ type: "array", items: of({ type: "array", items: { type: "what" } }) })],
  ])("refuses %s", (_what, schema) => {
    expect(problems(dialect, schema)).not.toEqual([]);
  });

  test("refuses names that the provider refuses", () => {
    expect(problems(dialect, { type: "object" }, "天气")).toHaveLength(
      /openai|deepseek/.test(dialect) ? 2 : 1,
    );
    expect(problems(dialect, of({ type: "string" }), "a".repeat(129))).toHaveLength(1);
  });
});

test.each<[string, string, JsonValue]>([
  ["openai", "properties", { type: "object" }],
  ["openai", "properties", of({ type: ["object", "null"] })],
  ["openai", "items", of({ type: "array" })],
  ["openai", "look-around", of({ type: "string", pattern: "(?!a)" })],
  ["openai", "anyOf", { ...of({}), anyOf: [{}] }],
  ["openai", "not", { ...of({}), not: {} }],
  ["anthropic", "oneOf", { ...of({}), oneOf: [{}] }],
  ["anthropic", "when<", { type: "object", properties: { "when<": {} } }],
  ["gemini", "exclusiveMinimum", of({ type: "number", exclusiveMinimum: 0 })],
  ["gemini", "one type", of({})],
  ["gemini", "one type", of({ type: ["string", "null"] })],
  ["gemini", "one type", of({ description: "Beside.", anyOf: [{ type: "string" }] })],
  ["gemini", "null is no type", of({ type: "null" })],
  ["gemini", "belong to the type", of({ type: "string", properties: {} })],
  ["gemini", "hold strings", of({ type: "integer", enum: [1] })],
  ["gemini", "hold strings", of({ type: "string", enum: [""] })],
  ["gemini", "hold strings", of({ type: "string", enum: [] })],
  ["gemini", "`items`", of({ type: "array" })],
  ["gemini", "declared", { ...of({ type: "string" }), required: ["other"] }],
  ["gemini", "formats", of({ type: "string", format: "email" })],
  ["gemini", "page-size", { type: "object", properties: { "page-size": { type: "string" } } }],
])("%s: %s is found in %j", (dialect, words, schema) => {
  expect(problems(dialect, schema).join("\n")).toContain(words);
});

describe("a tool that claims to be strict", () => {
  const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
  const strictProblems: Record<string, (schema: JsonValue) => string[]> = {
    openai: (parameters) =>
      dialects.openai.problemsOf(
        JSON.stringify({ type: "function", function: { name: "f", parameters, strict: true } }),
      ),
    "openai-responses": (parameters) =>
      dialects["openai-responses"].problemsOf(
        JSON.stringify({ type: "function", name: "f", parameters, strict: true }),
      ),
    anthropic: (input_schema) =>
      dialects.anthropic.problemsOf(JSON.stringify({ name: "f", input_schema, strict: true })),
  };
  const many = (count: number, schema: JsonObject): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, schema]));
  const texts = (count: number, length: number): JsonValue[] =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "x"));

  test.each(["openai", "openai-responses", "anthropic"])(
    "of %s passes where it keeps the rules",
    (dialect) => {
      const kind = (name: string): JsonObject => closed({ kind: { type: "string", enum: [name] } });
      const schema = closed({
        q: { type: "string", enum: ["a"] },
        n: { type: ["integer", "null"] },
        either: { anyOf: [kind("x"), kind("y"), { type: "null" }] },
      });
      expect(strictProblems[dialect]?.(schema)).toEqual([]);
    },
  );

  test.each<[string, string, JsonValue]>([
    ["openai", "closed", closed({}, { additionalProperties: true })],
    ["openai", "closed", closed({ o: closed({}, { additionalProperties: { type: "string" } }) })],
    ["openai", "every property is required", closed({ q: { type: "string" } }, { required: [] })],
    ["openai", "declared", closed({ q: { type: "string" } }, { required: ["q", "r"] })],
    ["anthropic", "declared", closed({ q: { type: "string" } }, { required: ["r"] })],
    [
      "openai",
      "told apart",
      closed({
        q: {
          anyOf: [closed({ a: { type: "string" } }), closed({ a: { type: "string" }, b: { type: "null" } })],
        },
      }),
    ],
    [
      "openai",
      "told apart",
      closed({
        q: {
          anyOf: [
            closed({ a: { type: "string", enum: ["x"] } }),
            closed({ a: { type: "string", enum: ["y", "x"] } }),
          ],
        },
      }),
    ],
    ["openai", "has a type", closed({ q: { description: "Anything." } })],
    ["openai", "`items`", closed({ q: { type: "array" } })],
    ["openai", "minLength", closed({ q: { type: "string", minLength: 1 } })],
    ["openai", "default", closed({ q: { type: "string", default: "a" } })],
    ["openai", "oneOf", closed({ q: { oneOf: [{ type: "string" }] } })],
    ["openai", "look-around", closed({ q: { type: "string", pattern: "(?=a)" } })],
    ["openai", "5,000", closed(many(5_001, { type: "string" }))],
    ["openai", "1,000", closed({ q: { type: "string", enum: texts(1_001, 5) } })],
    ["openai", "15,000", closed({ q: { type: "string", enum: texts(251, 60) } })],
    ["openai", "120,000", closed({ q: { type: "string", enum: texts(200, 601) } })],
    ["openai-responses", "closed", closed({}, { additionalProperties: true })],
    ["anthropic", "closed", closed({}, { additionalProperties: true })],
    ["anthropic", "minimum", closed({ q: { type: "integer", minimum: 1 } })],
    ["anthropic", "pattern", closed({ q: { type: "string", pattern: "a" } })],
    ["anthropic", "minItems", closed({ q: { type: "array", items: { type: "string" }, minItems: 2 } })],
    [
      "anthropic",
      "neither objects",
      closed({ q: { type: "object", enum: [{}], additionalProperties: false } }),
    ],
    ["anthropic", "formats", closed({ q: { type: "string", format: "iban" } })],
    ["anthropic", "$ref", closed({ q: { $ref: "#" } })],
  ])("of %s: %s is found", (dialect, words, schema) => {
    expect(strictProblems[dialect]?.(schema).join("\n")).toContain(words);
  });
});

test("mcp: a schema of results without an object at its root is found", () => {
  const tool = { name: "f", inputSchema: { type: "object" }, outputSchema: { type: "string" } };
  expect(dialects.mcp.problemsOf(JSON.stringify(tool))).toEqual(["/outputSchema: not an object"]);
});
