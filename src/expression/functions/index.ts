/**
 * The functions of the language beyond those of cel-js. Names, order of arguments and meaning are those of CEL's
 * specification and of cel-go's extension library (pkg.go.dev/github.com/google/cel-go/ext) where it has them.
 *
 * | of                | functions |
 * |-------------------|-----------|
 * | texts             | `charAt` `contains` `format` `indexOf` `join` `lastIndexOf` `lowerAscii` `matches` `replace` `reverse` `split` `substring` `trim` `upperAscii`, all counting characters |
 * | lists             | `distinct` `first` `flatten` `last` `reverse` `slice` `sort` `sortBy(x, key)`, `lists.range(n)` |
 * | numbers           | `math.abs` `ceil` `floor` `greatest` `isFinite` `isInf` `isNaN` `least` `round` `sign` `sqrt` `trunc` |
 * | times, durations  | `timestamp(…)` `duration(…)` `int(t)` `string(t)` and the accessors (`t.getHours("Asia/Shanghai")`) |
 * | conversions       | `int(…)` `double(…)`, `bytes.json()` |
 * | of our own        | `list.sum()`, `list.average()`, `map.pick(names)`, `t.inZone("Asia/Shanghai")`, `math.calculate("2^10 / 7")` |
 */
import type { Environment } from "@marcbachmann/cel-js";
import { type Meter, weight } from "../meter.ts";
import { arithmeticAdditions } from "./arithmetic/arithmetic.ts";
import { conversionReplacements } from "./conversions.ts";
import { durationAdditions, durationReplacements } from "./durations.ts";
import { formatAdditions } from "./format.ts";
import { type Cost, nameOf } from "./function.ts";
import { listAdditions } from "./lists.ts";
import { numberAdditions } from "./numbers.ts";
import { textAdditions, textCosts, textReplacements } from "./texts.ts";
import { timeAdditions, timeReplacements } from "./times.ts";

export { FunctionError } from "./function.ts";

/** The functions that stand in for the engine's own of the same name. */
const REPLACEMENTS = [
  ...textReplacements,
  ...timeReplacements,
  ...durationReplacements,
  ...conversionReplacements,
];

const ADDITIONS = [
  ...textAdditions,
  ...formatAdditions,
  ...listAdditions,
  ...numberAdditions,
  ...arithmeticAdditions,
  ...timeAdditions,
  ...durationAdditions,
];

/** What tells a replacement from the engine's function, which cannot be taken away. */
const SUFFIX = "_as_specified";

const REPLACED: ReadonlySet<string> = new Set(REPLACEMENTS.map(nameOf));

/** The name under which a function is registered. */
export function registeredName(name: string): string {
  return REPLACED.has(name) ? `${name}${SUFFIX}` : name;
}

/** A message of the engine with the names that people typed. */
export function withTypedNames(message: string): string {
  return message.replaceAll(SUFFIX, "");
}

class MathNamespace {}
class ListsNamespace {}

/** Makes the functions known to an environment. */
export function registerFunctions(environment: Environment): void {
  environment.registerType("MathNamespace", MathNamespace);
  environment.registerConstant("math", "MathNamespace", new MathNamespace());
  environment.registerType("ListsNamespace", ListsNamespace);
  environment.registerConstant("lists", "ListsNamespace", new ListsNamespace());
  for (const added of [...REPLACEMENTS, ...ADDITIONS]) {
    const signature = added.signature.replace(/\w+(?=\()/, registeredName);
    environment.registerFunction(signature, added.run, { async: false });
  }
}

/** Costs by registered name; the functions of one name share one. */
const COSTS: ReadonlyMap<string, Cost> = new Map([
  ...textCosts,
  ...[...REPLACEMENTS, ...ADDITIONS].flatMap((added): [string, Cost][] =>
    added.cost === undefined ? [] : [[registeredName(nameOf(added)), added.cost]],
  ),
]);

/** Makes a function pay before it runs: for what it is given, and for what it would do with it. */
export function callCost(name: string, operands: readonly unknown[], meter: Meter): void {
  for (const operand of operands) meter.pay(weight(operand));
  COSTS.get(name)?.(operands, meter);
}
