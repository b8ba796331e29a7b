/** The last check finds what it is there for; a check that finds nothing would pass every other test. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

const toolWith: Record<string, (schema: JsonValue, name?: string) => JsonObject> = {
  openai: (parameters, name = "f") => ({ type: "function", function: { name, description: "", parameters } }),
  anthropic: (input_schema, name = "f") => ({ name, description: "", input_schema }),
  gemini: (parameters, name = "f") => ({ name, description: "", parameters }),
  mcp: (inputSchema, name = "f") => ({ name, description: "", inputSchema }),
};

function problems(dialect: string, schema: JsonValue, name?: string): string[] {
  const [found] = Object.values(dialects).filter((candidate) => candidate.name === dialect);
  return found?.problemsOf(JSON.stringify(toolWith[dialect]?.(schema, name))) ?? [];
}

const of = (value: JsonValue): JsonObject => ({ type: "object", properties: { value } });

describe.each(["openai", "anthropic", "gemini", "mcp"])("%s", (dialect) => {
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
    ["a word for interfaces", of({ type: "string", "x-widget": "slider" })],
    ["a reference to nothing", of({ $ref: "#/$defs/None" })],
    ["a fault far inside", of({ type: "array", items: of({ type: "array", items: { type: "what" } }) })],
  ])("refuses %s", (_what, schema) => {
    expect(problems(dialect, schema)).not.toEqual([]);
  });

  test("refuses names that the provider refuses", () => {
    expect(problems(dialect, { type: "object" }, "天气")).toHaveLength(dialect === "openai" ? 2 : 1);
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
