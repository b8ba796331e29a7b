/**
 * Writes a whole number of units as an exact decimal: `decimalText(5435, 1)` is `"543.5"`. Zeros at the end are
 * left out (`"543"`, not `"543.0"`), as the upstream does.
 */
export function decimalText(units: number, decimals: number): string {
  const digits = Math.abs(units)
    .toString()
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${units < 0 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
