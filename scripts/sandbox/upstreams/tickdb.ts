/**
 * TickDB's market data API: the paths, parameters, limits and shapes of its OpenAPI document (1.0.2). The
 * document leaves errors open; what is chosen here is said at `refusals`.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { decimalText } from "../market/decimal.ts";
import {
  amountText,
  findInstrument,
  type Instrument,
  instruments,
  priceText,
  quantityText,
} from "../market/instruments.ts";
import { type Interval, intervals } from "../market/intervals.ts";
import type { Candle, Level, Market } from "../market/market.ts";
import { perMinute } from "../rate-limit.ts";
import type { Upstream, UpstreamSetting } from "./upstream.ts";

export const tickdb: Upstream = {
  name: "tickdb",
  basePath: "/",
  baseUrls: { TICKDB_BASE_URL: "/v1" },
  keyVariable: "TICKDB_API_KEY",
  create: createTickdb,
};

/**
 * How a request that gets no data is answered. The OpenAPI document shows one such answer, the 400; the codes from
 * 1001 to 3001 are those that clients of TickDB act on, with the status that says the same in HTTP. There is no
 * known code for data that a kind of symbol does not have: 2005, which TickDB does not use, stands in.
 */
const refusals = {
  keyMissing: { status: 401, code: 1002, message: "API key required" },
  keyWrong: { status: 401, code: 1001, message: "Invalid API key" },
  invalidParameters: { status: 400, code: 400, message: "Invalid parameters" },
  unknownSymbol: { status: 404, code: 2002, message: "Symbol not found" },
  invalidTimeRange: { status: 400, code: 2003, message: "Invalid time range" },
  notCovered: { status: 400, code: 2005, message: "Not supported for this type of symbol" },
  rateLimited: { status: 429, code: 3001, message: "Rate limit exceeded" },
} as const;

type Refusal = keyof typeof refusals;
type Answer = { data: JsonValue } | { refusal: Refusal; about?: string };

/** What an endpoint answers from. */
interface Desk {
  market: Market;
  time: number;
}

type Endpoint = (parameters: Record<string, string[]>, desk: Desk) => Answer;

const types = ["stock", "indices", "crypto", "forex", "futures"] as const;
const intervalNames = Object.keys(intervals).filter((name): name is Interval => name in intervals);
const MAX_TIME = 8.64e15;

const symbol = z.string().min(1);
const type = z.enum(types).optional();
const time = wholeNumber(0, MAX_TIME).optional();

const endpoints = new Map<string, Endpoint>([
  [
    "/v1/market/ticker",
    endpoint({ symbols: z.string().transform(splitList).pipe(z.array(symbol).max(50)), type }, ticker),
  ],
  [
    "/v1/market/kline",
    endpoint(
      {
        symbol,
        type,
        interval: z.enum(intervalNames),
        limit: wholeNumber(1, 1000).default(100),
        start_time: time,
        end_time: time,
      },
      kline,
    ),
  ],
  ["/v1/market/depth", endpoint({ symbol, type, limit: wholeNumber(1, 50).default(10) }, depth)],
  ["/v1/market/trades", endpoint({ symbol, type, limit: wholeNumber(1, 1000).default(100) }, trades)],
  [
    "/v1/symbols/available",
    endpoint(
      {
        type,
        market: z.enum(["GLOBAL", "US", "HK", "CN"]).optional(),
        limit: wholeNumber(1, 1000).default(100),
        offset: wholeNumber(0, 1_000_000).default(0),
      },
      available,
    ),
  ],
]);

function createTickdb(setting: UpstreamSetting): Hono {
  const app = new Hono();
  app.use("/v1/*", admission(setting));
  for (const [path, answer] of endpoints) {
    app.get(path, (c) => reply(c, answer(c.req.queries(), { market: setting.market, time: setting.now() })));
  }
  return app;
}

/** Lets a request pass that has the key and is within the limit; only such requests are counted. */
function admission({ apiKey, requestsPerMinute, now }: UpstreamSetting): MiddlewareHandler {
  const count = perMinute(requestsPerMinute, now);
  return async (c, next) => {
    const key = c.req.header("X-API-Key");
    if (key === undefined || key === "") return reply(c, { refusal: "keyMissing" });
    if (key !== apiKey) return reply(c, { refusal: "keyWrong" });
    const retryAfter = count(key);
    if (retryAfter === null) return next();
    c.header("Retry-After", String(retryAfter));
    return reply(c, { refusal: "rateLimited" });
  };
}

function reply(c: Context, answer: Answer): Response {
  if ("data" in answer) return c.json({ code: 0, message: "success", data: answer.data });
  const { status, code, message } = refusals[answer.refusal];
  return c.json(
    { code, message: answer.about === undefined ? message : `${message}: ${answer.about}`, data: null },
    status,
  );
}

/** An endpoint that answers only well-formed queries. Parameters it does not know are ignored, as usual. */
function endpoint<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer: (query: z.output<z.ZodObject<Shape>>, desk: Desk) => Answer,
): Endpoint {
  const schema = z.object(shape);
  return (parameters, desk) => {
    const repeated = Object.keys(shape).find((name) => (parameters[name]?.length ?? 0) > 1);
    if (repeated !== undefined)
      return { refusal: "invalidParameters", about: `${repeated} is given more than once` };
    const query = schema.safeParse(
      Object.fromEntries(Object.entries(parameters).map(([name, [value]]) => [name, value])),
    );
    if (query.success) return answer(query.data, desk);
    const [issue] = query.error.issues;
    return { refusal: "invalidParameters", about: `${issue?.path.join(".")}: ${issue?.message}` };
  };
}

