/** Where a provider sees a key under another name, the rest of the schema speaks of it by that name. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../../src/dialect/index.ts";
import { isJsonObject, type JsonObject } from "../../../src/json.ts";
import { functionOf, functionWith, lossesOf, shownBy, valueShownBy } from "../definition.ts";
import { aliasesIn } from "../model.ts";

const { anthropic, gemini } = dialects;
const priced = { type: "object", properties: { 价格: { type: "number" } }, required: ["价格"] };
const alias = aliasesIn(shownBy(anthropic, functionOf(priced))).get("价格") ?? "";

function shown(more: JsonObject): JsonObject {
  const value = valueShownBy(anthropic, functionOf({ ...priced, ...more }));
  return isJsonObject(value) ? value : {};
}

describe("rules about names", () => {
  test.each<[string, JsonObject]>([
    ["propertyNames", { propertyNames: { pattern: "^[一-鿿]+$" } }],
    ["propertyNames", { propertyNames: { maxLength: 2 } }],
    ["propertyNames", { propertyNames: { pattern: "(" } }],
    ["propertyNames", { propertyNames: { enum: ["价格"] } }],
    ["patternProperties", { patternProperties: { "(": {} } }],
    ["patternProperties", { patternProperties: { "^价": { minimum: 1 } } }],
    ["patternProperties", { patternProperties: { "^[a-z]": { type: "string" } } }],
  ])("%s that tell a key from its alias go into words: %j", (keyword, rule) => {
    const value = shown(rule);
    expect(value).not.toHaveProperty(keyword);
    expect(value.description).toContain("By their original names: ");
    expect(lossesOf(anthropic, functionOf({ ...priced, ...rule }))).toContainEqual([
      "/properties/value",
      keyword,
      "described",
    ]);
  });

  test.each<[string, JsonObject]>([
    ["propertyNames", { propertyNames: { maxLength: 40 } }],
    ["patternProperties", { patternProperties: { "^n_": { type: "integer" } } }],
  ])("%s that do not tell them apart stay: %j", (_keyword, rule) => {
    expect(shown(rule)).toMatchObject(rule);
  });

  test("an object that is closed but for a pattern is opened where the pattern goes into words", () => {
    const closed = { ...priced, patternProperties: { "^价": {} }, additionalProperties: false };
    const value = valueShownBy(anthropic, functionOf(closed));
    expect(value).toMatchObject({ properties: { [alias]: {} }, required: [alias] });
    expect(value).not.toHaveProperty("additionalProperties");
    expect(lossesOf(anthropic, functionOf(closed))).toContainEqual([
      "/properties/value",
      "additionalProperties",
      "widened",
    ]);
  });
});

test.each<[string, JsonObject, JsonObject]>([
  ["enum", { enum: [{ 价格: 1 }] }, { enum: [{ [alias]: 1 }] }],
  ["const", { const: { 价格: 1 } }, { const: { [alias]: 1 } }],
  ["default", { default: { 价格: 1 } }, { default: { [alias]: 1 } }],
  ["examples", { examples: [{ 价格: 1 }] }, { examples: [{ [alias]: 1 }] }],
])("%s holds the aliases, and arguments come back under the keys", (_keyword, said, expected) => {
  expect(shown(said)).toMatchObject(expected);
  const given = { value: { [alias]: 1 } };
  expect(anthropic.restoreArguments(functionOf({ ...priced, ...said }), given)).toEqual({
    value: { 价格: 1 },
  });
});

test.each([anthropic, gemini])(
  "$name: each renamed key is a loss of its own, at its own place",
  (dialect) => {
    const parameters = { type: "object", properties: { 价格: true, 数量: true, "a/b": { type: "string" } } };
    const renamed = lossesOf(dialect, functionWith(parameters)).filter(
      ([, , outcome]) => outcome === "renamed",
    );
    expect(renamed.map(([path]) => path)).toEqual([
      "/properties/价格",
      "/properties/数量",
      "/properties/a~1b",
    ]);
  },
);
