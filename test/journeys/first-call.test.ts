import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type StartedGateway, startGateway } from "./started.ts";

let gateway: StartedGateway;
let sandboxUrl = "";

beforeAll(async () => {
  gateway = await startGateway(inject("evidence"));
  sandboxUrl = /sandbox on (http:\/\/127\.0\.0\.1:\d+)/.exec(gateway.output())?.[1] ?? "";
});
afterAll(async () => {
  await gateway.stop();
});

interface Reply<Body> {
  status: number;
  headers: Headers;
  json: Body;
}

interface Invoked<Data> {
  data: Data;
  meta: { skill: string; source: string; attempts: number };
}

interface Price {
  symbol: string;
  values: Record<string, number>;
}

interface Level {
  price: number;
  size: number;
}

interface Pressure {
  ratio: number;
  bid_size: number;
}

interface Refused {
  error_code: string;
  retryable: boolean;
  retry_after_ms: number;
  details: unknown[];
}

interface Listed {
  skills: { name: string; source: string; overrides: boolean }[];
}

/** Where the skill of these tests comes from, by the index. */
async function listed(): Promise<Listed["skills"][number] | undefined> {
  return (await call<Listed>("GET", "/v1/skills")).json.skills.find(({ name }) => name === SKILL);
}

async function call<Body>(method: string, path: string, body?: string): Promise<Reply<Body>> {
  const response = await fetch(gateway.url + path, { method, ...(body === undefined ? {} : { body }) });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Body };
}

function invoke<Body>(name: string, args: unknown): Promise<Reply<Body>> {
  return call("POST", `/v1/invoke/${name}`, JSON.stringify(args));
}

function tools<Tool>(format: string): Promise<Reply<{ tools: Tool[] }>> {
  return call("GET", `/v1/tools?format=${format}&skills=${SKILL}`);
}

const SKILL = "tickdb-market-data";
const FUNCTIONS = [
  "get_realtime_price",
  "get_order_book",
  "get_kline",
  "get_recent_trades",
  "calculate_pressure_ratio",
];

async function upstreamRequests(): Promise<number> {
  const response = await fetch(`${sandboxUrl}/__sandbox/requests`);
  const { count } = (await response.json()) as { count: number };
  return count;
}

describe("a fresh start", () => {
  test("prints where it listens and four lines to paste, each of which works", async () => {
    const lines = gateway.output().match(/^ {2}curl .*$/gm) ?? [];
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      const url = /http:\/\/[^\s']+/.exec(line)?.[0] ?? "";
      const body = / -d '(.*)'/.exec(line)?.[1];
      const response = await fetch(url, body === undefined ? {} : { method: "POST", body });
      expect([200, 422]).toContain(response.status);
    }
  });

  test("prints no warning and no error", () => {
    expect(gateway.output()).not.toMatch(/warn|error|fail/i);
  });
});

describe("tools", () => {
  test("in the format of OpenAI are functions with parameters", async () => {
    const { json } = await tools<{ type: string; function: { name: string; parameters: object } }>("openai");
    expect(json.tools.map((tool) => tool.function.name)).toEqual(FUNCTIONS);
    expect(json.tools[0]).toMatchObject({
      type: "function",
      function: { parameters: { required: ["symbol"] } },
    });
  });

  test.each([
    ["anthropic", "input_schema"],
    ["mcp", "inputSchema"],
  ])("in the format %s carry their schema as %s", async (format, key) => {
    const { json } = await tools<{ name: string }>(format);
    expect(json.tools.map(({ name }) => name)).toEqual(FUNCTIONS);
    expect(json.tools[0]).toHaveProperty(`${key}.properties.symbol.pattern`);
  });

  test("in the format of Gemini stand in one tool's functionDeclarations", async () => {
    const { json } = await tools<{ functionDeclarations: { name: string }[] }>("gemini");
    expect(json.tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name))).toEqual(
      FUNCTIONS,
    );
    expect(json.tools).toHaveLength(1);
  });
});

