import { z } from "zod";
import {
  averagePrice,
  basisPoints,
  best,
  bookSchema,
  type Level,
  levelsSchema,
  midpoint,
  totalSize,
} from "./book-figures.ts";

const tradeSchema = z.object({
  direction: z.number(),
  price: z.number(),
  midpoint_before: z.number(),
  midpoint_later: z.number(),
});

function spreadsPaid(trade: z.infer<typeof tradeSchema>): [string, number][] {
  const { direction, price, midpoint_before: before, midpoint_later: later } = trade;
  return [
    ["effective spread", 2 * direction * (price - before)],
    ["effective spread in basis points", basisPoints(2 * direction * (price - before), before)],
    ["realised spread", 2 * direction * (price - later)],
    ["price impact", 2 * direction * (later - before)],
  ];
}

export function tradeFigures(data: unknown): Map<string, number> {
  return new Map(spreadsPaid(tradeSchema.parse(data)));
}

const touchSchema = z.object({
  bid: z.number(),
  bid_size: z.number(),
  ask: z.number(),
  ask_size: z.number(),
});
type Touch = z.infer<typeof touchSchema>;

/** Order flow imbalance of two successive looks (Cont, Kukanov and Stoikov 2014). */
function flow(before: Touch, after: Touch): number {
  const bought =
    (after.bid >= before.bid ? after.bid_size : 0) - (after.bid <= before.bid ? before.bid_size : 0);
  const sold =
    (after.ask <= before.ask ? after.ask_size : 0) - (after.ask >= before.ask ? before.ask_size : 0);
  return bought - sold;
}

export function lookFigures(data: unknown): Map<string, number> {
  const { touches } = z.object({ touches: z.array(touchSchema) }).parse(data);
  const figures = new Map<string, number>();
  const middle = ({ bid, ask }: Touch): number => (bid + ask) / 2;
  let sum = 0;
  let moved = 0;
  for (const [index, after] of touches.entries()) {
    const before = touches[index - 1];
    if (before === undefined) continue;
    sum += flow(before, after);
    moved += middle(after) - middle(before);
    figures.set(`flow, look ${index} to ${index + 1}`, flow(before, after));
  }
  return figures.set("flow in all", sum).set("midpoint moved", moved);
}

const sweepSchema = z.object({
  depth_before: z.number(),
  depth_after: z.number(),
  depth_later: z.number(),
  seconds_later: z.number(),
});

export function resiliencyFigures(data: unknown): Map<string, number> {
  const { depth_before: before, depth_after: after, ...later } = sweepSchema.parse(data);
  const rate = Math.log((before - after) / (before - later.depth_later)) / later.seconds_later;
  return new Map([
    ["share taken", (before - after) / before],
    ["share of it that is back", (later.depth_later - after) / (before - after)],
    ["half-life", Math.LN2 / rate],
    ["rate of recovery", rate],
  ]);
}

const sessionSchema = z.object({ before: bookSchema, trades: levelsSchema, after: bookSchema });

/** A sweep between two looks: what it cost, and what became of the side that it took. */
export function sweepSessionFigures(data: unknown): Map<string, number> {
  const { before, trades, after } = sessionSchema.parse(data);
  const price = averagePrice(trades);
  const [last] = trades.at(-1) ?? [0];
  const at = (levels: readonly Level[]): number => totalSize(levels.filter((level) => level[0] === last));
  const furthest = before.asks.at(-1) ?? best(before.asks);
  return new Map([
    ["bought", totalSize(trades)],
    ["average price", price],
    ...spreadsPaid({
      direction: 1,
      price,
      midpoint_before: midpoint(before),
      midpoint_later: midpoint(after),
    }),
    ["arrived at 64,002.0", at(after.asks) - (at(before.asks) - at(trades))],
    ["asks, 5 levels, before", totalSize(before.asks)],
    ["asks, 5 levels, after", totalSize(after.asks)],
    ["reach of the five asks", basisPoints(furthest[0] - midpoint(before), midpoint(before))],
  ]);
}
