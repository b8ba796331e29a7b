import { Environment } from "@marcbachmann/cel-js";
import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_NODES } from "../limits.ts";
import { cachedPattern } from "../pattern/index.ts";
import { LINEAR_MATCHES } from "./meter.ts";
import type { Scope } from "./scope.ts";

/**
 * An environment of CEL in which an expression of this scope is checked and run. It departs from bare cel-js
 * in what it adds (see `addFunctions`) and in arithmetic: whole and decimal numbers may be mixed, the result
 * is then decimal, and they may be compared for equality.
 */
export function environmentFor(scope: Scope): Environment {
  let environment = environments.get(scope);
  if (environment === undefined) {
    environment = commonEnvironment().clone();
    for (const [name, type] of scope) environment.registerVariable(name, type);
    environments.set(scope, environment);
  }
  return environment;
}

/** All expressions of a function share one scope, so its variables are declared once. */
const environments = new WeakMap<Scope, Environment>();

let common: Environment | undefined;

/** Made at first use: a worker that evaluates nothing does not pay for it at start. */
function commonEnvironment(): Environment {
  if (common !== undefined) return common;
  common = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: MAX_EXPRESSION_NODES, maxDepth: MAX_EXPRESSION_DEPTH },
  });
  addMixedArithmetic(common);
  addFunctions(common);
  return common;
}

function addMixedArithmetic(environment: Environment): void {
  const operations: [string, (left: number, right: number) => number][] = [
    ["+", (left, right) => left + right],
    ["-", (left, right) => left - right],
    ["*", (left, right) => left * right],
    ["/", (left, right) => left / right],
  ];
  for (const [operator, apply] of operations) {
    environment.registerOperator(`int ${operator} double: double`, (left: bigint, right: number) =>
      apply(Number(left), right),
    );
    environment.registerOperator(`double ${operator} int: double`, (left: number, right: bigint) =>
      apply(left, Number(right)),
    );
  }
  environment.registerOperator("int == double", (left: bigint, right: number) => Number(left) === right);
}

const synchronous = { async: false };

/**
 * The functions added to CEL:
 * - `text.matches(pattern)`: as CEL has it (RE2), but on an engine whose time is linear in the text;
 * - `list.sum()`, `list.average()`: of numbers; the sum of nothing is 0, the average of nothing an error;
 * - `int(timestamp)`: seconds since 1970 (the specification has it, cel-js does not);
 * - `list.slice(from, to)`: the elements from the index `from` (0 is the first) to before `to`, clamped to
 *   what there is (cel-go's list extension);
 * - `map.pick(names)`: the members of these names, in their order; a name that the map lacks is left out.
 */
function addFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...values: never[]) => unknown) =>
    environment.registerFunction(signature, handler, synchronous);
  add(`string.${LINEAR_MATCHES}(string): bool`, matches);
  add(`${LINEAR_MATCHES}(string, string): bool`, matches);
  add("int(google.protobuf.Timestamp): int", (time: Date) => BigInt(Math.floor(time.getTime() / 1000)));
  add("list.sum(): dyn", (list: unknown[]) => sum(list));
  add("list.average(): double", average);
  add("list.slice(int, int): list", (list: unknown[], from: bigint, to: bigint) =>
    list.slice(Math.max(0, Number(from)), Math.max(0, Number(to))),
  );
  add("map.pick(list): map", pick);
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

function matches(text: string, source: string): boolean {
  return cachedPattern(source).test(text);
}

/** Whole numbers add up to a whole number; one decimal makes the sum decimal. */
function sum(list: unknown[]): bigint | number {
  if (list.every((item) => typeof item === "bigint")) return list.reduce((total, item) => total + item, 0n);
  return list.reduce<number>((total, item) => total + numberOf(item), 0);
}

function average(list: unknown[]): number {
  if (list.length === 0) throw new RangeError("the average of an empty list");
  return Number(sum(list)) / list.length;
}

function numberOf(item: unknown): number {
  if (typeof item === "number") return item;
  if (typeof item === "bigint") return Number(item);
  throw new TypeError(`a sum takes numbers, got a ${typeof item}`);
}