/** The instrument of a symbol, where its type is the one that was asked for, if any was. */
function listed(symbol: string, type: string | undefined): Instrument | undefined {
  const instrument = findInstrument(symbol);
  return type === undefined || instrument?.type === type ? instrument : undefined;
}

function ticker(
  { symbols, type }: { symbols: string[]; type?: string | undefined },
  { market, time }: Desk,
): Answer {
  const data: JsonObject[] = [];
  for (const symbol of symbols) {
    const instrument = listed(symbol, type);
    if (instrument === undefined) return { refusal: "unknownSymbol", about: symbol };
    data.push(tickerRow(symbol, instrument, market, time));
  }
  return { data };
}

function tickerRow(symbol: string, instrument: Instrument, market: Market, now: number): JsonObject {
  const { day, bid, ask, time } = market.ticker(instrument, now);
  const change = day.close - day.open;
  const quote = { bid_price: priceText(instrument, bid), ask_price: priceText(instrument, ask) };
  return {
    symbol,
    name: instrument.name,
    type: instrument.type,
    last_price: priceText(instrument, day.close),
    ...(instrument.quoted ? quote : {}),
    volume_24h: quantityText(instrument, day.volume),
    high_24h: priceText(instrument, day.high),
    low_24h: priceText(instrument, day.low),
    price_change_24h: priceText(instrument, change),
    price_change_percent_24h: decimalText(Math.round((change / day.open) * 10_000), 2),
    timestamp: time,
  };
}

interface KlineQuery {
  symbol: string;
  type?: string | undefined;
  interval: Interval;
  limit: number;
  start_time?: number | undefined;
  end_time?: number | undefined;
}

function kline(query: KlineQuery, { market, time }: Desk): Answer {
  const { symbol, type, interval, limit, start_time: startTime, end_time: endTime } = query;
  const instrument = listed(symbol, type);
  if (instrument === undefined) return { refusal: "unknownSymbol", about: symbol };
  if (startTime !== undefined && endTime !== undefined && startTime > endTime)
    return { refusal: "invalidTimeRange" };
  const candles = market.candles(instrument, { interval, limit, startTime, endTime, now: time });
  const klines = candles.map((candle) => klineRow(instrument, candle));
  return { data: { symbol, type: instrument.type, interval, klines } };
}

function klineRow(instrument: Instrument, { time, open, high, low, close, volume }: Candle): JsonObject {
  return {
    time,
    open: priceText(instrument, open),
    high: priceText(instrument, high),
    low: priceText(instrument, low),
    close: priceText(instrument, close),
    volume: quantityText(instrument, volume),
    quote_volume: amountText(instrument, volume, (open + high + low + close) / 4),
  };
}

interface SymbolQuery {
  symbol: string;
  type?: string | undefined;
  limit: number;
}

function depth({ symbol, type, limit }: SymbolQuery, { market, time }: Desk): Answer {
  const instrument = listed(symbol, type);
  if (instrument === undefined) return { refusal: "unknownSymbol", about: symbol };
  if (instrument.depthLevels === 0) return { refusal: "notCovered", about: symbol };
  const book = market.book(instrument, Math.min(limit, instrument.depthLevels), time);
  const row = ({ price, quantity }: Level): string[] => [
    priceText(instrument, price),
    quantityText(instrument, quantity),
  ];
  return {
    data: {
      symbol,
      type: instrument.type,
      timestamp: book.time,
      bids: book.bids.map(row),
      asks: book.asks.map(row),
    },
  };
}

function trades({ symbol, type, limit }: SymbolQuery, { market, time }: Desk): Answer {
  const instrument = listed(symbol, type);
  if (instrument === undefined) return { refusal: "unknownSymbol", about: symbol };
  if (instrument.depthLevels === 0) return { refusal: "notCovered", about: symbol };
  const rows = market.trades(instrument, limit, time).map((trade) => ({
    id: `${trade.time}_${trade.index}`,
    price: priceText(instrument, trade.price),
    quantity: quantityText(instrument, trade.quantity),
    side: trade.side,
    timestamp: trade.time,
  }));
  return { data: { symbol, type: instrument.type, trades: rows } };
}

interface AvailableQuery {
  type?: string | undefined;
  market?: string | undefined;
  limit: number;
  offset: number;
}

function available({ type, market, limit, offset }: AvailableQuery, { time }: Desk): Answer {
  const updated = `${new Date(time).toISOString().slice(0, 10)}T00:00:00Z`;
  const matching = instruments.filter(
    (instrument) =>
      (type === undefined || instrument.type === type) &&
      (market === undefined || instrument.market === market),
  );
  const products = matching.slice(offset, offset + limit).map(({ symbol, name, market, type, currency }) => ({
    symbol,
    name,
    market,
    type,
    currency,
    is_active: true,
    updated_at: updated,
  }));
  const summary = {
    total_products: instruments.length,
    by_market: countedBy(({ market }) => market),
    by_type: countedBy(({ type }) => type),
    last_updated: updated,
  };
  return {
    data: {
      products,
      summary,
      pagination: { limit, offset, total: matching.length, count: products.length },
    },
  };
}

function countedBy(key: (instrument: Instrument) => string): JsonObject {
  const groups = Map.groupBy(instruments, key);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]));
}

function splitList(text: string): string[] {
  return text.split(",");
}

function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));
}
