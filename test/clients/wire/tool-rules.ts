/** What providers refuse in the schemas of tools, in words of this file's own: nothing here comes from `src`. */

export type Schema = Record<string, unknown>;

/** Every schema in a tool's parameters, the parameters first. */
function schemasIn(root: Schema): Schema[] {
  const found = [root];
  // The list grows while it is visited.
  for (const schema of found) {
    for (const key of ["properties", "$defs", "patternProperties", "dependentSchemas"]) {
      found.push(...Object.values(isSchema(schema[key]) ? schema[key] : {}).filter(isSchema));
    }
    for (const key of ["items", "additionalProperties", "not", "if", "then", "else", "contains"]) {
      if (isSchema(schema[key])) found.push(schema[key]);
    }
    for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"])
      found.push(...listOf(schema[key]).filter(isSchema));
  }
  return found;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function hasType(schema: Schema, type: string): boolean {
  return schema.type === type || listOf(schema.type).includes(type);
}

function keysOf(schema: Schema): string[] {
  return isSchema(schema.properties) ? Object.keys(schema.properties) : [];
}

function isOneOf(keys: string): (key: string) => boolean {
  const known = new Set(keys.split(" "));
  return (key) => known.has(key);
}

type Refuses = (schema: Schema, isRoot: boolean) => boolean;

const shared: Record<string, Refuses> = {
  "the root is no object": ({ type }, isRoot) => isRoot && type !== "object",
  "`required` is no list of names": ({ required }) =>
    required !== undefined && !(Array.isArray(required) && required.every((key) => typeof key === "string")),
};

const rootKeywords = isOneOf("anyOf oneOf allOf not enum const");
const openai: Record<string, Refuses> = {
  ...shared,
  "the root has a keyword that it may not have": (schema, isRoot) =>
    isRoot && Object.keys(schema).some(rootKeywords),
  "an object has no properties": (schema) => hasType(schema, "object") && !isSchema(schema.properties),
  "an array has no items": (schema) => hasType(schema, "array") && !isSchema(schema.items),
  "a pattern looks around": ({ pattern }) => typeof pattern === "string" && /\(\?<?[=!]/.test(pattern),
};

const strictKeywords = isOneOf(
  "type description title properties required additionalProperties items anyOf enum const pattern format " +
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems $ref $defs",
);
const isClosed: Refuses = (schema) => hasType(schema, "object") && schema.additionalProperties !== false;
const openaiStrict: Record<string, Refuses> = {
  ...openai,
  "an object is open": isClosed,
  "a property is not required": (schema) =>
    keysOf(schema).some((key) => !listOf(schema.required).includes(key)),
  "a keyword is not supported": (schema) => !Object.keys(schema).every(strictKeywords),
};

const anthropicKey = /^[a-zA-Z0-9_.-]{1,64}$/;
const anthropic: Record<string, Refuses> = {
  ...shared,
  "the root has a union": (schema, isRoot) =>
    isRoot && Object.keys(schema).some(isOneOf("anyOf oneOf allOf")),
  "a property key is refused": (schema) => keysOf(schema).some((key) => !anthropicKey.test(key)),
};

const bounds = isOneOf(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems pattern",
);
const anthropicStrict: Record<string, Refuses> = {
  ...anthropic,
  "an object is open": isClosed,
  "a bound is not supported": (schema) =>
    Object.keys(schema).some(bounds) || Number(schema.minItems ?? 0) > 1,
};

const geminiField = isOneOf(
  "type format title description nullable enum items maxItems minItems properties required minProperties " +
    "maxProperties minLength maxLength pattern example anyOf propertyOrdering default minimum maximum",
);
const geminiType = isOneOf("STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT");
const isGemini = ({ type }: Schema, name: string): boolean => String(type).toUpperCase() === name;
const gemini: Record<string, Refuses> = {
  "the root is no object": (schema, isRoot) => isRoot && !isGemini(schema, "OBJECT"),
  "a field is unknown": (schema) => !Object.keys(schema).every(geminiField),
  "a type is none": (schema) => schema.anyOf === undefined && !geminiType(String(schema.type).toUpperCase()),
  "an enumeration holds more than filled texts, or is of another type": ({ enum: values, type }) =>
    values !== undefined &&
    (!isGemini({ type }, "STRING") ||
      !listOf(values).every((value) => typeof value === "string" && value !== "")),
  "an array has no items": (schema) => isGemini(schema, "ARRAY") && !isSchema(schema.items),
  "another type than object has properties": (schema) =>
    schema.properties !== undefined && !isGemini(schema, "OBJECT"),
  "a property key is refused": (schema) => keysOf(schema).some((key) => !/^[A-Za-z_]\w{0,63}$/.test(key)),
  "`required` names what is not declared": (schema) =>
    listOf(schema.required).some((key) => !keysOf(schema).includes(String(key))),
};

const rules = { openai, openaiStrict, anthropic, anthropicStrict, gemini, jsonSchema: shared };

/** What a provider would refuse in a tool's parameters. */
export function schemaProblems(tool: string, parameters: Schema, of: keyof typeof rules): string[] {
  const broken = Object.entries(rules[of]).filter(([, refuses]) =>
    schemasIn(parameters).some((schema) => refuses(schema, schema === parameters)),
  );
  return broken.map(([says]) => `tool ${tool}: ${says}`);
}

/** Two tools of one name are refused. */
export function nameProblems(names: readonly string[]): string[] {
  return new Set(names).size === names.length ? [] : ["two tools have the same name"];
}
