import { compareValues } from "./comparison.ts";
import { type AddedFunction, FunctionError } from "./function.ts";

const NAMESPACE = "MathNamespace";

/** How many values `math.greatest` and `math.least` take one by one; more of them come as a list. */
const MOST_VALUES = 5;

/**
 * Functions of numbers as cel-go's math extension has them. Those that round take whole numbers too, and so do
 * `isNaN`, `isInf` and `isFinite`: what is whole in JSON is often decimal only by its schema.
 */
export const numberAdditions: AddedFunction[] = [
  ...extreme("greatest", 1),
  ...extreme("least", -1),
  ...rounding("ceil", Math.ceil),
  ...rounding("floor", Math.floor),
  ...rounding("trunc", Math.trunc),
  ...rounding("round", roundAwayFromZero),
  ...ofInt("abs", "int", (value) => (value < 0n ? -value : value)),
  ...ofDouble("abs", "double", Math.abs),
  ...ofInt("sign", "int", (value) => (value > 0n ? 1n : value < 0n ? -1n : 0n)),
  ...ofDouble("sign", "double", Math.sign),
  ...ofInt("sqrt", "double", (value) => Math.sqrt(Number(value))),
  ...ofDouble("sqrt", "double", Math.sqrt),
  ...ofInt("isNaN", "bool", () => false),
  ...ofDouble("isNaN", "bool", Number.isNaN),
  ...ofInt("isInf", "bool", () => false),
  ...ofDouble("isInf", "bool", (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  ...ofInt("isFinite", "bool", () => true),
  ...ofDouble("isFinite", "bool", Number.isFinite),
];

function ofInt(name: string, result: string, apply: (value: bigint) => unknown): AddedFunction[] {
  return [
    {
      signature: `${NAMESPACE}.${name}(int): ${result}`,
      run: (_math: unknown, value: bigint) => apply(value),
    },
  ];
}

function ofDouble(name: string, result: string, apply: (value: number) => unknown): AddedFunction[] {
  return [
    {
      signature: `${NAMESPACE}.${name}(double): ${result}`,
      run: (_math: unknown, value: number) => apply(value),
    },
  ];
}

/** A whole number is as it is. */
function rounding(name: string, apply: (value: number) => number): AddedFunction[] {
  return [...ofInt(name, "int", (value) => value), ...ofDouble(name, "double", apply)];
}

/** `Math.round` would take -2.5 to -2. */
function roundAwayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function extreme(name: string, direction: number): AddedFunction[] {
  const best = (values: unknown[]): unknown => {
    const stranger = values.find((value) => typeof value !== "number" && typeof value !== "bigint");
    if (stranger !== undefined)
      throw new FunctionError(`math.${name} takes numbers, got a ${typeof stranger}`);
    if (values.length === 0) throw new FunctionError(`math.${name} of an empty list`);
    return values.reduce((found, value) => (compareValues(value, found) * direction > 0 ? value : found));
  };
  const several = Array.from({ length: MOST_VALUES - 1 }, (_, index) => ({
    signature: `${NAMESPACE}.${name}(${Array(index + 2)
      .fill("dyn")
      .join(", ")}): dyn`,
    run: (_math: unknown, ...values: unknown[]) => best(values),
  }));
  const one: AddedFunction = {
    signature: `${NAMESPACE}.${name}(dyn): dyn`,
    run: (_math: unknown, value: unknown) => best(Array.isArray(value) ? value : [value]),
  };
  return [one, ...several];
}
