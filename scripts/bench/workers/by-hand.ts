/**
 * What somebody would write for this one function: arguments validated, a timeout, the caller's leaving, the upstream's
 * envelope, the mapping and a request id. It counts no limits, guards no address and retries nothing.
 */
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import * as z from "zod/mini";

interface Bindings {
  UPSTREAM_URL: string;
  UPSTREAM_KEY: string;
}

interface Quote {
  symbol: string;
  timestamp: number;
  last_price?: number;
  bid_price?: number;
  ask_price?: number;
  volume_24h?: number;
}

const TIMEOUT_MS = 10_000;

const priceArguments = z.object({ symbol: z.string().check(z.minLength(1), z.maxLength(40)) });

const app = new Hono<{ Bindings: Bindings }>();

app.post("/v1/invoke/get_realtime_price", zValidator("json", priceArguments), async (context) => {
  const { UPSTREAM_URL, UPSTREAM_KEY } = context.env;
  const requestId = context.req.header("X-Request-ID") ?? crypto.randomUUID();
  const { symbol } = context.req.valid("json");
  const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const url = new URL(UPSTREAM_URL);
  url.searchParams.set("symbols", symbol);
  const response = await fetch(url, { headers: { "x-api-key": UPSTREAM_KEY }, signal });
  const reply: { code: number; message: string; data: Quote[] } = await response.json();
  const meta = { request_id: requestId };
  if (!response.ok || reply.code !== 0) return context.json({ error: reply.message, meta }, 502);
  const [quote] = reply.data;
  const data = quote === undefined ? null : priceOf(quote);
  return context.json({ data, meta }, 200, { "X-Request-ID": requestId });
});

function priceOf({ symbol, timestamp, last_price, bid_price, ask_price, volume_24h }: Quote) {
  const values = {
    price: last_price ?? null,
    bid: bid_price ?? null,
    ask: ask_price ?? null,
    volume: volume_24h ?? null,
  };
  return { symbol, timestamp, values };
}

export default app;
