/** Schemas as authors write them, each with a value that is valid for it by construction. */
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";

export interface Sample {
  schema: JsonObject;
  value: JsonValue;
}

const keys = fc.constantFrom(
  "name",
  "when<",
  "when>",
  "$top",
  "page[size]",
  "城市",
  "市场",
  "a/b",
  "a~b",
  "a.b",
  "2nd",
  "_2nd",
  "",
  "__proto__",
  "constructor",
  "x-label",
  "x".repeat(70),
);

const annotations = fc.record<JsonObject>(
  {
    title: fc.constantFrom("Level", "级别"),
    description: fc.constantFrom("What it is.", "说明"),
    "x-label": fc.constant("label"),
    deprecated: fc.boolean(),
  },
  { requiredKeys: [] },
);

function sample(schema: JsonObject, value: JsonValue): fc.Arbitrary<Sample> {
  return fc.constant({ schema, value });
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  sample({ type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$" }, "abc"),
  sample({ type: "string", pattern: "^(?!-)[a-z-]+$", format: "hostname" }, "a-b"),
  sample({ type: "string", format: "date-time" }, "2026-11-01T00:00:00Z"),
  sample({ type: "string", enum: ["a", "a", "b"] }, "b"),
  sample({ type: "string", enum: ["", "desc"] }, ""),
  sample({ type: "integer", enum: [1, 2, 4], default: 2 }, 4),
  sample({ enum: [1, "two", true, null] }, true),
  sample({ enum: ["1", 1] }, 1),
  sample({ const: 7 }, 7),
  sample({ const: { unit: "day" } }, { unit: "day" }),
  sample({ type: "boolean", enum: [true] }, true),
  sample({ type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 }, 1.5),
  sample({ type: "number", exclusiveMaximum: 10, exclusiveMinimum: -1 }, 0),
  sample({ type: "integer", minimum: 0, exclusiveMinimum: false, format: "int32" }, 0),
  sample({ type: ["string", "null"] }, null),
  sample({ type: ["string", "integer"], minLength: 2, minimum: 3 }, 3),
  sample({ type: ["integer", "number", "null"] }, 2.5),
  sample({ type: "null" }, null),
  sample({ type: "boolean" }, false),
  sample({ not: { type: "array" } }, "no list"),
  sample({}, [1, "a", { b: null }]),
  sample({ type: "object" }, { anything: [1] }),
  sample({ type: "array" }, ["x", 2]),
  sample({ type: ["string", "null"], enum: ["a"] }, "a"),
  sample({ type: "string", default: null, examples: ["a", 1] }, "b"),
  sample(
    { type: "object", patternProperties: { "^[A-Z]+$": { type: "number" } }, additionalProperties: false },
    { USD: 1.5 },
  ),
  sample(
    {
      properties: { 城市: { type: "number" } },
      required: ["城市"],
      propertyNames: { pattern: "^[一-鿿]+$" },
    },
    { 城市: 1 },
  ),
  sample(
    { properties: { 市场: {} }, patternProperties: { "^市": { minimum: 2 } }, additionalProperties: false },
    { 市场: 2 },
  ),
  sample({ type: "object", enum: [{ 城市: 1 }] }, { 城市: 1 }),
  sample(
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
        { properties: { b: { type: "string" } } },
      ],
    },
    { a: "x" },
  ),
  sample({ type: "array", uniqueItems: true, items: { type: "integer", enum: [1, 2] } }, [2, 1]),
);

function combined(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 2 }).map(([first = { schema: {}, value: 1 }]) => ({
      schema: { type: "array", items: first.schema, minItems: 1, maxItems: 9 },
      value: [first.value, first.value],
    })),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((items) => ({
      schema: { type: "array", prefixItems: items.map(({ schema }) => schema), items: false },
      value: items.map(({ value }) => value),
    })),
    fc.tuple(inner, inner).map(([left, right]) => ({
      schema: { description: "Either.", anyOf: [left.schema, right.schema] },
      value: right.value,
    })),
    fc.tuple(keys, inner, inner).map(([key, left, right]) => ({
      schema: {
        type: "object",
        oneOf: [branch("left", key, left.schema), branch("right", key, right.schema)],
      },
      value: entriesOf([
        ["kind", "right"],
        [key, right.value],
      ]),
    })),
    fc.tuple(inner, annotations).map(([{ schema, value }, extra]) => ({
      schema: { ...extra, allOf: [schema] },
      value,
    })),
    fc.tuple(inner, inner, keys).map(([left, right, key]) => ({
      schema: { allOf: [objectOf([["left", left.schema]], ["left"]), objectOf([[key, right.schema]], [])] },
      value: entriesOf([
        [key, right.value],
        ["left", left.value],
      ]),
    })),
    fc.tuple(keys, inner).map(([key, { schema, value }]) => ({
      schema: { type: "object", additionalProperties: schema, minProperties: 1 },
      value: entriesOf([[`free ${key}`, value]]),
    })),
    fc.tuple(inner, fc.boolean()).map(([{ schema, value }, isNull]) => ({
      schema: { nullable: true, anyOf: [schema] },
      value: isNull ? null : value,
    })),
    object(inner),
  );
}

