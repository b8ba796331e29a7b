import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../scripts/sandbox/server.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { type Failure, type FailureCode, type Result, toWire } from "../../src/errors.ts";
import type { Outcome } from "../../src/invoke/index.ts";
import type { Binding, Skill } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";
import { anyOf, compiled, type Sketch } from "./compiled.ts";
import { type Setting, Surroundings } from "./surroundings.ts";

const SKILL = join(import.meta.dirname, "../../skills/tickdb-market-data/SKILL.md");
const KEY = "planted-key-7f3a";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ apiKey: KEY });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await control("/requests", "DELETE");
  await control("/faults", "DELETE");
});

async function control(path: string, method: string, body: JsonObject | null = null): Promise<void> {
  const init = body === null ? { method } : { method, body: JSON.stringify(body) };
  const { status } = await fetch(`${sandbox.url}/__sandbox${path}`, init);
  expect(status).toBe(204);
}

const TICKER = "/v1/market/ticker";

/** Gives every request for a path the fault. */
function order(fault: string, path = TICKER): Promise<void> {
  return control("/faults", "PUT", { path, fault: fault.replaceAll("SANDBOX", sandbox.url) });
}

/** The bundled skill, with changes to its text. */
function bundled(...changes: [string, string][]): Skill {
  const text = changes.reduce(
    (changed, [from, to]) => changed.replace(from, to),
    readFileSync(SKILL, "utf8"),
  );
  const options = { file: SKILL, folder: "tickdb-market-data", mayNameBaseUrlVariable: () => true };
  const { skill, diagnostics } = compileSkill(text, options);
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return skill;
}

function surroundings(skill: Skill, setting: Partial<Setting> = {}): Surroundings {
  return new Surroundings(skill, {
    baseUrl: `${sandbox.url}/v1`,
    secrets: { TICKDB_API_KEY: KEY },
    ...setting,
  });
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  return result.failure;
}

const NVIDIA = { symbol: "NVDA.US" };
const quote = bundled();

describe("a call of an upstream that is well", () => {
  test("is one request with the credential, and its result is shaped as the skill says", async () => {
    const result = await surroundings(quote).call(quote, "get_realtime_price", NVIDIA);
    expect(result).toEqual({
      ok: true,
      value: {
        attempts: 1,
        cached: false,
        stale: false,
        json: null,
        ageMs: 0,
        pages: null,
        steps: null,
        returns: { faults: [], unlisted: 0 },
        data: {
          symbol: "NVDA.US",
          timestamp: expect.any(Number),
          values: {
            price: expect.any(Number),
            bid: expect.any(Number),
            ask: expect.any(Number),
            volume: expect.any(Number),
          },
        },
      },
    });
    const { count, requests } = sandbox.requests();
    expect(count).toBe(1);
    expect(requests[0]).toMatchObject({ method: "GET", path: TICKER, query: "symbols=NVDA.US" });
    expect(requests[0]?.headerNames).toContain("x-api-key");
  });

  test("is no request for a computation, which needs neither secret nor upstream", async () => {
    const order_book = { bids: [{ size: 3 }, { size: 1 }], asks: [{ size: 2 }] };
    const alone = surroundings(quote, { secrets: {}, allow: "nowhere.test" });
    const result = await alone.call(quote, "calculate_pressure_ratio", { order_book });
    expect(result).toMatchObject({ value: { attempts: 0, data: { ratio: 2, stronger_side: "buyers" } } });
    expect(sandbox.requests().count).toBe(0);
    expect(alone.admissions).toEqual([]);
  });
});

