/**
 * `uniqueItems` with a bound. The library compares each item with each other one, which for the longest lists
 * that a call can hold takes seconds; so a longer list than can be compared soon is refused.
 */
import type { OutputUnit } from "@cfworker/json-schema";
import { type JsonObject, jsonObject } from "../json.ts";
import { MAX_UNIQUE_ITEMS } from "../limits.ts";

/** What no list is: refuses a long one under a name that its error can be told by. */
const TOO_LONG = "\u0000too many items to compare";

/**
 * The schema that stands for `uniqueItems: true` behind the schemas of `allOf`. To `not` and its like, a list
 * that is too long counts as one with an item twice.
 */
export function boundedUniqueItems(): JsonObject {
  return jsonObject([
    ["if", jsonObject([["maxItems", MAX_UNIQUE_ITEMS]])],
    ["then", jsonObject([["uniqueItems", true]])],
    ["else", jsonObject([["const", TOO_LONG]])],
  ]);
}

/** An error of the library, with `uniqueItems` in the place of the schema that stands for it. */
export function withUniqueItemsNamed(unit: OutputUnit): OutputUnit {
  const isTooLong = unit.keyword === "const" && unit.error.includes(JSON.stringify(TOO_LONG));
  if (unit.keyword !== "uniqueItems" && !isTooLong) return unit;
  const keywordLocation = unit.keywordLocation.replace(/\/allOf\/\d+\/(then|else)\/\w+$/, "/uniqueItems");
  return { ...unit, keyword: "uniqueItems", keywordLocation };
}