function branch(kind: string, key: string, schema: JsonObject): JsonObject {
  return {
    ...objectOf(
      [
        ["kind", { const: kind }],
        [key, schema],
      ],
      ["kind"],
    ),
    additionalProperties: false,
  };
}

function objectOf(properties: [string, JsonValue][], required: string[]): JsonObject {
  return { type: "object", properties: entriesOf(properties), required };
}

/** An object with own properties only, `__proto__` included. */
function entriesOf(entries: [string, JsonValue][]): JsonObject {
  return Object.fromEntries(entries);
}

function object(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const property = fc.record({
    key: keys,
    sample: inner,
    isRequired: fc.boolean(),
    isGiven: fc.boolean(),
    annotations,
  });
  return fc.uniqueArray(property, { selector: ({ key }) => key, maxLength: 5 }).map((properties) => ({
    schema: objectOf(
      properties.map(({ key, sample: { schema }, annotations: extra }) => [key, { ...extra, ...schema }]),
      properties.filter(({ isRequired }) => isRequired).map(({ key }) => key),
    ),
    value: entriesOf(
      properties
        .filter(({ isRequired, isGiven }) => isRequired || isGiven)
        .map(({ key, sample: { value } }) => [key, value]),
    ),
  }));
}

const node: fc.Arbitrary<Sample> = combined(
  fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: combined(leaf) }),
);

/** What stands at the root beside the properties, and the arguments that it asks for. */
const beside = fc.constantFrom<{ parameters: JsonObject; given: JsonObject; declares: boolean }>(
  { parameters: {}, given: {}, declares: false },
  { parameters: { anyOf: [{ required: ["tree"] }, { required: ["when<"] }] }, given: {}, declares: false },
  { parameters: { allOf: [{ $ref: "#/$defs/More" }] }, given: { "more>": "m" }, declares: true },
  {
    parameters: { oneOf: [mode("fast", 1), mode("slow", 9)] },
    given: { mode: "slow", speed: 9 },
    declares: true,
  },
  // A literal with the key `then` would be a thenable to linters.
  {
    parameters: JSON.parse('{"if": {"required": ["shared"]}, "then": {"required": ["tree"]}}'),
    given: {},
    declares: false,
  },
  { parameters: { not: { required: ["forbidden"] } }, given: {}, declares: false },
  { parameters: { dependentRequired: { shared: ["tree"] } }, given: {}, declares: false },
  {
    parameters: { patternProperties: { "^n_": { type: "integer", enum: [1, 2] } } },
    given: { n_1: 2 },
    declares: false,
  },
);

function mode(name: string, speed: number): JsonObject {
  return { properties: { mode: { const: name }, speed: { const: speed } }, required: ["mode"] };
}

const definitions: JsonObject = {
  More: { type: "object", properties: { "more>": { type: "string" } }, required: ["more>"] },
  Tree: {
    type: "object",
    properties: {
      "leaf>": { type: "integer", enum: [3, 4] },
      trees: { type: "array", items: { $ref: "#/$defs/Tree" } },
    },
  },
};

/** Three levels, so that one lies below where recursion stops being spelled out. */
const tree: JsonObject = { "leaf>": 3, trees: [{ "leaf>": 4, trees: [{ "leaf>": 3, trees: [] }] }] };

/** Parameters of a function, and arguments that are valid for them. */
export const parametersAndArguments: fc.Arbitrary<{ parameters: JsonObject; given: JsonObject }> = fc
  .tuple(object(fc.oneof(leaf, node)), node, fc.boolean(), beside)
  .map(([{ schema, value }, shared, isClosed, root]) => ({
    parameters: {
      ...schema,
      ...root.parameters,
      properties: {
        ...asObject(schema.properties),
        shared: { $ref: "#/$defs/s~1hared%25" },
        tree: { $ref: "#/$defs/Tree" },
      },
      ...(isClosed && !root.declares ? { additionalProperties: false } : {}),
      $defs: { "s/hared%": shared.schema, ...definitions },
    },
    given: { ...asObject(value), ...root.given, shared: shared.value, tree },
  }));

/** Parameters without references and rules between properties, of which many can be those of a strict tool. */
export const plainParametersAndArguments: fc.Arbitrary<{ parameters: JsonObject; given: JsonObject }> =
  object(fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 1, arbitrary: combined(leaf) })).map(
    ({ schema, value }) => ({ parameters: schema, given: asObject(value) }),
  );

/** The same schema with its keywords in another order; the order of properties has a meaning, and stays. */
export function reordered(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(reordered);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    if (["enum", "const", "default", "examples"].includes(keyword)) return [keyword, value];
    const isTable = ["properties", "$defs", "patternProperties"].includes(keyword) && isJsonObject(value);
    if (!isTable) return [keyword, reordered(value)];
    const parts = Object.entries(value).map(([key, part]): [string, JsonValue] => [key, reordered(part)]);
    return [keyword, Object.fromEntries(parts)];
  });
  return Object.fromEntries(entries.reverse());
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
