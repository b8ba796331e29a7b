import type { MakeCheck } from "../evaluation/checks.ts";
import { combiningKeywords } from "./combining.ts";
import { listKeywords } from "./lists.ts";
import { objectKeywords } from "./objects.ts";
import { plainKeywords } from "./plain.ts";

/**
 * What each keyword of JSON Schema 2020-12 asks of a value, in the order in which its faults are told.
 * `unevaluatedProperties` and `unevaluatedItems` come after all that may have seen members and items.
 */
export const keywords: readonly (readonly [string, MakeCheck])[] = [
  ...combiningKeywords,
  ...objectKeywords,
  ...listKeywords,
  ...plainKeywords,
];
