import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findInstrument, type Instrument, instruments } from "../../../scripts/sandbox/market/instruments.ts";
import { HISTORY_START, type Interval, intervals } from "../../../scripts/sandbox/market/intervals.ts";
import { type Candle, createMarket } from "../../../scripts/sandbox/market/market.ts";

const NOW = Date.UTC(2026, 2, 12, 3, 20, 7, 500);
const HOUR = 3_600_000;

const anySeed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const anyInstrument = fc.constantFrom(...instruments);
const anyInterval = fc.constantFrom<Interval>("1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d", "1w", "1M");
const anyTime = fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2040, 0) });

function instrumentOf(symbol: string): Instrument {
  const instrument = findInstrument(symbol);
  if (instrument === undefined) throw new Error(`${symbol} is not listed`);
  return instrument;
}

function joined(candles: Candle[]): object {
  return {
    open: candles[0]?.open,
    high: Math.max(...candles.map(({ high }) => high)),
    low: Math.min(...candles.map(({ low }) => low)),
    close: candles.at(-1)?.close,
    volume: candles.reduce((sum, { volume }) => sum + volume, 0),
  };
}

describe("candles", () => {
  test("meet end to end, hold their open and close, and lie on their interval's calendar", () => {
    fc.assert(
      fc.property(anySeed, anyInstrument, anyInterval, anyTime, (seed, instrument, interval, now) => {
        const candles = createMarket(seed).candles(instrument, { interval, limit: 50, now });
        expect(candles).not.toHaveLength(0);
        for (const [index, { time, open, high, low, close, volume }] of candles.entries()) {
          const previous = candles[index - 1];
          if (previous !== undefined) expect([time, open]).toEqual([end(previous, interval), previous.close]);
          expect(intervals[interval].floor(time)).toBe(time);
          expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
          expect(low).toBeLessThanOrEqual(Math.min(open, close));
          expect(low).toBeGreaterThan(0);
          expect(volume).toBeGreaterThan(0);
        }
        expect(end(candles.at(-1), interval)).toBeLessThanOrEqual(now);
      }),
    );
  });

  test.each<[Interval, Interval]>([
    ["5m", "1m"],
    ["15m", "5m"],
    ["30m", "15m"],
    ["1h", "1m"],
    ["2h", "30m"],
    ["4h", "1h"],
    ["1d", "4h"],
    ["1d", "5m"],
    ["1w", "1d"],
    ["1M", "1d"],
  ])("of %s are exactly what their %s candles join to", (long, short) => {
    fc.assert(
      fc.property(anySeed, anyInstrument, anyTime, (seed, instrument, now) => {
        const market = createMarket(seed);
        for (const candle of market.candles(instrument, { interval: long, limit: 2, now })) {
          const parts = market.candles(instrument, {
            interval: short,
            limit: 1000,
            startTime: candle.time,
            endTime: end(candle, long) - 1,
            now,
          });
          const { open, high, low, close, volume } = candle;
          expect(joined(parts)).toEqual({ open, high, low, close, volume });
        }
      }),
      { numRuns: 30 },
    );
  });

  test("stay within half and twice the price that people know", () => {
    const market = createMarket(1);
    for (const instrument of instruments) {
      for (const { high, low } of market.candles(instrument, { interval: "1w", limit: 500, now: NOW })) {
        expect(high).toBeLessThan(instrument.typicalPrice * 2.5);
        expect(low).toBeGreaterThan(instrument.typicalPrice / 2.5);
      }
    }
  });

  test("are the same for the same question, whatever was asked before and when it is asked again", () => {
    const apple = instrumentOf("AAPL.US");
    const query = {
      interval: "1h",
      limit: 24,
      startTime: NOW - 48 * HOUR,
      endTime: NOW - 24 * HOUR,
    } as const;
    const market = createMarket(7);
    const first = market.candles(apple, { ...query, now: NOW });
    market.trades(instrumentOf("BTC.USDT"), 10, NOW);
    expect(market.candles(apple, { ...query, now: NOW + 1000 * HOUR })).toEqual(first);
    expect(createMarket(7).candles(apple, { ...query, now: NOW })).toEqual(first);
    expect(createMarket(8).candles(apple, { ...query, now: NOW })).not.toEqual(first);
  });
});

describe("the last price", () => {
  test("lies in the day's range, at the book's edge, and is the price of the newest trade", () => {
    fc.assert(
      fc.property(anySeed, anyInstrument, anyTime, (seed, instrument, time) => {
        const market = createMarket(seed);
        const { day, bid, ask } = market.ticker(instrument, time);
        const book = market.book(instrument, 10, time);
        expect(day.low).toBeLessThanOrEqual(day.close);
        expect(day.high).toBeGreaterThanOrEqual(day.close);
        expect([book.bids[0]?.price, book.asks[0]?.price]).toEqual([bid, ask]);
        expect([bid, ask]).toContain(day.close);
        const [trade] = market.trades(instrument, 1, time);
        if (trade !== undefined && trade.time >= Math.floor(time / 1000) * 1000 - 1000) {
          expect(trade.price).toBe(day.close);
        }
      }),
    );
  });
});

describe("books", () => {
  test("have falling bids below rising asks, each for some quantity", () => {
    fc.assert(
      fc.property(anySeed, anyInstrument, anyTime, (seed, instrument, time) => {
        const { bids, asks } = createMarket(seed).book(instrument, 10, time);
        const upwards = [...bids.toReversed(), ...asks];
        expect(upwards).toHaveLength(20);
        for (const [index, { price, quantity }] of upwards.entries()) {
          expect(price).toBeGreaterThan(upwards[index - 1]?.price ?? 0);
          expect(quantity).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe("trades", () => {
  test("of a minute lie in its range and add up to its volume", () => {
    const bitcoin = instrumentOf("BTC.USDT");
    const market = createMarket(3);
    const [minute] = market.candles(bitcoin, { interval: "1m", limit: 1, now: NOW });
    const end = (minute?.time ?? 0) + 60_000;
    const trades = market.trades(bitcoin, 1000, end).filter(({ time }) => time >= end - 60_000);
    expect(trades.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(minute?.volume);
    expect(Math.max(...trades.map(({ price }) => price))).toBeLessThanOrEqual(minute?.high ?? 0);
    expect(Math.min(...trades.map(({ price }) => price))).toBeGreaterThanOrEqual(minute?.low ?? 0);
  });

  test("come newest first, as many as asked for, each once and none from the future", () => {
    const trades = createMarket(3).trades(instrumentOf("700.HK"), 500, NOW);
    const order = trades.map(({ time, index }) => [time, index]);
    expect(trades).toHaveLength(500);
    expect(order).toEqual(order.toSorted(([a = 0], [b = 0]) => b - a));
    expect(new Set(order.map(String)).size).toBe(500);
    expect(trades[0]?.time).toBeLessThan(NOW);
  });
});

function end(candle: Candle | undefined, interval: Interval): number {
  return intervals[interval].step(candle?.time ?? HISTORY_START, 1);
}
