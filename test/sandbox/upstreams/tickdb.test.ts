import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KEY, started } from "../started.ts";

const NOW = Date.UTC(2026, 2, 12, 3, 20, 7, 500);
const now = (): number => NOW;

const decimal = z.string().regex(/^-?\d+(\.\d*[1-9])?$/);
const time = z.int().min(Date.UTC(2015, 0)).max(NOW);
const type = z.enum(["stock", "indices", "crypto", "forex", "futures"]);
const level = z.tuple([decimal, decimal]);

/** The shapes of the OpenAPI document; nothing more and nothing less may come. */
const shapes = {
  ticker: z.array(
    z.strictObject({
      symbol: z.string(),
      name: z.string(),
      type,
      last_price: decimal,
      bid_price: decimal.optional(),
      ask_price: decimal.optional(),
      volume_24h: decimal,
      high_24h: decimal,
      low_24h: decimal,
      price_change_24h: decimal,
      price_change_percent_24h: decimal,
      timestamp: time,
    }),
  ),
  kline: z.strictObject({
    symbol: z.string(),
    type,
    interval: z.string(),
    klines: z.array(
      z.strictObject({
        time,
        open: decimal,
        high: decimal,
        low: decimal,
        close: decimal,
        volume: decimal,
        quote_volume: decimal,
      }),
    ),
  }),
  depth: z.strictObject({
    symbol: z.string(),
    type,
    timestamp: time,
    bids: z.array(level),
    asks: z.array(level),
  }),
  trades: z.strictObject({
    symbol: z.string(),
    type,
    trades: z.array(
      z.strictObject({
        id: z.string().regex(/^\d+_\d$/),
        price: decimal,
        quantity: decimal,
        side: z.enum(["buy", "sell", "neutral"]),
        timestamp: time,
      }),
    ),
  }),
  available: z.strictObject({
    products: z.array(
      z.strictObject({
        symbol: z.string(),
        name: z.string(),
        market: z.enum(["GLOBAL", "US", "HK", "CN"]),
        type,
        currency: z.string(),
        is_active: z.boolean(),
        updated_at: z.iso.datetime(),
      }),
    ),
    summary: z.strictObject({
      total_products: z.int(),
      by_market: z.record(z.string(), z.int()),
      by_type: z.record(z.string(), z.int()),
      last_updated: z.iso.datetime(),
    }),
    pagination: z.strictObject({ limit: z.int(), offset: z.int(), total: z.int(), count: z.int() }),
  }),
};

describe("replies have the documented shape", () => {
  test.each([
    ["ticker", "/v1/market/ticker?symbols=NVDA.US,0700.HK,BTC.USDT,EURUSD.FX,XAUUSD.METAL,SPX.IDX,HSI.IDX"],
    ["kline", "/v1/market/kline?symbol=700.HK&interval=1h&limit=200"],
    ["kline", "/v1/market/kline?symbol=EURUSD.FX&interval=1M&type=forex"],
    ["depth", "/v1/market/depth?symbol=AAPL.US"],
    ["trades", "/v1/market/trades?symbol=BTC.USDT"],
    ["available", "/v1/symbols/available"],
  ] as const)("%s: %s", async (shape, path) => {
    const { envelope } = await started({ now });
    const { code, message, data } = await envelope(path);
    expect([code, message]).toEqual([0, "success"]);
    expect(shapes[shape].safeParse(data).error).toBeUndefined();
  });
});

describe("requests that get no data", () => {
  const key = { "X-API-Key": KEY };
  test.each([
    ["no key", "/v1/market/ticker?symbols=NVDA.US", {}, 401, 1002],
    ["an empty key", "/v1/market/ticker?symbols=NVDA.US", { "X-API-Key": "" }, 401, 1002],
    ["a wrong key", "/v1/market/ticker?symbols=NVDA.US", { "X-API-Key": "wrong" }, 401, 1001],
    ["no key for the list of symbols", "/v1/symbols/available", {}, 401, 1002],
    ["an unknown symbol", "/v1/market/kline?symbol=NOPE.US&interval=1h", key, 404, 2002],
    ["an unknown symbol among known ones", "/v1/market/ticker?symbols=NVDA.US,NOPE.US", key, 404, 2002],
    ["a symbol of another type", "/v1/market/ticker?symbols=NVDA.US&type=crypto", key, 404, 2002],
    ["a symbol in lower case", "/v1/market/trades?symbol=nvda.us", key, 404, 2002],
    ["the book of a currency", "/v1/market/depth?symbol=EURUSD.FX", key, 400, 2005],
    ["the book of a metal", "/v1/market/depth?symbol=XAUUSD.METAL", key, 400, 2005],
    ["the book of an index", "/v1/market/depth?symbol=HSI.IDX", key, 400, 2005],
    ["the trades of an index", "/v1/market/trades?symbol=SPX.IDX", key, 400, 2005],
    ["a missing parameter", "/v1/market/kline?symbol=NVDA.US", key, 400, 400],
    ["an interval that does not exist", "/v1/market/kline?symbol=NVDA.US&interval=1.5h", key, 400, 400],
    ["a limit of nothing", "/v1/market/depth?symbol=NVDA.US&limit=0", key, 400, 400],
    ["a limit above the greatest", "/v1/market/trades?symbol=700.HK&limit=1001", key, 400, 400],
    ["an optional parameter sent empty", "/v1/market/depth?symbol=NVDA.US&limit=", key, 400, 400],
    [
      "a time that is not in milliseconds",
      "/v1/market/kline?symbol=700.HK&interval=1d&start_time=2026-01-01",
      key,
      400,
      400,
    ],
    ["a list with repeated names", "/v1/market/ticker?symbols=NVDA.US&symbols=AAPL.US", key, 400, 400],
    ["an empty entry in a list", "/v1/market/ticker?symbols=NVDA.US,", key, 400, 400],
    ["more symbols than 50", `/v1/market/ticker?symbols=${Array(51).fill("NVDA.US").join()}`, key, 400, 400],
    [
      "a range that ends before it starts",
      "/v1/market/kline?symbol=700.HK&interval=1d&start_time=2&end_time=1",
      key,
      400,
      2003,
    ],
    ["a path that does not exist", "/v1/market/realtime?symbol=NVDA.US", key, 404, 404],
  ])("%s", async (_, path, headers, status, code) => {
    const { ask } = await started({ now });
    const reply = await ask(path, { headers });
    const body = JSON.parse(reply.text);
    expect([reply.status, body.code, body.data]).toEqual([status, code, null]);
    expect(body.message).not.toBe("");
  });
});

