import { Optional } from "@marcbachmann/cel-js";
import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { type Meter, payForDepths, weight } from "../meter.ts";
import { compareValues, identityOf } from "./comparison.ts";
import { type AddedFunction, FunctionError } from "./function.ts";

/** What `list.sortBy(x, key)` comes to: pairs of a key and an element are sorted by their keys. */
export const SORT_PAIRS = "sort_pairs_by_key";

/**
 * Functions of lists as cel-go's list extension has them, but for `slice`, which takes what there is where the
 * list is shorter; `sum` and `average` (of numbers; the sum of nothing is 0) are added, and for maps
 * `map.pick(names)`: the members of these names, in their order, without those that the map lacks.
 */
export const listAdditions: AddedFunction[] = [
  { signature: "list.slice(int, int): list", run: slice },
  { signature: "list.flatten(): list", run: flatten, cost: payForFlattening },
  { signature: "list.flatten(int): list", run: flatten },
  { signature: "list.sort(): list", run: sort, cost: payForSorting },
  { signature: `list.${SORT_PAIRS}(): list`, run: sortPairs, cost: payForSorting },
  { signature: "list.distinct(): list", run: distinct, cost: payForAll },
  { signature: "list.reverse(): list", run: (list: unknown[]) => [...list].reverse() },
  { signature: "list.first(): optional", run: (list: unknown[]) => Optional.of(list[0]) },
  { signature: "list.last(): optional", run: (list: unknown[]) => Optional.of(list.at(-1)) },
  { signature: "list.sum(): dyn", run: sum },
  { signature: "list.average(): double", run: average },
  { signature: "ListsNamespace.range(int): list<int>", run: range, cost: payForRange },
  { signature: "map.pick(list): map", run: pick },
];

function slice(list: unknown[], from: bigint, to: bigint): unknown[] {
  return list.slice(Math.max(0, Number(from)), Math.max(0, Number(to)));
}

/** Lists in a list give way to their elements, so many levels down. */
function flatten(list: unknown[], depth = 1n): unknown[] {
  if (depth < 0n) throw new FunctionError("a list is flattened by 0 levels or more");
  return list.flat(Number(depth));
}

function payForFlattening([list, depth]: readonly unknown[], meter: Meter): void {
  const levels = typeof depth === "bigint" ? Number(depth) : 1;
  if (Array.isArray(list)) payForLevels(list, levels, meter);
}

function payForLevels(list: unknown[], levels: number, meter: Meter): void {
  meter.pay(1 + list.length);
  if (levels > 0) for (const item of list) if (Array.isArray(item)) payForLevels(item, levels - 1, meter);
}

function sort(list: unknown[]): unknown[] {
  return [...list].sort(compareValues);
}

function sortPairs(pairs: [unknown, unknown][]): unknown[] {
  return [...pairs].sort(([left], [right]) => compareValues(left, right)).map(([, value]) => value);
}

/** For each element as many comparisons as the list's length has binary digits. */
function payForSorting([list]: readonly unknown[], meter: Meter): void {
  if (!Array.isArray(list)) return;
  let round = 0;
  for (const item of list) round += 1 + weight(Array.isArray(item) ? item[0] : item);
  meter.pay(round * (32 - Math.clz32(list.length)));
}

/** The first of all elements that are equal. */
function distinct(list: unknown[]): unknown[] {
  const found = new Map<string, unknown>();
  for (const item of list) {
    const identity = identityOf(item);
    if (!found.has(identity)) found.set(identity, item);
  }
  return [...found.values()];
}

function payForAll([list]: readonly unknown[], meter: Meter): void {
  payForDepths(list, meter);
}

function range(_lists: unknown, length: bigint): bigint[] {
  return Array.from({ length: Math.max(0, Number(length)) }, (_, index) => BigInt(index));
}

function payForRange([, length]: readonly unknown[], meter: Meter): void {
  if (typeof length !== "bigint" || length < 0n) return;
  meter.allow(Number(length));
  meter.pay(Number(length));
}

/** Whole numbers add up to a whole number; one decimal makes the sum decimal. */
function sum(list: unknown[]): bigint | number {
  if (list.every((item) => typeof item === "bigint")) return list.reduce((total, item) => total + item, 0n);
  return list.reduce<number>((total, item) => total + numberOf(item), 0);
}

function average(list: unknown[]): number {
  if (list.length === 0) throw new FunctionError("the average of an empty list");
  return Number(sum(list)) / list.length;
}

function numberOf(item: unknown): number {
  if (typeof item === "number") return item;
  if (typeof item === "bigint" || item instanceof UnsignedInt) return Number(item.valueOf());
  throw new FunctionError(`a sum takes numbers, got a ${typeof item}`);
}

function pick(
  map: Record<string, unknown> | Map<unknown, unknown>,
  names: unknown[],
): ReadonlyMap<unknown, unknown> {
  const has = (name: unknown): boolean =>
    map instanceof Map ? map.has(name) : Object.hasOwn(map, String(name));
  const get = (name: unknown): unknown => (map instanceof Map ? map.get(name) : map[String(name)]);
  return new Map(names.filter(has).map((name) => [name, get(name)]));
}