describe("calls", () => {
  test("a price comes back as the fields that were asked for", async () => {
    const asked = { symbol: "NVDA.US", fields: ["price", "high"] };
    const { status, json } = await invoke<Invoked<Price>>("get_realtime_price", asked);
    expect(status).toBe(200);
    expect(json.data.symbol).toBe("NVDA.US");
    expect(Object.keys(json.data.values)).toEqual(["price", "high"]);
    expect(json.data.values.high).toBeGreaterThanOrEqual(json.data.values.price ?? Number.NaN);
    expect(json.meta).toMatchObject({ skill: "tickdb-market-data", source: "bundled", attempts: 1 });
  });

  test("a wrong argument is named with path, rule, what was expected and what was got", async () => {
    const { status, json } = await invoke<Refused>("get_realtime_price", { symbol: "nvda" });
    expect(status).toBe(400);
    expect(json.error_code).toBe("INVALID_ARGUMENTS");
    expect(json.details).toEqual([
      {
        path: "/symbol",
        rule: "pattern",
        expected: expect.stringContaining("^[A-Z0-9]+\\.[A-Z]+$"),
        got: '"nvda"',
      },
    ]);
  });

  test("the order book of an index does not exist, and nobody is asked for it", async () => {
    const before = await upstreamRequests();
    const { status, json } = await invoke<Refused>("get_order_book", { symbol: "SPX.IDX" });
    expect(status).toBe(422);
    expect(json.error_code).toBe("NOT_COVERED");
    expect(await upstreamRequests()).toBe(before);
  });

  test("an order book goes straight into the computation over it", async () => {
    const asked = { symbol: "700.HK", depth: 3 };
    const book = await invoke<Invoked<{ bids: Level[]; asks: Level[] }>>("get_order_book", asked);
    const given = { order_book: book.json.data, depth: 3 };
    const { json } = await invoke<Invoked<Pressure>>("calculate_pressure_ratio", given);
    const total = (levels: Level[]): number => levels.reduce((sum, { size }) => sum + size, 0);
    expect(json.data.bid_size).toBe(total(book.json.data.bids));
    expect(json.data.ratio).toBeCloseTo(total(book.json.data.bids) / total(book.json.data.asks));
    expect(json.meta.attempts).toBe(0);
  });

  test("an unknown symbol is the upstream's refusal, not a made-up result", async () => {
    const { status, json } = await invoke<Refused>("get_realtime_price", { symbol: "NOPE.US" });
    expect(status).toBe(502);
    expect(json).toMatchObject({ error_code: "UPSTREAM_REJECTED", upstream: { code: "2002" } });
  });
});

describe("a user skill", () => {
  const mine = `---
name: tickdb-market-data
description: A replacement that only says what it was given.
---
\`\`\`yaml
functions:
  - name: get_realtime_price
    description: Says the symbol back.
    parameters: {type: object, properties: {symbol: {type: string}}, required: [symbol]}
    compute: '"mine: " + symbol'
\`\`\`
`;

  test("stands ahead of the bundled one on the very next request, and gives way when it is deleted", async () => {
    expect((await call("PUT", "/v1/skills/tickdb-market-data", mine)).status).toBe(201);
    expect(await listed()).toMatchObject({ source: "user", overrides: true });
    expect((await tools("openai")).json.tools).toHaveLength(1);
    expect((await invoke("get_realtime_price", { symbol: "x" })).json).toMatchObject({ data: "mine: x" });
    expect((await call("DELETE", "/v1/skills/tickdb-market-data")).json).toMatchObject({ now: "bundled" });
    expect((await tools("openai")).json.tools).toHaveLength(5);
    const again = await invoke("get_realtime_price", { symbol: "AAPL.US" });
    expect(again.json).toMatchObject({ data: { symbol: "AAPL.US" }, meta: { source: "bundled" } });
  });

  test("with faults is refused, each with its place, and changes nothing", async () => {
    const faulty = mine.replace('"mine: " + symbol', '"mine: " + symbl');
    const { status, json } = await call<Refused>("PUT", "/v1/skills/tickdb-market-data", faulty);
    expect(status).toBe(422);
    expect(json.details).toEqual([
      expect.objectContaining({ code: "expression-invalid", line: 10, column: 26 }),
    ]);
    expect(await listed()).toMatchObject({ source: "bundled" });
  });
});

describe("limits", () => {
  test("the 31st call of a function within a minute is refused, with the time to wait", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => invoke<Refused>("get_realtime_price", { symbol: "AAPL.US" })),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const { headers, json } of refused) {
      expect(json).toMatchObject({ error_code: "RATE_LIMIT_EXCEEDED", retryable: true });
      expect(Number(headers.get("Retry-After"))).toBe(Math.ceil(json.retry_after_ms / 1000));
      expect(json.retry_after_ms).toBeGreaterThan(0);
      expect(json.retry_after_ms).toBeLessThanOrEqual(120_000);
    }
  });
});