describe("symbols", () => {
  test("Hong Kong codes mean the same with leading zeros and come back as they were sent", async () => {
    const { envelope } = await started({ now });
    const { data } = await envelope("/v1/market/ticker?symbols=700.HK,0700.HK,00700.HK");
    const [plain, ...padded] = shapes.ticker.parse(data);
    expect(padded).toEqual([
      { ...plain, symbol: "0700.HK" },
      { ...plain, symbol: "00700.HK" },
    ]);
  });

  test.each([
    ["type=crypto", ["BTC.USDT", "ETH.USDT", "SOL.USDT"], 3],
    ["market=HK&limit=2&offset=1", ["9988.HK", "3690.HK"], 3],
    ["type=futures", [], 0],
    ["market=US&offset=99", [], 5],
  ])("are listed by %s", async (query, symbols, total) => {
    const { envelope } = await started({ now });
    const { products, pagination } = shapes.available.parse(
      (await envelope(`/v1/symbols/available?${query}`)).data,
    );
    expect(products.map(({ symbol }) => symbol)).toEqual(symbols);
    expect(pagination).toMatchObject({ total, count: symbols.length });
  });
});

describe("order books", () => {
  test.each([
    ["NVDA.US", 10, 1],
    ["0700.HK", 50, 10],
    ["BTC.USDT", 50, 10],
    ["BTC.USDT", 3, 3],
  ])("of %s, asked for %d levels, have %d", async (symbol, limit, levels) => {
    const { envelope } = await started({ now });
    const { bids, asks } = shapes.depth.parse(
      (await envelope(`/v1/market/depth?symbol=${symbol}&limit=${limit}`)).data,
    );
    expect([bids.length, asks.length]).toEqual([levels, levels]);
  });
});

describe("klines", () => {
  test("respect limit, start_time and end_time", async () => {
    const { envelope } = await started({ now });
    const start = Date.UTC(2026, 1, 2);
    const range = `start_time=${start}&end_time=${start + 10 * 3_600_000}`;
    const { data } = await envelope(`/v1/market/kline?symbol=BTC.USDT&interval=4h&limit=2&${range}`);
    expect(shapes.kline.parse(data).klines.map((kline) => kline.time)).toEqual([
      start,
      start + 4 * 3_600_000,
    ]);
  });

  test("come to 100 where no limit is given", async () => {
    const { envelope } = await started({ now });
    const { data } = await envelope("/v1/market/kline?symbol=NVDA.US&interval=1m");
    expect(shapes.kline.parse(data).klines).toHaveLength(100);
  });

  test("are the same on another server with the same seed, and others with another", async () => {
    const path = "/v1/market/kline?symbol=NVDA.US&interval=1d&limit=5";
    const replies = [5, 5, 6].map(async (seed) => (await (await started({ now, seed })).ask(path)).text);
    const [first, second, third] = await Promise.all(replies);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe("the limit per minute", () => {
  test("refuses what is over it, says when to come back, and starts afresh with the next minute", async () => {
    const minute = Date.UTC(2026, 2, 12, 3, 20);
    let time = minute + 15_400;
    const { ask } = await started({ now: () => time, requestsPerMinute: 2 });
    const path = "/v1/symbols/available?limit=1";
    expect([(await ask(path)).status, (await ask(path)).status]).toEqual([200, 200]);
    const refused = await ask(path);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, 3001]);
    expect(refused.headers.get("Retry-After")).toBe("45");
    time = minute + 60_000;
    expect((await ask(path)).status).toBe(200);
  });

  test("does not count requests with a wrong key", async () => {
    const { ask } = await started({ now, requestsPerMinute: 1 });
    const path = "/v1/symbols/available";
    await ask(path, { headers: { "X-API-Key": "wrong" } });
    expect((await ask(path)).status).toBe(200);
  });
});
