import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { ask, call, objectOf } from "./ask.ts";

const sandbox = `${inject("sandboxUrl")}/__sandbox`;

/** What was asked of the upstream since the last time, sorted. */
async function arrivals(): Promise<string[]> {
  const reply = await fetch(`${sandbox}/requests`);
  const { requests } = await reply.json<{ requests: { path: string; query: string }[] }>();
  await fetch(`${sandbox}/requests`, { method: "DELETE" });
  return requests.map(({ path, query }) => `${path}?${query}`).sort();
}

const symbol = { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] };

/** The bundled skill's upstream and credential, as an upload may name them. */
const upstream = { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" };
const authentication = { method: "api_key", header: "X-API-Key", env_variable: "TICKDB_API_KEY" };

const ticker = {
  parameters: symbol,
  request: { method: "GET", path: "/market/ticker", query: { symbols: "${symbol}" } },
  response: { data: "body.data" },
};

const skill: JsonObject = {
  upstream,
  constraints: { authentication },
  functions: [
    {
      name: "explain_move",
      description: "Words the question why a price moved, for a model.",
      parameters: {
        type: "object",
        properties: {
          symbols: { type: "array", items: { type: "string" } },
          period: { type: "string", "x-clause-key": "period_clause", "x-clause-template": " over {period}" },
        },
        required: ["symbols"],
      },
      prompt: "Why did {symbols} move{period_clause}? 请说明。",
    },
    {
      name: "kept_ticker",
      description: "Gives a price that may be a minute old.",
      cache: { ttl: "60s", scope: "shared" },
      ...ticker,
    },
    {
      name: "market_overview",
      description: "Gives the prices of several symbols and what to make of them.",
      parameters: {
        type: "object",
        properties: { symbols: { type: "array", items: { type: "string" } } },
        required: ["symbols"],
      },
      steps: [
        { id: "quotes", call: "get_realtime_price", for_each: "symbols", with: { symbol: "${item}" } },
        {
          id: "book",
          call: "get_order_book",
          when: 'symbols.exists(one, one == "BTC.USDT")',
          with: { symbol: "BTC.USDT" },
        },
        {
          id: "question",
          call: "explain_move",
          with: { symbols: "${steps.quotes.map(quote, quote.symbol)}" },
        },
      ],
      result: '{"count": size(steps.quotes), "book": steps.book != null, "question": steps.question}',
    },
    {
      name: "loop",
      description: "Calls the function that calls it back.",
      steps: [{ id: "a", call: "loop_back" }],
    },
  ],
};

const LOOP_BACK = { name: "loop_back", description: "Calls the function that called it." };

async function put(name: string, protocol: JsonObject, created = true): Promise<void> {
  const body = `---\nname: ${name}\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;
  const { status, json } = await ask(`/v1/skills/${name}`, { method: "PUT", body });
  expect([status, json]).toMatchObject([created ? 201 : 200, { stored: true, created }]);
}

beforeAll(async () => {
  await put("loops", { functions: [{ ...LOOP_BACK, compute: "1" }] });
  await put("overviews", skill);
  // What the other skill calls is a chain that calls it back only now.
  await put("loops", { functions: [{ ...LOOP_BACK, steps: [{ id: "b", call: "loop" }] }] }, false);
});
afterAll(async () => {
  for (const name of ["overviews", "loops"]) await ask(`/v1/skills/${name}`, { method: "DELETE" });
});
beforeEach(async () => {
  await fetch(`${sandbox}/faults`, { method: "DELETE" });
  await fetch(`${sandbox}/requests`, { method: "DELETE" });
});

describe("a prompt over HTTP", () => {
  test.each<[JsonObject, string]>([
    [
      { symbols: ["NVDA.US", "700.HK"], period: "two days" },
      "Why did NVDA.US, 700.HK move over two days? 请说明。",
    ],
    [{ symbols: ["NVDA.US"] }, "Why did NVDA.US move? 请说明。"],
  ])("%j is the text for a model, live and dry", async (args, text) => {
    const { json } = await call("explain_move", args);
    expect(json).toMatchObject({
      data: text,
      meta: { attempts: 0, cached: false, pages: null, steps: null },
    });
    expect((await call("explain_move", args, "?dry_run=1")).json).toMatchObject({
      data: { kind: "prompt", data: text },
    });
  });
});

describe("a chain over HTTP", () => {
  test("calls functions of other skills with their own secrets, and says what ran", async () => {
    const { status, json } = await call("market_overview", { symbols: ["NVDA.US", "700.HK"] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: { count: 2, book: false, question: "Why did NVDA.US, 700.HK move? 请说明。" },
      meta: {
        attempts: 2,
        steps: [
          { id: "quotes", function: "get_realtime_price", calls: 2, attempts: 2, skipped: false },
          { id: "book", calls: 0, attempts: 0, skipped: true },
          { id: "question", calls: 1, attempts: 0, skipped: false },
        ],
      },
    });
    expect(await arrivals()).toEqual([
      "/v1/market/ticker?symbols=700.HK",
      "/v1/market/ticker?symbols=NVDA.US",
    ]);
  });

  test("shows with dry_run the calls that need no result, and sends nothing", async () => {
    const { json } = await call("market_overview", { symbols: ["BTC.USDT"] }, "?dry_run=1");
    expect(json).toMatchObject({
      data: {
        kind: "steps",
        steps: [
          { calls: [{ kind: "request" }] },
          { calls: [{ kind: "request" }] },
          { calls: null, waits_for: ["quotes"] },
        ],
      },
    });
    expect(await arrivals()).toEqual([]);
  });

  test.each<[string, JsonValue, number, string, string]>([
    ["market_overview", { symbols: ["NVDA.US", "?"] }, 400, "INVALID_ARGUMENTS", "quotes[1]"],
    [
      "market_overview",
      { symbols: Array.from({ length: 10_000 }, () => "NVDA.US") },
      422,
      "CHAIN_REFUSED",
      "quotes",
    ],
    ["loop", {}, 422, "CHAIN_REFUSED", "a.b"],
  ])("that fails says in which step: %s", async (name, args, status, code, step) => {
    const reply = await call(name, args);
    expect([reply.status, objectOf(reply.json)]).toMatchObject([status, { error_code: code, step }]);
  });
});

describe("a function whose results are kept, over HTTP", () => {
  test("makes one request of equal calls, at the same time and later", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => call("kept_ticker", { symbol: "AAPL.US" })),
    );
    replies.push(await call("kept_ticker", { symbol: "AAPL.US" }));
    expect(new Set(replies.map(({ json }) => JSON.stringify(objectOf(json).data))).size).toBe(1);
    const kept = replies.filter(({ json }) => objectOf(objectOf(json).meta).cached === true);
    expect(kept).toHaveLength(40);
    expect(await arrivals()).toEqual(["/v1/market/ticker?symbols=AAPL.US"]);
  });
});
