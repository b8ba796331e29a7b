/**
 * The last look at a tool before it leaves: a provider's rules as data, and one walk that applies them. It
 * knows nothing of how the tool was made. One tool that breaks a rule makes the provider refuse the whole
 * request.
 */
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { pointerTo, subschemas } from "../schema/index.ts";
import { valuesHaveTheType } from "./rules.ts";
import { distinct } from "./schema/canonical.ts";
import { isSchema, schemaKeywords } from "./schema/keywords.ts";

/** A rule about every node of a schema. */
export interface NodeRule {
  /** What holds, as the end of a sentence. */
  says: string;
  holds: (schema: JsonObject) => boolean;
}

/** A schema within a tool's parameters; the parameters themselves stand at depth 1. */
export interface SchemaPlace {
  schema: JsonObject;
  path: string;
  depth: number;
}

/** A rule about all schemas of a tool together. */
export interface WholeRule {
  /** What holds, as the end of a sentence. */
  says: string;
  holds: (places: readonly SchemaPlace[]) => boolean;
}

/** What a provider demands of a tool. */
export interface ToolRules {
  name: RegExp;
  /** JSON Pointers of the name and of the parameters inside the tool. */
  nameAt: string;
  schemaAt: string;
  /** JSON Pointer of the schema of results inside the tool; null where the provider has none. */
  outputAt: string | null;
  /** The keys that properties may have, or null for any. */
  propertyKey: RegExp | null;
  /** The only keywords that a schema may hold. */
  keywords: ReadonlySet<string> | "all";
  refusedAtRoot: ReadonlySet<string>;
  nodes: readonly NodeRule[];
  whole: readonly WholeRule[];
}

const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"];

type Shape = (value: JsonValue) => boolean;

const isBoolean: Shape = (value) => typeof value === "boolean";
const isCount: Shape = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isNumber: Shape = (value) => typeof value === "number";
const isText: Shape = (value) => typeof value === "string";

/**
 * The shapes that the meta-schema of JSON Schema 2020-12 gives keywords; every provider takes them for
 * granted.
 */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["type", isTypeValue],
  ["enum", isDistinctList],
  ["required", (value) => isDistinctList(value) && Array.isArray(value) && value.every(isText)],
  ["exclusiveMaximum", isNumber],
  ["exclusiveMinimum", isNumber],
  ["maximum", isNumber],
  ["minimum", isNumber],
  ["multipleOf", (value) => typeof value === "number" && value > 0],
  ["maxItems", isCount],
  ["maxLength", isCount],
  ["maxProperties", isCount],
  ["minItems", isCount],
  ["minLength", isCount],
  ["minProperties", isCount],
  ["description", isText],
  ["format", isText],
  ["pattern", isText],
  ["title", isText],
  ["deprecated", isBoolean],
  ["nullable", isBoolean],
  ["uniqueItems", isBoolean],
  ...[...schemaKeywords].map(([keyword, holds]): [string, Shape] => [
    keyword,
    (value) => holdsSchemas(value, holds),
  ]),
]);

/** What is wrong with a tool by the provider's rules, one sentence each; nothing where it may be sent. */
export function problemsOf(tool: JsonValue, rules: ToolRules): string[] {
  const name = atPointer(tool, rules.nameAt);
  const isNamed = typeof name === "string" && rules.name.test(name);
  const output = rules.outputAt === null ? undefined : atPointer(tool, rules.outputAt);
  return [
    ...(isNamed ? [] : [`${rules.nameAt}: the name is not ${rules.name.source}`]),
    ...documentProblems(rules.schemaAt, atPointer(tool, rules.schemaAt), rules),
    ...(output === undefined ? [] : documentProblems(rules.outputAt ?? "", output, rules)),
  ];
}

function documentProblems(at: string, schema: JsonValue | undefined, rules: ToolRules): string[] {
  if (!isJsonObject(schema)) return [`${at}: no schema`];
  const rootProblems = schema.type === "object" ? [] : [`${at}: not an object`];
  return [...rootProblems, ...schemaProblems(schema, rules)];
}

/** Every schema of a tool's parameters, the parameters first. */
export function placesIn(root: JsonObject): SchemaPlace[] {
  const places: SchemaPlace[] = [{ schema: root, path: "", depth: 1 }];
  // The list grows while it is visited: no schema is too deep for it.
  for (const { schema, path, depth } of places) {
    for (const [child, where] of subschemas(schema)) {
      if (isJsonObject(child))
        places.push({ schema: child, path: path + pointerTo(where), depth: depth + 1 });
    }
  }
  return places;
}

function schemaProblems(root: JsonObject, rules: ToolRules): string[] {
  const places = placesIn(root);
  const ofNodes = places.flatMap(({ schema, path }) =>
    nodeProblems(schema, root, rules).map((problem) => `${path || "/"}: ${problem}`),
  );
  const broken = rules.whole.filter(({ holds }) => !holds(places));
  return [...ofNodes, ...broken.map(({ says }) => `it is not so that ${says}`)];
}

function nodeProblems(schema: JsonObject, root: JsonObject, rules: ToolRules): string[] {
  const keywordProblems = Object.entries(schema).flatMap(([keyword, value]) => {
    if (isRefused(keyword, schema === root, rules)) return [`${keyword} is refused here`];
    return shapes.get(keyword)?.(value) === false ? [`${keyword} is malformed`] : [];
  });
  const keyProblems = keysOf(schema)
    .filter((key) => rules.propertyKey?.test(key) === false)
    .map((key) => `the property key ${JSON.stringify(key)} is refused`);
  const broken = [valuesHaveTheType, ...rules.nodes]
    .filter(({ holds }) => !holds(schema))
    .map(({ says }) => `it is not so that ${says}`);
  const dangling = resolves(schema.$ref, root)
    ? []
    : [`$ref leads to nothing: ${JSON.stringify(schema.$ref)}`];
  return [...keywordProblems, ...keyProblems, ...broken, ...dangling];
}

function isRefused(keyword: string, isRoot: boolean, rules: ToolRules): boolean {
  const isKnown = rules.keywords === "all" || rules.keywords.has(keyword);
  // Interfaces' own keywords never reach a model.
  return !isKnown || keyword.startsWith("x-") || (isRoot && rules.refusedAtRoot.has(keyword));
}

function keysOf({ properties }: JsonObject): string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function resolves(reference: JsonValue | undefined, root: JsonObject): boolean {
  if (reference === undefined) return true;
  return (
    typeof reference === "string" &&
    reference.startsWith("#/") &&
    isSchema(atPointer(root, reference.slice(1)))
  );
}

function holdsSchemas(value: JsonValue, holds: "one" | "list" | "map"): boolean {
  if (holds === "one") return isSchema(value);
  if (holds === "list") return Array.isArray(value) && value.length > 0 && value.every(isSchema);
  return isJsonObject(value) && Object.values(value).every(isSchema);
}

function isTypeValue(value: JsonValue): boolean {
  const names = Array.isArray(value) ? value : [value];
  return (
    names.length > 0 &&
    isDistinctList(names) &&
    names.every((name) => typeNames.some((known) => known === name))
  );
}

function isDistinctList(value: JsonValue): boolean {
  return Array.isArray(value) && distinct(value).length === value.length;
}
