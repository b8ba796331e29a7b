import { describe, expect, test } from "vitest";
import { mcp, WRAPPED_RESULT_KEY, wrapsResult } from "../../../src/dialect/providers/mcp.ts";
import type { JsonObject } from "../../../src/json.ts";
import { functionWith, lossesOf, shownBy } from "../definition.ts";

function outputSchemaOf(returns: JsonObject): unknown {
  return JSON.parse(mcp.encodeTool(functionWith({ type: "object" }, { returns })).json).outputSchema;
}

test("a tool has a title and hints; what the function does not have, it leaves out", () => {
  const plain = JSON.parse(mcp.encodeTool(functionWith({ type: "object" })).json);
  expect(plain).toEqual({
    name: "look_up",
    description: "Looks something up.",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  });
  const titled = JSON.parse(mcp.encodeTool(functionWith({ type: "object" }, { title: "查询" })).json);
  expect(titled.title).toBe("查询");
});

test("every keyword of JSON Schema 2020-12 stays", () => {
  const parameters: JsonObject = JSON.parse(`{
    "type": "object",
    "properties": {
      "when<": {"type": ["string", "null"], "pattern": "^(?!x)", "contentEncoding": "base64"},
      "list": {"type": "array", "prefixItems": [true, {"type": "string"}], "items": false, "contains": {"const": 1}},
      "free": true
    },
    "anyOf": [{"required": ["list"]}, {"not": {"required": ["free"]}}],
    "if": {"required": ["list"]}, "then": {"required": ["free"]},
    "dependentRequired": {"list": ["free"]},
    "patternProperties": {"^(?!y)": {"type": "number"}},
    "unevaluatedProperties": false
  }`);
  expect(shownBy(mcp, functionWith(parameters))).toEqual(parameters);
  expect(lossesOf(mcp, functionWith(parameters))).toEqual([]);
});

describe("an output schema", () => {
  test("keeps the structure, and lets values be null, absent or more", () => {
    const returns = {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, "x-label": "Name" },
        bars: {
          type: "array",
          items: { type: "object", properties: { t: { type: "integer" } }, required: ["t"] },
        },
      },
      required: ["name"],
      additionalProperties: false,
    };
    expect(outputSchemaOf(returns)).toEqual({
      type: "object",
      description: 'Required: "name".',
      properties: {
        name: { type: ["string", "null"], description: "At least 1 character." },
        bars: {
          type: ["array", "null"],
          items: {
            type: ["object", "null"],
            description: 'Required: "t".',
            properties: { t: { type: ["integer", "null"] } },
          },
        },
      },
    });
  });

  test("has an object at the root: other results stand under a key, with their definitions beside it", () => {
    const returns = {
      type: "array",
      items: { $ref: "#/$defs/Row" },
      $defs: { Row: { type: "object", properties: { next: { $ref: "#/$defs/Row" } } } },
    };
    expect(wrapsResult(returns)).toBe(true);
    expect(wrapsResult({ type: "object" })).toBe(false);
    expect(outputSchemaOf(returns)).toEqual({
      type: "object",
      properties: { [WRAPPED_RESULT_KEY]: { type: ["array", "null"], items: { $ref: "#/$defs/Row" } } },
      $defs: { Row: { type: ["object", "null"], properties: { next: { $ref: "#/$defs/Row" } } } },
    });
  });
});
