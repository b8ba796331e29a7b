import { beforeEach, describe, expect, inject, test } from "vitest";
import type { FailureCode } from "../../src/errors.ts";
import type { JsonValue } from "../../src/json.ts";
import { ask, call, objectOf } from "./ask.ts";
import { letPass } from "./clock.ts";

const sandbox = `${inject("sandboxUrl")}/__sandbox`;

/** Gives every request for a path of the upstream the fault. */
async function order(path: string, fault: string): Promise<void> {
  const reply = await fetch(`${sandbox}/faults`, { method: "PUT", body: JSON.stringify({ path, fault }) });
  expect(reply.status).toBe(204);
}

/** The paths that were asked of the upstream since the last time. */
async function arrivals(): Promise<string[]> {
  const { requests } = await (await fetch(`${sandbox}/requests`)).json<{ requests: { path: string }[] }>();
  await fetch(`${sandbox}/requests`, { method: "DELETE" });
  return requests.map(({ path }) => path);
}

beforeEach(async () => {
  await fetch(`${sandbox}/faults`, { method: "DELETE" });
  await fetch(`${sandbox}/requests`, { method: "DELETE" });
});

const BOOK = { bids: [{ size: 3 }], asks: [{ size: 1 }, { size: 1 }] };

describe("POST /v1/invoke/:function", () => {
  test("calls the upstream and gives the result with what it took", async () => {
    const { status, json } = await ask("/v1/invoke/get_kline", {
      method: "POST",
      headers: { "X-Request-ID": "request-1" },
      body: JSON.stringify({ symbol: "NVDA.US", interval: "1d", limit: 2 }),
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: { symbol: "NVDA.US", interval: "1d", candles: [expect.any(Object), expect.any(Object)] },
      meta: {
        request_id: "request-1",
        skill: "tickdb-market-data",
        function: "get_kline",
        source: "bundled",
        attempts: 1,
        cached: false,
        stale: false,
        age_ms: 0,
        pages: null,
        page: null,
        steps: null,
        returns_faults: { count: 0, listed: [] },
        duration_ms: expect.any(Number),
      },
    });
    expect(await arrivals()).toEqual(["/v1/market/kline"]);
  });

  test("computes without an upstream", async () => {
    const { json } = await call("calculate_pressure_ratio", { order_book: BOOK });
    expect(json).toMatchObject({
      data: { ratio: 1.5, bid_size: 3, ask_size: 2, stronger_side: "buyers" },
      meta: { attempts: 0 },
    });
    expect(await arrivals()).toEqual([]);
  });

  test("shows with dry_run what would be sent, the secret by its name", async () => {
    const { status, json } = await call("get_realtime_price", { symbol: "NVDA.US" }, "?dry_run=1");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: {
        kind: "request",
        method: "GET",
        url: `${inject("sandboxUrl")}/v1/market/ticker?symbols=NVDA.US`,
        headers: expect.arrayContaining([["X-API-Key", "[secret TICKDB_API_KEY]"]]),
        query_added: [],
        body: null,
      },
      meta: { attempts: 0 },
    });
    expect(await arrivals()).toEqual([]);
  });

  test("ends in the failure that the upstream's means, after the tries that it allows", async () => {
    await order("/v1/market/depth", "status=429,retry-after=30");
    const limited = await call("get_order_book", { symbol: "BTC.USDT" });
    expect(limited.status).toBe(503);
    expect(limited.headers.get("retry-after")).toBe("30");
    expect(limited.json).toMatchObject({
      error_code: "UPSTREAM_RATE_LIMITED",
      retry_after_ms: 30_000,
      upstream: { status: 429, code: "429" },
    });
    expect(await arrivals()).toHaveLength(1);
    letPass(30_000);
    await order("/v1/market/depth", "status=503,retry-after=0,times=1");
    expect((await call("get_order_book", { symbol: "BTC.USDT" })).json).toMatchObject({
      meta: { attempts: 2 },
    });
  });

  test.each<[string, JsonValue, number, FailureCode]>([
    ["get_order_book", { symbol: "SPX.IDX" }, 422, "NOT_COVERED"],
    ["get_order_book", { symbol: "spx" }, 400, "INVALID_ARGUMENTS"],
    ["get_order_book", {}, 400, "INVALID_ARGUMENTS"],
    ["get_order_book", [], 400, "INVALID_ARGUMENTS"],
    ["get_order_book", { symbol: "BTC.USDT", typo: 1 }, 400, "INVALID_ARGUMENTS"],
    ["get_orderbook", {}, 404, "UNKNOWN_FUNCTION"],
    ["__proto__", {}, 404, "UNKNOWN_FUNCTION"],
    ["constructor", {}, 404, "UNKNOWN_FUNCTION"],
    ["toString", {}, 404, "UNKNOWN_FUNCTION"],
  ])("sends nothing for %s with %j: %d %s", async (name, args, status, code) => {
    const reply = await call(name, args);
    expect([reply.status, objectOf(reply.json).error_code]).toEqual([status, code]);
    expect(await arrivals()).toEqual([]);
  });

  test.each(["__proto__", "constructor", "toString"])(
    "refuses an argument named %s like any other",
    async (name) => {
      const args: JsonValue = JSON.parse(`{"symbol": "BTC.USDT", "${name}": 1}`);
      const { json } = await call("get_order_book", args);
      expect(json).toMatchObject({
        error_code: "INVALID_ARGUMENTS",
        details: [{ path: `/${name}`, rule: "additionalProperties", got: "1" }],
      });
    },
  );

  test("offers the function that was probably meant first", async () => {
    expect(objectOf((await call("get_orderbook", {})).json).details).toMatchObject({ 0: "get_order_book" });
  });
});

