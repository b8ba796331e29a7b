/**
 * `uniqueItems` with a bound. The library compares each item with each other one, which for the longest lists
 * that a call can hold takes seconds; so a longer list than can be compared soon is refused, and all lists of
 * a check pay for their comparisons together.
 */
import type { OutputUnit } from "@cfworker/json-schema";
import { type JsonObject, jsonObject } from "../json.ts";
import { MAX_UNIQUE_ITEMS } from "../limits.ts";
import { spendSteps, TooManyStepsError } from "./pattern-format.ts";

/** What no list is: refuses a long one under a name that its error can be told by. */
const TOO_LONG = "\u0000too many items to compare";

/**
 * Lists of up to so many items pay alike, as the longest of them. The library tells nobody how long a list
 * is, but it follows a reference only where `minItems` holds; so a list pays by the references it leads to.
 */
const TIERS = [64, 250, 500, MAX_UNIQUE_ITEMS];

/** Lists of so many items pay nothing: to charge them would take longer than to compare their items. */
const FREE_ITEMS = 16;

/** Begins the references by which lists pay; a schema's own begin with `#`. */
const PAYMENT = "urn:comparisons:";

/** The rules that refuse nothing and lead a list to what it has to pay, beyond what a shorter one pays. */
function payments(tier = 0, shorter = FREE_ITEMS): JsonObject {
  const longest = TIERS[tier];
  if (longest === undefined) return jsonObject();
  const owed = longest ** 2 - shorter ** 2;
  return jsonObject([
    [
      "if",
      jsonObject([
        ["type", "array"],
        ["minItems", shorter + 1],
      ]),
    ],
    ["then", jsonObject([["$ref", PAYMENT + owed], ...Object.entries(payments(tier + 1, longest))])],
  ]);
}

/**
 * Pays for the comparisons of a list when the library follows a reference that says how many.
 * @returns false for any other reference
 * @throws TooManyStepsError
 */
export function payForComparisons(reference: string): boolean {
  if (!reference.startsWith(PAYMENT)) return false;
  spendSteps(
    Number(reference.slice(PAYMENT.length)),
    () =>
      new TooManyStepsError(
        "uniqueItems",
        "fewer or shorter lists where no item may be twice",
        "ones that take too many steps to compare",
      ),
  );
  return true;
}

/**
 * The schema that stands for `uniqueItems: true` behind the schemas of `allOf`. To `not` and its like, a list
 * that is too long counts as one with an item twice.
 */
export function boundedUniqueItems(): JsonObject {
  return jsonObject([
    ["if", jsonObject([["maxItems", MAX_UNIQUE_ITEMS]])],
    ["then", jsonObject([...Object.entries(payments()), ["uniqueItems", true]])],
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
