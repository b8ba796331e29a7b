/** The way back: what lowering renamed or retyped, undone in the arguments of a call. */

import {
  atPath,
  escapePointerToken,
  isJsonObject,
  type JsonValue,
  jsonObject,
  pointerTokens,
} from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";

/**
 * Undoes a lowering in one value. `depth` counts the levels above it: arguments deeper than `MAX_NESTING` are
 * left as they came, for the validation that follows to refuse.
 */
export type Restore = (value: JsonValue, depth: number) => JsonValue;

/** One restore after another on the same value; null where there is nothing to undo. */
export function inSequence(restores: readonly Restore[]): Restore | null {
  const [first, ...others] = restores;
  if (first === undefined) return null;
  return others.length === 0
    ? first
    : (value, depth) => restores.reduce((result, restore) => restore(result, depth), value);
}

/**
 * Gives keys their names back, at every level: models also send an alias where no schema declares it, having
 * read it in a description. An alias ends in a fingerprint, so no key of free-form data is one by chance.
 */
export function restoreKeys(keyOfAlias: ReadonlyMap<string, string>): Restore | null {
  if (keyOfAlias.size === 0) return null;
  const restore: Restore = (value, depth) => {
    if (typeof value !== "object" || value === null || depth > MAX_NESTING) return value;
    if (Array.isArray(value)) return value.map((element) => restore(element, depth + 1));
    const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      keyOfAlias.get(key) ?? key,
      restore(member, depth + 1),
    ]);
    return jsonObject(entries);
  };
  return restore;
}

/**
 * A path (JSON Pointer) into arguments that `restoreKeys` made, in the words of those that were given: the alias of a
 * key, unless the key itself is what was given. What is missing has its alias, by which alone a model knows it.
 */
export function pathAsGiven(path: string, given: JsonValue, aliases: ReadonlyMap<string, string>): string {
  if (aliases.size === 0) return path;
  let value: JsonValue | undefined = given;
  const tokens = pointerTokens(path).map((token) => {
    const isGiven = isJsonObject(value) && Object.hasOwn(value, token);
    const key = isGiven || Array.isArray(value) ? token : (aliases.get(token) ?? token);
    value = value === undefined ? undefined : atPath(value, [Array.isArray(value) ? Number(key) : key]);
    return key;
  });
  return tokens.map((token) => `/${escapePointerToken(token)}`).join("");
}

/** Restores the declared members of an object. */
export function restoreProperties(restores: ReadonlyMap<string, Restore>): Restore | null {
  if (restores.size === 0) return null;
  return (value, depth) => {
    if (!isJsonObject(value) || depth > MAX_NESTING) return value;
    const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      key,
      restores.get(key)?.(member, depth + 1) ?? member,
    ]);
    return jsonObject(entries);
  };
}

/** Restores those members of an object that are not declared. */
export function restoreMembers(declared: ReadonlySet<string>, restore: Restore): Restore {
  return (value, depth) => {
    if (!isJsonObject(value) || depth > MAX_NESTING) return value;
    const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      key,
      declared.has(key) ? member : restore(member, depth + 1),
    ]);
    return jsonObject(entries);
  };
}

/** Restores the elements of a list from `start` on, up to `end`. */
export function restoreElements(restore: Restore, start = 0, end = Number.POSITIVE_INFINITY): Restore {
  return (value, depth) => {
    if (!Array.isArray(value) || depth > MAX_NESTING) return value;
    return value.map((element, index) =>
      index >= start && index < end ? restore(element, depth + 1) : element,
    );
  };
}

/** Turns the texts of an enumeration back into its values. */
export function restoreValues(values: ReadonlyMap<string, JsonValue>): Restore {
  return (value) => (typeof value === "string" ? (values.get(value) ?? value) : value);
}

/** Drops members that are null: a provider that requires every property has null for an absent one. */
export function restoreAbsence(keys: ReadonlySet<string>): Restore {
  return (value) => {
    if (!isJsonObject(value)) return value;
    return jsonObject(Object.entries(value).filter(([key, member]) => member !== null || !keys.has(key)));
  };
}