describe("the body of a call", () => {
  function send(body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}) {
    return ask("/v1/invoke/calculate_pressure_ratio", { method: "POST", body, headers });
  }

  test.each(["", "  \n"])("may be blank where no argument is needed: %j", async (body) => {
    const { json } = await ask("/v1/invoke/get_order_book?dry_run=1", { method: "POST", body });
    expect(json).toMatchObject({
      error_code: "INVALID_ARGUMENTS",
      details: [{ path: "/symbol", rule: "required" }],
    });
  });

  test("may begin with a byte order mark and have no label", async () => {
    const body = new TextEncoder().encode(`\ufeff${JSON.stringify({ order_book: BOOK })}`);
    expect((await send(body)).status).toBe(200);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ["is not JSON", "{symbol: 1}", /^The body is not valid JSON\.$/],
    ["is cut off", '{"order_book":', /^The body is not valid JSON\.$/],
    ["is a form", "symbol=NVDA.US", /^The body is not valid JSON\.$/],
    ["is not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), /^The body is not UTF-8 text\.$/],
    ["ends within a character", new Uint8Array([0x22, 0xe6, 0xbd]), /^The body is not UTF-8 text\.$/],
    [
      "is nested too deep",
      `${"[".repeat(65)}${"]".repeat(65)}`,
      /^The body is nested deeper than 64 levels\.$/,
    ],
    ["is nested without end", "[".repeat(200_000), /^The body is not valid JSON\.$/],
  ])("is refused where it %s", async (_what, body, message) => {
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: expect.stringMatching(message), error_code: "INVALID_REQUEST" });
  });

  test.each<[string, () => string | ReadableStream]>([
    ["at once", () => " ".repeat(262_145)],
    ["bit by bit, without its length", () => inPieces()],
  ])("is refused where it is too large: %s", async (_how, body) => {
    const { status, json } = await send(body());
    expect(status).toBe(413);
    expect(json).toMatchObject({
      error: "The body is larger than the 262144 bytes allowed.",
      error_code: "PAYLOAD_TOO_LARGE",
    });
  });

  test("may have as many bytes as are allowed", async () => {
    const args = JSON.stringify({ order_book: BOOK });
    expect((await send(args.padEnd(262_144))).status).toBe(200);
  });

  test("is not rounded: a number that JSON readers would change is refused where a number is wanted", async () => {
    const { status, json } = await send(`{"order_book": {"bids": [{"size": 9007199254740993}], "asks": []}}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error_code: "INVALID_ARGUMENTS",
      details: [
        {
          path: "/order_book/bids/0/size",
          expected: "number of at most 15 digits, 9.00719925474099e+15: further ones would be lost",
          got: "9007199254740993",
        },
      ],
    });
  });

  test("may hold what models make of arguments", async () => {
    const given = { order_book: JSON.stringify(BOOK), depth: "1" };
    expect((await send(JSON.stringify(given))).json).toMatchObject({ data: { bid_size: 3, ask_size: 1 } });
  });
});

/** As many blanks as are allowed and one more, in pieces. */
function inPieces(): ReadableStream {
  const pieces = [65_536, 65_536, 65_536, 65_536, 1].map((length) => new Uint8Array(length).fill(32));
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}
