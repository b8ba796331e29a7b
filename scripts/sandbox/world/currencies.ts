import { coordinateOf } from "../market/random.ts";
import { smoothNoise } from "./noise.ts";

const DAY_MS = 86_400_000;
/** The euro's first reference rates were those of this day. */
export const FIRST_DATE = "1999-01-04";

/** Code, name as the `money` gem has it, what one euro typically costs, and how far that wanders. */
const rows: readonly [string, string, number, number][] = [
  ["AUD", "Australian Dollar", 1.72, 0.09],
  ["BRL", "Brazilian Real", 6.2, 0.2],
  ["CAD", "Canadian Dollar", 1.58, 0.07],
  ["CHF", "Swiss Franc", 0.94, 0.08],
  ["CNY", "Chinese Renminbi Yuan", 8.2, 0.08],
  ["CZK", "Czech Koruna", 24.6, 0.05],
  ["DKK", "Danish Krone", 7.462, 0.001],
  ["GBP", "British Pound", 0.86, 0.07],
  ["HKD", "Hong Kong Dollar", 0, 0],
  ["HUF", "Hungarian Forint", 395, 0.08],
  ["IDR", "Indonesian Rupiah", 18_900, 0.1],
  ["ILS", "Israeli New Sheqel", 3.9, 0.1],
  ["INR", "Indian Rupee", 101, 0.09],
  ["ISK", "Icelandic Króna", 143, 0.09],
  ["JPY", "Japanese Yen", 172, 0.12],
  ["KRW", "South Korean Won", 1_640, 0.08],
  ["MXN", "Mexican Peso", 21.6, 0.12],
  ["MYR", "Malaysian Ringgit", 4.9, 0.07],
  ["NOK", "Norwegian Krone", 11.7, 0.09],
  ["NZD", "New Zealand Dollar", 1.98, 0.08],
  ["PHP", "Philippine Peso", 67, 0.07],
  ["PLN", "Polish Złoty", 4.26, 0.05],
  ["RON", "Romanian Leu", 5.08, 0.03],
  ["SEK", "Swedish Krona", 11, 0.07],
  ["SGD", "Singapore Dollar", 1.5, 0.06],
  ["THB", "Thai Baht", 37.8, 0.08],
  ["TRY", "Turkish Lira", 49, 0.25],
  ["USD", "United States Dollar", 1.16, 0.08],
  ["ZAR", "South African Rand", 20.3, 0.12],
];

const currencies = new Map(rows.map(([code, , typical, range]) => [code, { typical, range }]));

/** Codes and full names of all currencies, the euro among them, by code. */
export const currencyNames: Readonly<Record<string, string>> = Object.fromEntries(
  [...rows.map(([code, name]) => [code, name] as const), ["EUR", "Euro"] as const].sort(([left], [right]) =>
    left < right ? -1 : 1,
  ),
);

/** Days over which a rate wanders, and the share that each has in how far. */
const SWINGS = [
  [900, 0.5],
  [120, 0.3],
  [17, 0.15],
  [2, 0.05],
] as const;

/**
 * What one euro costs on a day in every other currency, as the European Central Bank would have published it:
 * five significant digits, at least one of them before the point. A pure function of seed and date.
 */
export function euroRates(seed: number, date: string): Map<string, number> {
  const dollar = rateOf(seed, "USD", date);
  return new Map(
    [...currencies.keys()].map((code) => [
      code,
      significant(code === "HKD" ? hongKongDollar(seed, date, dollar) : rateOf(seed, code, date)),
    ]),
  );
}

function rateOf(seed: number, code: string, date: string): number {
  const { typical = 1, range = 0 } = currencies.get(code) ?? {};
  const day = Date.parse(date) / DAY_MS;
  const swing = SWINGS.reduce(
    (sum, [days, share]) => sum + share * smoothNoise(day / days, seed, coordinateOf(code), days),
    0,
  );
  return typical * Math.exp(range * swing);
}

/** The Hong Kong dollar is held between 7.75 and 7.85 to that of the United States. */
function hongKongDollar(seed: number, date: string, dollar: number): number {
  const day = Date.parse(date) / DAY_MS;
  return dollar * (7.8 + 0.045 * smoothNoise(day / 60, seed, coordinateOf("HKD")));
}

function significant(rate: number): number {
  return Number(rate.toPrecision(5));
}

/** Whether the euro's payment system TARGET works on a day, and so whether there are rates of it. */
export function isWorkingDay(date: string): boolean {
  const weekday = new Date(date).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (["01-01", "05-01", "12-25", "12-26"].includes(date.slice(5))) return false;
  const sinceEaster = (Date.parse(date) - easterSunday(Number(date.slice(0, 4)))) / DAY_MS;
  return sinceEaster !== -2 && sinceEaster !== 1;
}

/** Midnight UTC of Easter Sunday, by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const leapCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - Math.floor(century / 4) - leapCorrection + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  const monthAndDay = moon + weekday - 7 * correction + 114;
  return Date.UTC(year, Math.floor(monthAndDay / 31) - 1, (monthAndDay % 31) + 1);
}

/** The latest working day that is not after a date, or null where that was before the first rates. */
export function workingDayUpTo(date: string): string | null {
  let day = date;
  while (day >= FIRST_DATE) {
    if (isWorkingDay(day)) return day;
    day = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  }
  return null;
}
