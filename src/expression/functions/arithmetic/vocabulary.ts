/** A number in arithmetic: a bigint where it is whole and exact. */
export type Quantity = bigint | number;

/** A function that arithmetic may call. */
export interface ArithmeticFunction {
  /** The fewest and the most values that it takes. */
  least: number;
  most: number;
  apply: (...values: Quantity[]) => Quantity;
}

/** What an operator does to whole and to decimal numbers. */
export interface Operation {
  exact: (left: bigint, right: bigint) => bigint;
  decimal: (left: number, right: number) => number;
}

/** `+`. */
export const plus: Operation = {
  exact: (left, right) => left + right,
  decimal: (left, right) => left + right,
};
/** `-`. */
export const minus: Operation = {
  exact: (left, right) => left - right,
  decimal: (left, right) => left - right,
};
/** `*`. */
export const times: Operation = {
  exact: (left, right) => left * right,
  decimal: (left, right) => left * right,
};
/** `/`; exact only where nothing is left over. */
export const over: Operation = {
  exact: (left, right) => left / right,
  decimal: (left, right) => left / right,
};
/** `%`, with the sign of the dividend. */
export const remainder: Operation = {
  exact: (left, right) => left % right,
  decimal: (left, right) => left % right,
};

/** Names that stand for numbers. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
  ["e", Math.E],
  ["tau", 2 * Math.PI],
]);

/** Functions of one decimal number. */
const DECIMAL: [string, (value: number) => number][] = [
  ["sqrt", Math.sqrt],
  ["cbrt", Math.cbrt],
  ["exp", Math.exp],
  ["ln", Math.log],
  ["log10", Math.log10],
  ["log2", Math.log2],
  ["sin", (angle) => zeroed(Math.sin(angle))],
  ["cos", (angle) => zeroed(Math.cos(angle))],
  ["tan", (angle) => zeroed(Math.sin(angle)) / zeroed(Math.cos(angle))],
  ["asin", Math.asin],
  ["acos", Math.acos],
  ["atan", Math.atan],
  ["sinh", Math.sinh],
  ["cosh", Math.cosh],
  ["tanh", Math.tanh],
  ["deg", (angle) => (angle * 180) / Math.PI],
  ["rad", (angle) => (angle * Math.PI) / 180],
];

/** Functions that leave whole numbers as they are. */
const ROUNDING: [string, (value: number) => number][] = [
  ["ceil", Math.ceil],
  ["floor", Math.floor],
  ["trunc", Math.trunc],
];

const ANY_NUMBER = 100;

type Entry = [name: string, least: number, most: number, apply: ArithmeticFunction["apply"]];

const ENTRIES: Entry[] = [
  ...DECIMAL.map(([name, apply]): Entry => [name, 1, 1, (value) => apply(Number(value))]),
  ...ROUNDING.map(([name, apply]): Entry => [name, 1, 1, (value = 0) => rounded(value, apply)]),
  ["round", 1, 2, (value = 0, digits = 0) => roundTo(value, Number(digits))],
  ["abs", 1, 1, (value = 0) => (value < 0 ? -value : value)],
  ["sign", 1, 1, (value = 0) => (value > 0 ? 1n : value < 0 ? -1n : 0n)],
  ["min", 1, ANY_NUMBER, (...values) => first(values, (left, right) => left < right)],
  ["max", 1, ANY_NUMBER, (...values) => first(values, (left, right) => left > right)],
  ["log", 1, 2, (value, base = Math.E) => Math.log(Number(value)) / Math.log(Number(base))],
  ["pow", 2, 2, (base, exponent) => Number(base) ** Number(exponent)],
  ["mod", 2, 2, (value, divisor) => Number(value) % Number(divisor)],
  ["atan2", 2, 2, (y, x) => Math.atan2(Number(y), Number(x))],
  ["hypot", 1, ANY_NUMBER, (...values) => Math.hypot(...values.map(Number))],
];

/**
 * What arithmetic may call. `log` is natural, as in most programming languages, and `log(x, base)` to a base; angles
 * are radians.
 */
export const FUNCTIONS: ReadonlyMap<string, ArithmeticFunction> = new Map(
  ENTRIES.map(([name, least, most, apply]) => [name, { least, most, apply }]),
);

/** The value that comes before all others. */
function first(values: Quantity[], precedes: (left: Quantity, right: Quantity) => boolean): Quantity {
  return values.reduce((found, value) => (precedes(value, found) ? value : found));
}

/** pi is not exact, so neither is a sine that ought to be nothing. */
function zeroed(value: number): number {
  return Math.abs(value) < 1e-15 ? 0 : value;
}

function rounded(value: Quantity, apply: (value: number) => number): Quantity {
  return typeof value === "bigint" ? value : apply(value);
}

/** Halves go away from zero; 1.005 is taken for what it says and not for the binary number just below it. */
function roundTo(value: Quantity, digits: number): Quantity {
  if (typeof value === "bigint" && digits >= 0) return value;
  const shifted = (by: number, number: number): number => {
    const [mantissa, exponent = "0"] = String(number).split("e");
    return Number(`${mantissa}e${Number(exponent) + by}`);
  };
  const places = Math.trunc(digits);
  const size = Math.round(shifted(places, Math.abs(Number(value))));
  return Math.sign(Number(value)) * shifted(-places, size);
}
