import { z } from "zod";
import { basisPoints } from "./book-figures.ts";

const orderSchema = z.object({ daily_volatility: z.number(), order: z.number(), daily_volume: z.number() });

export function largeOrderFigures(data: unknown): Map<string, number> {
  const { daily_volatility: volatility, order, daily_volume: volume } = orderSchema.parse(data);
  return new Map([
    ["share of the day", order / volume],
    ["impact, Y = 1", basisPoints(volatility * Math.sqrt(order / volume), 1)],
  ]);
}

const daySchema = z.object({ high: z.number(), low: z.number() });
const daysSchema = z.object({ days: z.tuple([daySchema, daySchema]) });

/** The spread by the estimator of Corwin and Schultz (2012). */
export function twoDayFigures(data: unknown): Map<string, number> {
  const [first, second] = daysSchema.parse(data).days;
  const range = (high: number, low: number): number => Math.log(high / low) ** 2;
  const beta = range(first.high, first.low) + range(second.high, second.low);
  const gamma = range(Math.max(first.high, second.high), Math.min(first.low, second.low));
  const divisor = 3 - 2 * Math.SQRT2;
  const alpha = (Math.sqrt(2 * beta) - Math.sqrt(beta)) / divisor - Math.sqrt(gamma / divisor);
  const spread = (2 * (Math.exp(alpha) - 1)) / (1 + Math.exp(alpha));
  return new Map([["estimated spread in basis points", basisPoints(spread, 1)]]);
}
