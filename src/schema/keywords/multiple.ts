/**
 * Whether a number is a multiple of another as both are written in decimal digits: 0.07 is one of 0.01, though
 * the quotient of the two floating-point numbers is not a whole number.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const dividend = decimal(value);
  const by = decimal(divisor);
  const exponent = Math.min(dividend.exponent, by.exponent);
  return scaled(dividend, exponent) % scaled(by, exponent) === 0n;
}

/** A number as digits times a power of ten. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

function decimal(value: number): Decimal {
  const [, sign, whole = "0", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
