import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Types that have a name of their own in CEL; `dyn` is checked when it is used. */
export type NamedType = "string" | "int" | "double" | "bool" | "list" | "map" | "dyn";

/** The types that variables are declared with. */
export type CelType = NamedType | ListType | ObjectType | OptionalType;

/** A list whose elements are all of one type. */
export interface ListType {
  readonly elements: CelType;
}

/** A map some of whose members are known; a closed one has no others. */
export interface ObjectType {
  readonly members: ReadonlyMap<string, CelType>;
  readonly isClosed: boolean;
}

/** What may be null. It is checked when it is used, like `dyn`, but handed over as what it is where it is there. */
export interface OptionalType {
  readonly present: CelType;
}

const NAMED: readonly NamedType[] = ["string", "int", "double", "bool", "map", "dyn"];

/** One list type for each named type, so that equal ones are the same. */
const LISTS: ReadonlyMap<CelType, ListType> = new Map(NAMED.map((elements) => [elements, { elements }]));

const TYPES_BY_SCHEMA = new Map<JsonValue | undefined, NamedType>([
  ["string", "string"],
  ["integer", "int"],
  ["number", "double"],
  ["boolean", "bool"],
]);

/**
 * The type of what a schema accepts; `dyn` where it gives no single type. Only what stands beside `type` is read:
 * other keywords narrow a schema and never widen it.
 */
export function typeOfSchema(schema: JsonValue | undefined): CelType {
  if (!isJsonObject(schema)) return "dyn";
  if (schema.type === "object") return objectType(schema);
  if (schema.type !== "array") return TYPES_BY_SCHEMA.get(schema.type) ?? "dyn";
  if (schema.prefixItems !== undefined) return "list";
  const elements = typeOfSchema(schema.items);
  return elements === "dyn" ? "list" : (LISTS.get(elements) ?? { elements });
}

function objectType(schema: JsonObject): CelType {
  const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  if (!isClosed && Object.keys(properties).length === 0) return "map";
  const members = Object.entries(properties).map(([name, property]): [string, CelType] => [
    name,
    withoutInt(typeOfSchema(property)),
  ]);
  return { members: new Map(members), isClosed };
}

const OPTIONALS: ReadonlyMap<CelType, OptionalType> = new Map(
  [...NAMED, ...LISTS.values()].map((present) => [present, { present }]),
);

/** The type of a value that has one where there is a value, and is null otherwise. */
export function optionalType(present: CelType): CelType {
  return holdsInts(present) ? (OPTIONALS.get(present) ?? { present }) : "dyn";
}

/** Whether values of a type are, or hold as elements, whole numbers that CEL tells from others. */
export function holdsInts(type: CelType): boolean {
  if (typeof type === "string") return type === "int";
  if ("present" in type) return holdsInts(type.present);
  return "elements" in type && holdsInts(type.elements);
}

/** Inside objects, whose numbers are handed to CEL as JSON has them, whole numbers may be decimal. */
function withoutInt(type: CelType): CelType {
  if (type === "int") return "dyn";
  if (typeof type === "string" || !("elements" in type)) return type;
  const elements = withoutInt(type.elements);
  return elements === "dyn" ? "list" : (LISTS.get(elements) ?? { elements });
}

/** A type as the engine names it. What is known of a map's members is checked apart (`tree/structure.ts`). */
export function typeName(type: CelType): string {
  if (typeof type === "string") return type;
  if ("present" in type) return "dyn";
  return "members" in type ? "map" : `list<${typeName(type.elements)}>`;
}
