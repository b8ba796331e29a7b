import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";

/** What members are called by whom a fault is told, who may know them by other names than the schema has. */
export interface MemberNames {
  of(this: void, name: string): string;
  /** A value with its members, at every level, under these names. */
  inValue(this: void, value: JsonValue): JsonValue;
}

/** The schema's own names. */
export const ownNames: MemberNames = { of: (name) => name, inValue: (value) => value };

/** Other names for some members, wherever they stand. */
export function otherNames(names: ReadonlyMap<string, string>): MemberNames {
  if (names.size === 0) return ownNames;
  const of = (name: string): string => names.get(name) ?? name;
  const renamed = (value: JsonValue, depth: number): JsonValue => {
    if (depth > MAX_NESTING) return value;
    if (Array.isArray(value)) return value.map((item) => renamed(item, depth + 1));
    if (!isJsonObject(value)) return value;
    return jsonObject(Object.entries(value).map(([name, member]) => [of(name), renamed(member, depth + 1)]));
  };
  return { of, inValue: (value) => renamed(value, 0) };
}
