import { type Bar, type PricePath, pricePath, shares } from "./bars.ts";
import type { Instrument } from "./instruments.ts";
import { type PeriodQuery, periods } from "./intervals.ts";
import { coordinateOf, randomAt } from "./random.ts";

/** Prices are in ticks, quantities in units of the last decimal, times in milliseconds since the epoch. */
export interface Ticker {
  /** The last 24 hours; its close is the last price. */
  day: Bar;
  bid: number;
  ask: number;
  time: number;
}

export interface Candle extends Bar {
  time: number;
}

export interface Level {
  price: number;
  quantity: number;
}

export interface Book {
  /** Best first. */
  bids: Level[];
  asks: Level[];
  time: number;
}

export interface Trade extends Level {
  side: "buy" | "sell";
  time: number;
  /** Position among the trades of its second. */
  index: number;
}

/**
 * A market that is a pure function of (seed, instrument, time): the same question has the same answer for ever,
 * in any order and on any machine. It trades around the clock, so nothing depends on the hour of a test.
 */
export interface Market {
  ticker(instrument: Instrument, time: number): Ticker;
  /** Complete candles, oldest first. */
  candles(instrument: Instrument, query: PeriodQuery): Candle[];
  book(instrument: Instrument, levels: number, time: number): Book;
  /** The latest trades of the last 24 hours, newest first. */
  trades(instrument: Instrument, limit: number, time: number): Trade[];
}

const SECOND = 1000;
const MINUTE_IN_SECONDS = 60;
const DAY_IN_SECONDS = 86_400;
const MAX_TRADES_A_SECOND = 3;
/** The widest gap between two levels of a book, in ticks. */
const MAX_GAP = 3;
/** Keep the numbers drawn for books and trades apart from each other and from those drawn for bars. */
const BOOK = coordinateOf("book");
const TRADES = coordinateOf("trades");

export function createMarket(seed: number): Market {
  const paths = new Map<string, PricePath>();

  function pathOf(instrument: Instrument): PricePath {
    const path = paths.get(instrument.symbol) ?? pricePath(seed, instrument);
    paths.set(instrument.symbol, path);
    return path;
  }

  function book(instrument: Instrument, levels: number, time: number): Book {
    const second = Math.floor(time / SECOND);
    const last = pathOf(instrument).between(second - 1, second).close;
    return drawBook(seed, instrument, { levels, last, second });
  }

  return {
    book,
    ticker: (instrument, time) => {
      const { bids, asks, time: second } = book(instrument, 1, time);
      const day = pathOf(instrument).between(second / SECOND - DAY_IN_SECONDS, second / SECOND);
      return { day, bid: bids[0]?.price ?? day.close, ask: asks[0]?.price ?? day.close, time: second };
    },
    candles: (instrument, query) =>
      periods(query).map(({ start, end }) => {
        const bar = pathOf(instrument).between(start / SECOND, end / SECOND);
        return { ...bar, time: start };
      }),
    trades: (instrument, limit, time) => {
      const path = pathOf(instrument);
      const found: Trade[] = [];
      for (const second of secondsBefore(path, Math.floor(time / SECOND))) {
        found.push(...tradesOf(seed, instrument, second).reverse());
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
  };
}

/** A book around a last price: the bid is at it or one tick below, and every level lies a few ticks further out. */
function drawBook(
  seed: number,
  instrument: Instrument,
  { levels, last, second }: { levels: number; last: number; second: number },
): Book {
  const random = randomAt(seed, coordinateOf(instrument.symbol), BOOK, second);
  const typicalQuantity = instrument.dailyVolume / DAY_IN_SECONDS;
  const side = (best: number, direction: 1 | -1): Level[] => {
    let price = best;
    return Array.from({ length: levels }, (_, index) => {
      if (index > 0) price += direction * Math.ceil(MAX_GAP * (1 - random()));
      return { price, quantity: Math.ceil(typicalQuantity * (0.2 + 3 * random())) };
    });
  };
  const bid = last - (random() < 0.5 ? 0 : 1);
  return { bids: side(bid, -1), asks: side(bid + 1, 1), time: second * SECOND };
}

/** The seconds of the 24 hours before a second, newest first. */
function* secondsBefore(path: PricePath, end: number): Generator<Bar> {
  const lastMinute = Math.floor((end - 1) / MINUTE_IN_SECONDS) * MINUTE_IN_SECONDS;
  for (let minute = lastMinute; minute > end - DAY_IN_SECONDS; minute -= MINUTE_IN_SECONDS) {
    yield* path
      .seconds(minute)
      .filter(({ start }) => start < end)
      .reverse();
  }
}

/** The trades of one second, oldest first: they add up to its volume, and the last is made at its close. */
function tradesOf(seed: number, instrument: Instrument, second: Bar): Trade[] {
  const random = randomAt(seed, coordinateOf(instrument.symbol), TRADES, second.start);
  const count = Math.ceil(MAX_TRADES_A_SECOND * (1 - random()));
  return shares(second.volume, count, random)
    .map((quantity, index): Trade => {
      const price = second.low + Math.floor((second.high - second.low + 1) * random());
      return {
        price: index === count - 1 ? second.close : price,
        quantity,
        side: random() < 0.5 ? "buy" : "sell",
        time: second.start * SECOND + Math.floor((index * SECOND) / count),
        index,
      };
    })
    .filter(({ quantity }) => quantity > 0);
}