/** Ordered of the sandbox, what becomes of the call, requests that arrive, pauses between them. */
const faults: [string, FailureCode | "success", number, number[]][] = [
  ["status=400", "UPSTREAM_REJECTED", 1, []],
  ["status=401", "UPSTREAM_REJECTED", 1, []],
  ["status=404", "UPSTREAM_REJECTED", 1, []],
  ["status=408", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["status=500", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["status=503", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["status=503,times=2", "success", 3, [500, 1_000]],
  ["status=503,retry-after=3,times=1", "success", 2, [3_000]],
  ["status=429", "UPSTREAM_RATE_LIMITED", 4, [500, 1_000, 2_000]],
  ["status=429,retry-after=2,times=3", "success", 4, [2_000, 2_000, 2_000]],
  ["status=429,retry-after=10", "UPSTREAM_RATE_LIMITED", 3, [10_000, 10_000]],
  ["status=429,retry-after=25", "UPSTREAM_RATE_LIMITED", 1, []],
  ["status=429,retry-after=soon,times=1", "success", 2, [500]],
  ["code=3001", "UPSTREAM_RATE_LIMITED", 4, [500, 1_000, 2_000]],
  ["code=5000", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["code=5001,times=1", "success", 2, [500]],
  ["code=1001", "UPSTREAM_REJECTED", 1, []],
  ["code=2002", "UPSTREAM_REJECTED", 1, []],
  ["code=9999", "UPSTREAM_REJECTED", 1, []],
  ["drop", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["drop,times=1", "success", 2, [500]],
  ["cut", "UPSTREAM_UNAVAILABLE", 4, [500, 1_000, 2_000]],
  ["empty", "UPSTREAM_UNPARSABLE", 1, []],
  ["status=204", "UPSTREAM_REJECTED", 1, []],
  ["huge=2097152", "success", 1, []],
  ["huge=2097153", "UPSTREAM_TOO_LARGE", 1, []],
  ["content-type=text/html", "success", 1, []],
  ["content-type=text/csv", "UPSTREAM_UNPARSABLE", 1, []],
  ["content-type=image/png", "UPSTREAM_UNPARSABLE", 1, []],
  ["redirect=SANDBOX/v1/market/ticker?symbols=AAPL.US,times=1", "success", 2, []],
  ["redirect=SANDBOX/v1/market/ticker", "UPSTREAM_UNPARSABLE", 4, []],
  ["redirect=http://10.0.0.1/v1", "EGRESS_DENIED", 1, []],
  ["redirect=http://169.254.169.254/latest/meta-data", "EGRESS_DENIED", 1, []],
];

/**
 * The same upstream with nothing taken out of its replies, so that every one which counts as good is data.
 */
const plain = compiled({
  parameters: { symbols: { type: "string" } },
  request: { path: "/market/ticker" },
  response: { success: "status == 200 && body.code == 0", error: { code: "body.code" } },
  upstream: { base_url_variable: "DEMO_BASE_URL" },
  constraints: {
    rate_limit: { global: { max_requests_per_minute: 60, error_code: 3001 } },
    authentication: { method: "api_key", header: "X-API-Key", env_variable: "TICKDB_API_KEY" },
    error_handling: {
      retryable_codes: [3001, 5000, 5001],
      non_retryable_codes: [1001, 2002],
      max_retries: 3,
    },
  },
});

describe("a call of an upstream with a fault", () => {
  test.each(faults)("that is %s is %s after %d requests", async (fault, code, count, pauses) => {
    await order(fault);
    const place = surroundings(plain);
    const result = await place.call(plain, "ask", { symbols: "NVDA.US" });
    expect(result.ok ? "success" : result.failure.code).toBe(code);
    expect(sandbox.requests().count).toBe(count);
    expect(place.pauses).toEqual(pauses);
    // What a redirect asks for is one more request for the upstream.
    expect([place.admissions.length, place.releases.length]).toEqual([count, 0]);
    if (result.ok) expect(result.value.attempts).toBe(count);
    else expect(JSON.stringify(toWire(result.failure, "request-1"))).not.toContain(KEY);
  });

  test.each([
    ["before the reply", "delay=600000"],
    ["in the middle of the body", "drip=600000"],
  ])("that is silence %s ends by the timeout, each time", async (_when, fault) => {
    const hasty = bundled(["timeout: 10s", "timeout: 300ms"], ["max_retries: 3", "max_retries: 1"]);
    await order(fault);
    const result = await surroundings(hasty).call(hasty, "get_realtime_price", NVIDIA);
    expect(failureOf(result)).toEqual({ code: "UPSTREAM_TIMEOUT", timeoutMs: 300 });
    expect(sandbox.requests().count).toBe(2);
  });

  test("never takes the credential to another place by a redirect", async () => {
    const elsewhere = sandbox.url.replace("127.0.0.1", "localhost");
    await order(`redirect=${elsewhere}/v1/market/kline`);
    const result = await surroundings(quote).call(quote, "get_realtime_price", NVIDIA);
    expect(failureOf(result)).toMatchObject({
      code: "UPSTREAM_REJECTED",
      upstream: { status: 401, code: "1002" },
    });
    expect(sandbox.requests().requests.map(({ headerNames }) => headerNames.includes("x-api-key"))).toEqual([
      true,
      false,
    ]);
  });
});

const POST: Sketch = {
  parameters: anyOf("a"),
  request: { method: "POST", path: "/orders" },
  upstream: { base_url_variable: "DEMO_BASE_URL", timeout: "300ms" },
};

describe("a call that may not be repeated", () => {
  test.each<[string, FailureCode]>([
    ["status=503", "UPSTREAM_UNAVAILABLE"],
    ["status=429,retry-after=1", "UPSTREAM_RATE_LIMITED"],
    ["drop", "UPSTREAM_UNAVAILABLE"],
    ["cut,status=500", "UPSTREAM_UNAVAILABLE"],
    ["delay=600000", "UPSTREAM_TIMEOUT"],
  ])("is one request whatever happens: %s", async (fault, code) => {
    const patient = fault.startsWith("delay")
      ? POST
      : { ...POST, upstream: { base_url_variable: "DEMO_BASE_URL" } };
    const skill = compiled(patient);
    await order(fault, "/v1/orders");
    const place = surroundings(skill);
    expect(failureOf(await place.call(skill, "ask", { a: 1 })).code).toBe(code);
    expect(sandbox.requests().count).toBe(1);
    expect(place.pauses).toEqual([]);
  });

  test.each<[string, string, boolean]>([
    ["broken off", "drop", true],
    ["answered with a time that is over", "status=503,retry-after=0", true],
    ["refused for now", "status=429,retry-after=0", false],
    ["refused", "status=403", false],
  ])("says that it may be done all the same where it was %s", async (_what, fault, mayBeDone) => {
    const skill = compiled({ ...POST, upstream: { base_url_variable: "DEMO_BASE_URL" } });
    await order(fault, "/v1/orders");
    const failure = failureOf(await surroundings(skill).call(skill, "ask", { a: 1 }));
    const { hint } = toWire(failure, "request-1");
    expect(/may have done it all the same/.test(hint)).toBe(mayBeDone);
  });

  test("is repeated once its skill says that it may be", async () => {
    const upstream = { base_url_variable: "DEMO_BASE_URL" };
    const skill = compiled({ ...POST, upstream, also: { annotations: { idempotent: true } } });
    await order("status=503", "/v1/orders");
    await surroundings(skill).call(skill, "ask", { a: 1 });
    expect(sandbox.requests().requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
  });
});

describe("the end of a call", () => {
  test("comes without another request where a pause ended after the deadline", async () => {
    await order("status=503");
    const place = surroundings(quote, { pause: (milliseconds) => milliseconds + 25_000 });
    expect(failureOf(await place.call(quote, "get_realtime_price", NVIDIA)).code).toBe(
      "UPSTREAM_UNAVAILABLE",
    );
    expect(sandbox.requests().count).toBe(1);
  });

  test("comes with the caller's, in a pause between two attempts", async () => {
    await order("status=503");
    const caller = new AbortController();
    const place = surroundings(quote, {
      pause: (milliseconds) => {
        caller.abort();
        return milliseconds;
      },
    });
    const result = await place.call(quote, "get_realtime_price", NVIDIA, caller.signal);
    expect(failureOf(result).code).toBe("UPSTREAM_UNAVAILABLE");
    expect([sandbox.requests().count, place.admissions.length]).toEqual([1, 1]);
    expect(place.pauses).toHaveLength(1);
  });

  test("comes with the caller's, in the middle of an attempt", async () => {
    await order("delay=600000");
    const caller = new AbortController();
    const place = surroundings(quote);
    const result = place.call(quote, "get_realtime_price", NVIDIA, caller.signal);
    await expect.poll(() => sandbox.requests().count).toBe(1);
    caller.abort();
    expect(failureOf(await result)).toMatchObject({ upstream: { message: "the caller ended the call" } });
    expect(sandbox.requests().count).toBe(1);
    expect(place.pauses).toEqual([]);
  });
});

interface Refusal {
  name: string;
  args?: JsonObject;
  setting?: Partial<Setting>;
}

describe("a call that is refused", () => {
  test.each<[FailureCode, Refusal]>([
    ["INVALID_ARGUMENTS", { name: "get_realtime_price", args: {} }],
    ["INVALID_ARGUMENTS", { name: "get_realtime_price", args: { symbol: "nvidia" } }],
    ["NOT_COVERED", { name: "get_order_book", args: { symbol: "SPX.IDX" } }],
    ["SECRET_NOT_SET", { name: "get_realtime_price", setting: { secrets: {} } }],
    ["SECRET_NOT_SET", { name: "get_realtime_price", setting: { secrets: { TICKDB_API_KEY: "" } } }],
    ["EGRESS_DENIED", { name: "get_realtime_price", setting: { allow: "*" } }],
    ["EGRESS_DENIED", { name: "get_realtime_price", setting: { baseUrl: "not a URL" } }],
  ])("with %s sends nothing and costs nothing: %j", async (code, { name, args = NVIDIA, setting = {} }) => {
    const place = surroundings(quote, setting);
    expect(failureOf(await place.call(quote, name, args)).code).toBe(code);
    expect(sandbox.requests().count).toBe(0);
    expect(place.admissions).toEqual([]);
  });

  test("by an expression of the skill sends nothing and costs nothing", async () => {
    const skill = compiled({
      parameters: { a: { type: "integer" } },
      required: ["a"],
      request: { query: { q: "${100 / a}" } },
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      constraints: { rate_limit: { global: { max_requests_per_minute: 5 } } },
    });
    const place = surroundings(skill);
    expect(failureOf(await place.call(skill, "ask", { a: 0 })).code).toBe("EXPRESSION_FAILED");
    expect([sandbox.requests().count, place.admissions.length]).toEqual([0, 0]);
  });

  test.each<[string, FailureCode]>([
    ["max_requests_per_minute", "RATE_LIMIT_EXCEEDED"],
    ["max_requests_per_day", "DAILY_QUOTA_EXCEEDED"],
  ])("by a limit (%s) sends nothing, and says when to come back", async (limit, code) => {
    const skill = compiled({
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      request: { path: "/market/ticker" },
      constraints: { rate_limit: { global: { [limit]: 2 } } },
    });
    const place = surroundings(skill);
    const codes: string[] = [];
    for (let index = 0; index < 4; index++) codes.push(failureOf(await place.call(skill, "ask", {})).code);
    expect(codes).toEqual(["UPSTREAM_REJECTED", "UPSTREAM_REJECTED", code, code]);
    expect(sandbox.requests().count).toBe(2);
    expect(place.admissions).toHaveLength(4);
    expect(failureOf(await place.call(skill, "ask", {}))).toMatchObject({
      bucket: "the upstream of demo",
      max: 2,
      retryAfterMs: expect.any(Number),
    });
  });
});

/** A request that no runtime would send, where its method has no body. */
function withBody(binding: Binding): Binding {
  if (binding.kind !== "request") return binding;
  const body = { encode: "text" as const, value: { kind: "literal" as const, value: "x" } };
  return { ...binding, request: { ...binding.request, body } };
}

describe("the limits of a call", () => {
  test("have back what a call spent of which nothing could be sent", async () => {
    const skill = compiled({
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      constraints: { rate_limit: { global: { max_requests_per_minute: 2 } } },
    });
    skill.functions = skill.functions.map((one) => ({ ...one, binding: withBody(one.binding) }));
    const place = surroundings(skill);
    for (let index = 0; index < 5; index++)
      expect(failureOf(await place.call(skill, "ask", {})).code).toBe("EGRESS_DENIED");
    expect(sandbox.requests().count).toBe(0);
    expect(place.admissions).toHaveLength(5);
    expect(place.releases).toEqual(place.admissions);
  });

  test("are asked for together, once for each request that the upstream gets", async () => {
    await order("status=503");
    const place = surroundings(quote);
    await place.call(quote, "get_realtime_price", NVIDIA);
    const host = new URL(sandbox.url).host;
    expect(place.admissions).toHaveLength(sandbox.requests().count);
    expect(place.admissions.slice(0, 1)).toEqual([
      {
        cost: 1,
        limits: [
          {
            max: 60,
            window: "minute",
            bucket: `upstream:${host}:TICKDB_API_KEY`,
            group: `upstream:${host}:TICKDB_API_KEY`,
            label: "the upstream of tickdb-market-data",
          },
          {
            max: 30,
            window: "minute",
            bucket: "function:tickdb-market-data/get_realtime_price",
            group: `upstream:${host}:TICKDB_API_KEY`,
            label: "the function get_realtime_price",
          },
        ],
      },
    ]);
  });

  test("count what the function costs, and nothing for one that is free", async () => {
    const limited = { rate_limit: { global: { max_requests_per_minute: 5 } } };
    const sketch = { upstream: { base_url_variable: "DEMO_BASE_URL" }, constraints: limited };
    for (const [cost, asked] of [
      [3, [3]],
      [0, []],
    ] as const) {
      const skill = compiled({ ...sketch, also: { cost } });
      const place = surroundings(skill);
      await place.call(skill, "ask", {});
      expect(place.admissions.map((admission) => admission.cost)).toEqual(asked);
    }
  });

  test("are only the function's own for a computation", async () => {
    const rate_limit = {
      global: { max_requests_per_minute: 5 },
      per_endpoint: { ask: { max_requests_per_minute: 2 } },
    };
    const skill = compiled({ compute: "1 + 1", constraints: { rate_limit } });
    const place = surroundings(skill);
    const results: Result<Outcome>[] = [];
    for (let index = 0; index < 3; index++) results.push(await place.call(skill, "ask", {}));
    expect(results[1]).toMatchObject({ ok: true, value: { data: 2, attempts: 0 } });
    expect(results[2]).toMatchObject({
      failure: { code: "RATE_LIMIT_EXCEEDED", bucket: "the function ask" },
    });
    expect(place.admissions[0]?.limits.map(({ bucket }) => bucket)).toEqual(["function:demo/ask"]);
  });
});

describe("the limits of a call's requests", () => {
  test("end the retries where they have no room for another request", async () => {
    await order("status=503");
    const skill = compiled({
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      request: { path: "/market/ticker" },
      constraints: {
        rate_limit: { global: { max_requests_per_minute: 2 } },
        error_handling: { max_retries: 4 },
      },
    });
    const place = surroundings(skill, { pause: () => 0 });
    expect(failureOf(await place.call(skill, "ask", {})).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(sandbox.requests().count).toBe(2);
  });

  test("of the operator's secret hold for every skill that uses it", async () => {
    const skill = compiled({
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      request: { path: "/market/ticker" },
      constraints: { authentication: { method: "bearer", env_variable: "DEMO_KEY" } },
    });
    const operatorLimits = [{ max: 2, window: "minute" }] as const;
    const place = surroundings(skill, { secrets: { DEMO_KEY: "planted" }, operatorLimits });
    const codes: string[] = [];
    for (let index = 0; index < 3; index++) codes.push(failureOf(await place.call(skill, "ask", {})).code);
    expect(codes[2]).toBe("RATE_LIMIT_EXCEEDED");
    expect(sandbox.requests().count).toBe(2);
  });

  test("count at least one for a request with a secret, whatever the skill says", async () => {
    const skill = compiled({
      upstream: { base_url_variable: "DEMO_BASE_URL" },
      constraints: { authentication: { method: "bearer", env_variable: "DEMO_KEY" } },
      also: { cost: 0 },
    });
    const operatorLimits = [{ max: 2, window: "minute" }] as const;
    const place = surroundings(skill, { secrets: { DEMO_KEY: "planted" }, operatorLimits });
    await place.call(skill, "ask", {});
    expect(place.admissions.map(({ cost }) => cost)).toEqual([1]);
  });
});
