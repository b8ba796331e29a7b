/** What may be asked for in other units. */
export interface Units {
  temperature: "celsius" | "fahrenheit";
  windSpeed: "kmh" | "ms" | "mph" | "kn";
  precipitation: "mm" | "inch";
}

/** What is measured: its unit, and how its numbers are written. */
export interface Quantity {
  unit: (units: Units) => string;
  convert: (value: number, units: Units) => number;
  decimals: (units: Units) => number;
}

/** A quantity that has one unit only. */
export function fixed(unit: string, decimals = 0): Quantity {
  return { unit: () => unit, convert: (value) => value, decimals: () => decimals };
}

/** A variable of a moment, of what is known of it. */
export interface MomentVariable<Sample> {
  quantity: Quantity;
  of: (sample: Sample) => number;
}

/** A variable of a day, of its hours. */
export interface DayVariable<Sample> {
  quantity: Quantity;
  of: (hours: readonly Sample[]) => number;
}

/** A value in the units asked for, rounded as Open-Meteo rounds it. */
export function rounded(value: number, { convert, decimals }: Quantity, units: Units): number {
  const factor = 10 ** decimals(units);
  // Adding zero turns a negative zero into a plain one.
  return Math.round(convert(value, units) * factor) / factor + 0;
}
