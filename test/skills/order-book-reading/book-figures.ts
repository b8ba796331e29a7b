import { z } from "zod";

/** Price and size, best price first. */
const levelSchema = z.tuple([z.number(), z.number()]);
export type Level = z.infer<typeof levelSchema>;
export const levelsSchema = z.array(levelSchema).min(1);
export const bookSchema = z.object({ bids: levelsSchema, asks: levelsSchema });
export type Book = z.infer<typeof bookSchema>;

export function best(levels: readonly Level[]): Level {
  const [level] = levels;
  if (level === undefined) throw new Error("a side of the book is empty");
  return level;
}

export function midpoint({ bids, asks }: Book): number {
  return (best(bids)[0] + best(asks)[0]) / 2;
}

export function totalSize(levels: readonly Level[]): number {
  return levels.reduce((sum, [, size]) => sum + size, 0);
}

/** The mean price of levels or trades, each weighted with its size. */
export function averagePrice(levels: readonly Level[]): number {
  return levels.reduce((sum, [price, size]) => sum + price * size, 0) / totalSize(levels);
}

/** What an order takes from each level, the best first; it must not want more than there is. */
export function taken(levels: readonly Level[], order: number): Level[] {
  let left = order;
  const parts = levels.map(([price, size]): Level => {
    const part = Math.min(size, left);
    left -= part;
    return [price, part];
  });
  if (left > 0) throw new Error("the levels do not suffice");
  return parts;
}

export function basisPoints(part: number, whole: number): number {
  return (part / whole) * 10_000;
}

export function imbalance(bids: number, asks: number): number {
  return (bids - asks) / (bids + asks);
}

function halving(levels: readonly Level[]): Level[] {
  return levels.map(([price, size], index): Level => [price, size / 2 ** index]);
}

/** What can be said of the best level alone. */
function touchFigures(book: Book): [string, number][] {
  const [bid, bidSize] = best(book.bids);
  const [ask, askSize] = best(book.asks);
  const middle = midpoint(book);
  const balance = imbalance(bidSize, askSize);
  return [
    ["spread", ask - bid],
    ["spread in basis points", basisPoints(ask - bid, middle)],
    ["half-spread", basisPoints((ask - bid) / 2, middle)],
    ["midpoint", middle],
    ["weighted midpoint", (bid * askSize + ask * bidSize) / (bidSize + askSize)],
    ["weighted midpoint, second way", middle + ((ask - bid) / 2) * balance],
    ["imbalance of the touch", balance],
  ];
}

function depthFigures(book: Book): [string, number][] {
  const bids = totalSize(book.bids);
  const asks = totalSize(book.asks);
  const middle = midpoint(book);
  const near = ([price]: Level): boolean => Math.abs(price - middle) <= middle / 1_000;
  return [
    ["bids, 5 levels", bids],
    ["asks, 5 levels", asks],
    ["pressure ratio, 5 levels", bids / asks],
    ["imbalance, 5 levels", imbalance(bids, asks)],
    ["imbalance, 5 levels, halving", imbalance(totalSize(halving(book.bids)), totalSize(halving(book.asks)))],
    ["bids within 10 bp", totalSize(book.bids.filter(near))],
    ["asks within 10 bp", totalSize(book.asks.filter(near))],
  ];
}

function costFigures(book: Book, order: number): [string, number][] {
  const buying = averagePrice(taken(book.asks, order));
  const selling = averagePrice(taken(book.bids, order));
  const middle = midpoint(book);
  const shown = order.toLocaleString("en-US");
  return [
    [`average price, buying ${shown}`, buying],
    ["cost of buying over the midpoint", basisPoints(buying - middle, middle)],
    ["cost of buying in money", (buying - middle) * order],
    [`average price, selling ${shown}`, selling],
    ["cost of selling under the midpoint", basisPoints(middle - selling, middle)],
  ];
}

const orderedBookSchema = bookSchema.extend({ order: z.number() });

/** Everything that the documents compute of one look at a book with several levels. */
export function bookFigures(data: unknown): Map<string, number> {
  const { order, ...book } = orderedBookSchema.parse(data);
  return new Map([...touchFigures(book), ...depthFigures(book), ...costFigures(book, order)]);
}

const touchSchema = orderedBookSchema.extend({ minute_volumes: z.array(z.number()) });

/** A book of one level, with the volumes of the last minutes for scale. */
export function singleLevelFigures(data: unknown): Map<string, number> {
  const { order, minute_volumes: volumes, ...book } = touchSchema.parse(data);
  const perMinute = volumes.reduce((sum, volume) => sum + volume, 0) / volumes.length;
  return new Map([
    ...touchFigures(book),
    ["volume a minute", perMinute],
    ["order in minutes of volume", order / perMinute],
    ["order over what is shown", order / best(book.asks)[1]],
  ]);
}
