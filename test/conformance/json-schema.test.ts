import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { checkSchema, schemaValidator } from "../../src/schema/index.ts";

/** One group of the suite: values that one schema takes or refuses. */
interface Group {
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: JsonValue; valid: boolean }[];
}

const SUITE = join(import.meta.dirname, "json-schema-test-suite");

const files = readdirSync(SUITE)
  .filter((file) => file.endsWith(".json"))
  .map((file): [string, Group[]] => [
    file.replace(/\.json$/, ""),
    JSON.parse(readFileSync(join(SUITE, file), "utf8")),
  ]);

/** A document's schema is an object; `true` and `false` stand within one. */
function documentOf({ schema }: Group): JsonObject {
  return typeof schema === "boolean" ? { allOf: [schema] } : schema;
}

function isRefused(group: Group): boolean {
  return checkSchema(documentOf(group)).length > 0;
}

/** The cases of a group in which the validator says another thing than the suite. */
function differences(group: Group): string[] {
  const validator = schemaValidator(documentOf(group));
  return group.tests
    .filter(({ data, valid }) => (validator.validate(data).length === 0) !== valid)
    .map(({ description }) => `${group.description}: ${description}`);
}

/** What the validator says of a schema that it refuses, with its reason and every group that it is said of. */
const refused: { says: RegExp; because: string; groups: string[] }[] = [
  {
    says: /^\$dynamic(Ref|Anchor) is not supported here$/,
    because: "where such a reference leads depends on the way to it, which no provider's schemas can say",
    groups: [
      "dynamicRef: A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor (2)",
      "dynamicRef: A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor (2)",
      "dynamicRef: A $ref to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor (2)",
      "dynamicRef: A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated (2)",
      "dynamicRef: A $dynamicRef without anchor in fragment behaves identical to $ref (2)",
      "dynamicRef: A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution (2)",
      "dynamicRef: An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution (1)",
      "dynamicRef: A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor (1)",
      "dynamicRef: A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor (1)",
      "dynamicRef: A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope (2)",
      "dynamicRef: A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor (1)",
      "dynamicRef: multiple dynamic paths to the $dynamicRef keyword (4)",
      "dynamicRef: after leaving a dynamic scope, it is not used by a $dynamicRef (3)",
      "dynamicRef: strict-tree schema, guards against misspelled properties (2)",
      "dynamicRef: tests for implementation dynamic anchor and reference link (3)",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first (3)",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first (3)",
      "dynamicRef: $dynamicRef points to a boolean schema (2)",
      "dynamicRef: $dynamicRef skips over intermediate resources - direct reference (2)",
      "dynamicRef: $dynamicRef avoids the root of each schema, but scopes are still registered (2)",
      "unevaluatedItems: unevaluatedItems with $dynamicRef (2)",
      "unevaluatedProperties: unevaluatedProperties with $dynamicRef (2)",
    ],
  },
  {
    says: /^\$(id|anchor) is not supported here$/,
    because: "a skill's schema is one document without a name, whose references are JSON Pointers within it",
    groups: [
      "anchor: Location-independent identifier (2)",
      "anchor: Location-independent identifier with absolute URI (2)",
      "anchor: Location-independent identifier with base URI change in subschema (2)",
      "anchor: same $anchor with different base uri (2)",
      "ref: Recursive references between schemas (2)",
      "ref: refs with relative uris and defs (3)",
      "ref: relative refs with absolute uris and defs (3)",
      "ref: $id must be resolved against nearest parent, not just immediate parent (2)",
      "ref: order of evaluation: $id and $ref (2)",
      "ref: order of evaluation: $id and $anchor and $ref (2)",
      "ref: order of evaluation: $id and $ref on nested schema (2)",
      "ref: simple URN base URI with $ref via the URN (2)",
      "ref: simple URN base URI with JSON pointer (2)",
      "ref: URN base URI with NSS (2)",
      "ref: URN base URI with r-component (2)",
      "ref: URN base URI with q-component (2)",
      "ref: URN base URI with URN and JSON pointer ref (2)",
      "ref: URN base URI with URN and anchor ref (2)",
      "ref: URN ref with nested pointer ref (2)",
      "ref: ref to if (2)",
      "ref: ref to then (2)",
      "ref: ref to else (2)",
      "ref: ref with absolute-path-reference (2)",
      "ref: $id with file URI still resolves pointers - *nix (2)",
      "ref: $id with file URI still resolves pointers - windows (2)",
      "refRemote: base URI change (2)",
      "refRemote: base URI change - change folder (2)",
      "refRemote: base URI change - change folder in subschema (2)",
      "refRemote: root ref in remote ref (3)",
      "refRemote: remote ref with ref to defs (2)",
      "refRemote: retrieved nested refs resolve relative to their URI not $id (2)",
      "vocabulary: schema that uses custom metaschema with with no validation vocabulary (3)",
    ],
  },
  {
    says: /^"https?:.*" is not a place in this schema/,
    because: "nothing is fetched to check a call",
    groups: [
      "defs: validate definition against metaschema (2)",
      "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor (2)",
      "ref: remote ref, containing refs itself (2)",
      "refRemote: remote ref (2)",
      "refRemote: fragment within remote ref (2)",
      "refRemote: anchor within remote ref (2)",
      "refRemote: ref within remote ref (2)",
      "refRemote: Location-independent identifier in remote ref (2)",
      "refRemote: remote HTTP ref with different $id (2)",
      "refRemote: remote HTTP ref with different URN $id (2)",
      "refRemote: remote HTTP ref with nested absolute ref (2)",
      "refRemote: $ref to $ref finds detached $anchor (2)",
    ],
  },
];

/**
 * The suite takes `format` for an annotation, as is the default; here it is asserted, which the specification leaves
 * to implementations to offer (Validation, section 7.2): a model corrects itself only where it is refused.
 */
const asserted = (
  "email regex ipv4 ipv6 hostname date date-time time json-pointer relative-json-pointer uri uri-reference " +
  "uri-template uuid duration"
).split(" ");

function annotated(format: string): string {
  return `${format} format: invalid ${format} string is only an annotation by default`;
}

/** Every group, with what is wrong with its schema. */
const all = files.flatMap(([file, groups]) =>
  groups.map((group) => ({
    name: `${file}: ${group.description} (${group.tests.length})`,
    faults: checkSchema(documentOf(group)),
  })),
);

describe("the required tests of JSON Schema 2020-12", () => {
  test.each(files)("%s", (file, groups) => {
    const accepted = groups.filter((group) => !isRefused(group));
    expect(accepted.flatMap(differences)).toEqual(file === "format" ? asserted.map(annotated) : []);
  });

  test.each(refused)("are not all taken: $because", ({ says, groups }) => {
    const found = all.filter(({ faults }) => faults.some(({ message }) => says.test(message)));
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(groups));
  });

  test("are taken but for those that are named", () => {
    const found = all.filter(({ faults }) => faults.length > 0);
    expect(found.map(({ name }) => name).sort()).toEqual(refused.flatMap(({ groups }) => groups).sort());
  });

  test("agree in all cases but those of the groups that are named, and the formats", () => {
    const groups = files.flatMap(([, list]) => list);
    const cases = (list: readonly Group[]) => list.reduce((sum, { tests }) => sum + tests.length, 0);
    const accepted = groups.filter((group) => !isRefused(group));
    const differing = accepted.flatMap(differences);
    expect({
      agreeing: cases(accepted) - differing.length,
      refused: cases(groups) - cases(accepted),
      asserted: differing.length,
    }).toEqual({ agreeing: 1_146, refused: 138, asserted: asserted.length });
  });
});
