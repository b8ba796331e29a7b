/**
 * Frankfurter's API, version 1: reference rates of the European Central Bank by the paths, shapes, rounding and
 * refusals of its source. Rates of a day come at about 16:00 in Frankfurt, which is 15:00 UTC here all year.
 */
import { type Context, Hono } from "hono";
import { perMinute } from "../rate-limit.ts";
import { currencyNames, euroRates, FIRST_DATE, isWorkingDay, workingDayUpTo } from "../world/currencies.ts";
import type { Upstream, UpstreamSetting } from "./upstream.ts";

export const frankfurter: Upstream = {
  name: "frankfurter",
  basePath: "/frankfurter",
  baseUrls: { FRANKFURTER_BASE_URL: "/frankfurter/v1" },
  keyVariable: null,
  create: createFrankfurter,
};

const DAY_MS = 86_400_000;
const PUBLICATION_MS = 15 * 3_600_000;
/** Rates older than this are no answer to the question for a date. */
const LOOKBACK_DAYS = 14;

/** What rates are made from, and until when they are out. */
interface Desk {
  seed: number;
  now: number;
}

/** What every question has besides its dates. */
interface Question {
  amount: number;
  base: string;
  symbols: string[] | null;
}

function createFrankfurter({ seed, requestsPerMinute, now }: UpstreamSetting): Hono {
  const count = perMinute(requestsPerMinute, now);
  const desk = (): Desk => ({ seed, now: now() });
  const app = new Hono();
  app.use("/v1/*", async (c, next) =>
    count("everyone") === null ? next() : refuse(c, 429, "too many requests"),
  );
  app.get("/v1/currencies", (c) => c.json(currencyNames));
  app.get("/v1/latest", (c) => onDate(c, dateText(now()), desk()));
  app.get("/v1/:dates", (c) => {
    const [, first = "", isPeriod, last] =
      /^(\d{4}-\d{2}-\d{2})(\.\.)?(\d{4}-\d{2}-\d{2})?$/.exec(c.req.param("dates")) ?? [];
    if (first === "") return refuse(c, 404, "not found");
    const end = last ?? dateText(now());
    if (![first, end].every(isDate)) return refuse(c, 422, "invalid date");
    return isPeriod === undefined ? onDate(c, first, desk()) : inPeriod(c, first, end, desk());
  });
  app.all("/*", (c) => refuse(c, 404, "not found"));
  return app;
}

function refuse(c: Context, status: 404 | 422 | 429, message: string): Response {
  return c.json({ message }, status);
}

function readQuestion(c: Context): Question | string {
  const { from, to, base = from, symbols = to, amount = "1" } = c.req.query();
  const question = {
    amount: Number.parseFloat(amount),
    base: (base ?? "EUR").toUpperCase(),
    symbols: symbols === undefined ? null : symbols.toUpperCase().split(","),
  };
  if (!(question.amount > 0)) return "invalid amount";
  const isSelf = base !== undefined && question.symbols?.join() === question.base;
  return isSelf ? "bad currency pair" : question;
}

function onDate(c: Context, date: string, { seed, now }: Desk): Response {
  const question = readQuestion(c);
  if (typeof question === "string") return refuse(c, 422, question);
  const { amount, base } = question;
  const day = latestPublished(date, now);
  const isRecent = day !== null && Date.parse(date) - Date.parse(day) <= LOOKBACK_DAYS * DAY_MS;
  const rates = isRecent ? ratesOf(question, day, seed) : null;
  return rates === null ? refuse(c, 404, "not found") : c.json({ amount, base, date: day, rates });
}

/** A period begins with the rates that held on its first day, which may be those of a day before. */
function inPeriod(c: Context, first: string, last: string, { seed, now }: Desk): Response {
  const question = readQuestion(c);
  if (typeof question === "string") return refuse(c, 422, question);
  const { amount, base } = question;
  const end = latestPublished(last, now);
  const start = workingDayUpTo(first) ?? FIRST_DATE;
  if (end === null || first > dateText(now)) return refuse(c, 404, "not found");
  const rates: Record<string, Record<string, number>> = {};
  for (let time = Date.parse(start); time <= Date.parse(end); time += DAY_MS) {
    const day = dateText(time);
    const found = isWorkingDay(day) ? ratesOf(question, day, seed) : null;
    if (found !== null) rates[day] = found;
  }
  const days = Object.keys(rates);
  const [startDate] = days;
  return startDate === undefined
    ? refuse(c, 404, "not found")
    : c.json({ amount, base, start_date: startDate, end_date: days.at(-1), rates });
}

/** The latest day up to a date whose rates are out. */
function latestPublished(date: string, now: number): string | null {
  const published = dateText(now - PUBLICATION_MS);
  return workingDayUpTo(date < published ? date : published);
}

/** What an amount of the base costs in the currencies asked for, by code; null where there is none. */
function ratesOf(
  { amount, base, symbols }: Question,
  day: string,
  seed: number,
): Record<string, number> | null {
  const inEuros = new Map([...euroRates(seed, day), ["EUR", 1] as const]);
  const divisor = inEuros.get(base);
  if (divisor === undefined) return null;
  const isPlain = base === "EUR" && amount === 1;
  const rates = [...inEuros]
    .filter(([code]) => code !== base && (symbols === null || symbols.includes(code)))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, rate]) => [code, isPlain ? rate : quoted((amount * rate) / divisor)] as const);
  return rates.length === 0 ? null : Object.fromEntries(rates);
}

/** The larger a rate is, the fewer decimals it is quoted with. */
function quoted(rate: number): number {
  const decimals = rate > 5000 ? 0 : rate > 80 ? 2 : rate > 20 ? 3 : rate > 1 ? 4 : rate > 0.0001 ? 5 : 6;
  return Number(rate.toFixed(decimals));
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && dateText(Date.parse(text)) === text;
}

function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
