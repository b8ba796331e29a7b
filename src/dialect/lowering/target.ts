/** What a provider's schemas may hold, as data: the only thing that the walk knows about a provider. */
import type { NameRule } from "../names.ts";

export interface SchemaTarget {
  /**
   * Keywords that the provider accepts. Others are rewritten, said in the description, or dropped with a
   * loss.
   */
  keywords: ReadonlySet<string> | "all";
  /** Keywords that it accepts anywhere but at the root. */
  refusedAtRoot: ReadonlySet<string>;
  /** Its rule for property keys; keys that break it are renamed. Null where any key will do. */
  propertyKeys: NameRule | null;
  /** Whether `type` may be a list. Where not, null becomes `nullable` and several types become `anyOf`. */
  typeLists: boolean;
  /** Whether `true` and `false` may stand for schemas everywhere. */
  booleanSchemas: boolean;
  /** What an enumeration may list. With `strings`, other values are sent as strings and turned back. */
  enumValues: "any" | "strings";
  /** Every node needs a `type`, and only keywords that belong to it. */
  everyNodeTyped: boolean;
  /** `anyOf` has to be the only keyword of its node. */
  unionsStandAlone: boolean;
  /** Objects need `properties`, if only an empty one. */
  objectsDeclareProperties: boolean;
  /** Arrays need `items`. */
  arraysDeclareItems: boolean;
  /** `required` may only name properties that are declared beside it. */
  requiredIsDeclared: boolean;
  /** Objects say that they hold nothing but what they declare, wherever that is so. */
  closedObjects: boolean;
  /** Every property is required; one that the author left optional may be null in place of being absent. */
  everyPropertyRequired: boolean;
  /** The largest `minItems` that it accepts. */
  largestMinItems: number;
  /** Every value below the root may be null: for schemas that describe and do not demand. */
  nullsEverywhere: boolean;
  /** Accepted values of `format`, by type; a type that is not listed accepts any. */
  formats: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why the provider refuses a regular expression, or null where it accepts it. */
  patternFault: (pattern: string) => string | null;
}

/** A provider that takes JSON Schema 2020-12 as it is; the base that the others narrow. */
export const wholeJsonSchema: SchemaTarget = {
  keywords: "all",
  refusedAtRoot: new Set(),
  propertyKeys: null,
  typeLists: true,
  booleanSchemas: true,
  enumValues: "any",
  everyNodeTyped: false,
  unionsStandAlone: false,
  objectsDeclareProperties: false,
  arraysDeclareItems: false,
  requiredIsDeclared: false,
  closedObjects: false,
  everyPropertyRequired: false,
  largestMinItems: Number.POSITIVE_INFINITY,
  nullsEverywhere: false,
  formats: new Map(),
  patternFault: () => null,
};

/**
 * What the grammars behind strict tools have in common: closed objects, one meaning a node, no references (a
 * definition is spelled out where it is used), no word for "anything". Whether a schema could be brought into this
 * form is for the last check to say.
 */
export const closedJsonSchema: SchemaTarget = {
  ...wholeJsonSchema,
  booleanSchemas: false,
  everyNodeTyped: true,
  unionsStandAlone: true,
  objectsDeclareProperties: true,
  arraysDeclareItems: true,
  closedObjects: true,
};

/** Whether the provider accepts a keyword in a node. */
export function accepts(target: SchemaTarget, keyword: string, isRoot: boolean): boolean {
  if (isRoot && target.refusedAtRoot.has(keyword)) return false;
  return target.keywords === "all" || target.keywords.has(keyword);
}
