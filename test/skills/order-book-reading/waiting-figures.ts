import { z } from "zod";

const queueSchema = z.object({
  ahead_at_first: z.number(),
  own: z.number(),
  executed: z.number(),
  shown_now: z.number(),
  minutes: z.number(),
});

export function queueFigures(data: unknown): Map<string, number> {
  const { ahead_at_first: first, own, executed, shown_now: shown, minutes } = queueSchema.parse(data);
  const ahead = Math.min(Math.max(0, first - executed), shown - own);
  const rate = executed / minutes;
  return new Map([
    ["ahead at most", ahead],
    ["arrived behind, at least", shown - (first + own - executed)],
    ["executed per minute", rate],
    ["minutes until the order's turn", ahead / rate],
    ["minutes until it is filled", (ahead + own) / rate],
  ]);
}

const icebergSchema = z.object({ shown_before: z.number(), executed: z.number(), shown_after: z.number() });

export function icebergFigures(data: unknown): Map<string, number> {
  const { shown_before: before, executed, shown_after: after } = icebergSchema.parse(data);
  return new Map([
    ["refilled", executed - before + after],
    ["executed over shown", executed / before],
  ]);
}

const ordersSchema = z.array(z.tuple([z.number(), z.number()]));
const auctionSchema = z.object({ buys: ordersSchema, sells: ordersSchema });

interface Uncrossing {
  price: number;
  buyers: number;
  sellers: number;
  executed: number;
}

/** What each price that occurs would execute, the highest first. */
export function uncrossings(data: unknown): Uncrossing[] {
  const { buys, sells } = auctionSchema.parse(data);
  const prices = [...new Set([...buys, ...sells].map(([price]) => price))].sort(
    (left, right) => right - left,
  );
  const sum = (orders: readonly (readonly [number, number])[], isIn: (price: number) => boolean): number =>
    orders.reduce((total, [price, size]) => total + (isIn(price) ? size : 0), 0);
  return prices.map((price) => {
    const buyers = sum(buys, (limit) => limit >= price);
    const sellers = sum(sells, (limit) => limit <= price);
    return { price, buyers, sellers, executed: Math.min(buyers, sellers) };
  });
}

export function auctionFigures(data: unknown): Map<string, number> {
  const chosen = uncrossings(data).reduce((most, next) => (next.executed > most.executed ? next : most));
  return new Map([
    [`buyers at ${chosen.price}`, chosen.buyers],
    [`sellers at ${chosen.price}`, chosen.sellers],
    ["auction price", chosen.price],
    ["executed", chosen.executed],
    ["surplus of buyers", chosen.buyers - chosen.sellers],
  ]);
}

const openingSchema = z.object({
  previous_close: z.number(),
  at_9_18: z.object({ matched: z.number() }),
  at_9_24: z.object({ price: z.number(), matched: z.number(), surplus_of_buyers: z.number() }),
});

export function openingFigures(data: unknown): Map<string, number> {
  const { previous_close: close, at_9_18: early, at_9_24: late } = openingSchema.parse(data);
  return new Map([
    ["indicated change", (late.price / close - 1) * 100],
    ["matched size, growth", late.matched / early.matched],
    ["surplus over matched", late.surplus_of_buyers / late.matched],
  ]);
}

const limitUpSchema = z.object({
  previous_close: z.number(),
  limit_percent: z.number(),
  queue_lots_before: z.number(),
  queue_lots_after: z.number(),
  executed_lots: z.number(),
  day_volume_shares: z.number(),
});

const SHARES_OF_A_LOT = 100;
const TICKS_OF_A_YUAN = 100;

export function limitUpFigures(data: unknown): Map<string, number> {
  const { queue_lots_before: before, queue_lots_after: after, ...day } = limitUpSchema.parse(data);
  const highest = day.previous_close * (1 + day.limit_percent / 100);
  const price = Math.round(highest * TICKS_OF_A_YUAN) / TICKS_OF_A_YUAN;
  const shares = before * SHARES_OF_A_LOT;
  return new Map([
    ["limit price", price],
    ["queue in shares", shares],
    ["queue in money", shares * price],
    ["queue over the day's volume", shares / day.day_volume_shares],
    ["withdrawn, at least", before - after - day.executed_lots],
  ]);
}
