import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { ask, call, listOf, objectOf } from "./ask.ts";
import { letPass } from "./clock.ts";
import { arrivals, calm, order, put } from "./upstream.ts";

const upstream = { base_url: "https://api.frankfurter.dev/v1", base_url_variable: "FRANKFURTER_BASE_URL" };
const RATES = "/frankfurter/v1/latest";

const rates = {
  description: "Gives rates as they come.",
  request: { method: "GET", path: "/latest" },
};

function computed(name: string): JsonObject {
  return { name, description: "Gives one, at no cost to anybody.", compute: "1" };
}

const SKILLS = ["limited", "wary"];

beforeAll(async () => {
  await put("limited", {
    functions: [
      computed("ten_a_minute"),
      computed("two_a_day"),
      computed("without_limit"),
      { ...computed("too_dear"), cost: 100 },
    ],
    constraints: {
      rate_limit: {
        time_zone: "Asia/Shanghai",
        per_endpoint: {
          ten_a_minute: { max_requests_per_minute: 10 },
          too_dear: { max_requests_per_minute: 10 },
          two_a_day: { max_requests_per_day: 2 },
        },
      },
    },
  });
  await put("wary", {
    upstream,
    functions: [
      { name: "wary_rates", ...rates },
      { name: "kept_rates", cache: { ttl: "60s" }, ...rates },
      { name: "other_rates", ...rates },
    ],
    constraints: {
      rate_limit: {
        global: { max_requests_per_minute: 5 },
        per_endpoint: { wary_rates: { max_requests_per_minute: 2 } },
      },
      error_handling: { max_retries: 0 },
    },
  });
});
afterAll(async () => {
  await calm();
  for (const name of SKILLS) await ask(`/v1/skills/${name}`, { method: "DELETE" });
});
beforeEach(async () => {
  await calm();
  // Whatever was counted in a minute, or asked to wait for.
  letPass(2 * 60 * 60_000);
});

async function stateOf(name: string): Promise<JsonObject> {
  const { limits } = objectOf((await ask("/v1/limits")).json);
  const found = listOf(limits)
    .map(objectOf)
    .find((limit) => limit.name === name);
  return objectOf(found);
}

describe("limits over HTTP", () => {
  test("admit exactly 10 of 50 calls at once against a limit of 10", async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => call("ten_a_minute", {})));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test("tell with every call how they stand, admitted or refused", async () => {
    const { headers } = await call("ten_a_minute", {});
    const policy = '"function:limited/ten_a_minute:operator/minute"';
    expect(headers.get("ratelimit-policy")).toBe(`${policy};q=10;w=60`);
    expect(headers.get("ratelimit")).toMatch(new RegExp(`^${policy};r=9;t=\\d{2,3}$`));
    for (let count = 0; count < 9; count += 1) await call("ten_a_minute", {});
    const refused = await call("ten_a_minute", {});
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(refused.json).toMatchObject({ error_code: "RATE_LIMIT_EXCEEDED", retryable: true });
    expect(refused.headers.get("ratelimit")).toBe(`${policy};r=0;t=${retryAfter}`);
  });

  test("tell with a message of calls how they stand after all of them", async () => {
    const calls = ["a", "b"].map((id) => ({
      id,
      type: "function",
      function: { name: "ten_a_minute", arguments: "{}" },
    }));
    const body = JSON.stringify({ role: "assistant", content: null, tool_calls: calls });
    const { status, headers } = await ask("/v1/calls?format=openai", { method: "POST", body });
    const policy = '"function:limited/ten_a_minute:operator/minute"';
    expect([status, headers.get("ratelimit-policy")]).toEqual([200, `${policy};q=10;w=60`]);
    expect(headers.get("ratelimit")).toMatch(new RegExp(`^${policy};r=8;t=\\d{2,3}$`));
  });

  test("are not told with a call that is refused before it meets any", async () => {
    const { status, headers } = await call("ten_a_minute", { unknown: 1 });
    expect([status, headers.get("ratelimit")]).toEqual([400, null]);
  });

  test("are not to be waited for by a call that costs more than they ever allow", async () => {
    const { status, headers, json } = await call("too_dear", {});
    expect([status, headers.get("retry-after")]).toEqual([429, null]);
    expect(json).toMatchObject({
      error_code: "RATE_LIMIT_EXCEEDED",
      retryable: false,
      retry_after_ms: null,
      error: "One such call costs more than the limit of 10 a minute for the function too_dear ever allows.",
    });
  });

  test("let the call in again after Retry-After, and not a second before", async () => {
    for (let count = 0; count < 10; count += 1) await call("ten_a_minute", {});
    const refused = await call("ten_a_minute", {});
    const waitMs = Number(refused.headers.get("retry-after")) * 1_000;
    letPass(waitMs - 2_000);
    expect((await call("ten_a_minute", {})).status).toBe(429);
    letPass(2_000);
    expect((await call("ten_a_minute", {})).status).toBe(200);
  });

  test("say of a day's quota when it is back, by the clock of its zone", async () => {
    for (let count = 0; count < 2; count += 1) await call("two_a_day", {});
    const { status, json } = await call("two_a_day", {});
    expect(status).toBe(429);
    expect(json).toMatchObject({
      error_code: "DAILY_QUOTA_EXCEEDED",
      retryable: false,
      error: expect.stringMatching(
        /^Today's quota of 2 for the function two_a_day is used up; the next day begins at \d{4}-\d\d-\d\d 00:00 \(Asia\/Shanghai\)\.$/,
      ),
    });
    letPass(Number(objectOf(json).retry_after_ms));
    expect((await call("two_a_day", {})).status).toBe(200);
  });

  test("are not told where there are none", async () => {
    const { headers } = await call("without_limit", {});
    expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
  });

  test("cost a call that one of them refuses nothing with the others", async () => {
    for (let count = 0; count < 4; count += 1) await call("wary_rates", {});
    expect(await stateOf("function:wary/wary_rates:operator/minute")).toMatchObject({
      max: 2,
      used: 2,
      left: 0,
    });
    expect((await call("other_rates", {})).headers.get("ratelimit")).toMatch(/;r=2;t=\d+$/);
  });

  test("cost a result that was kept nothing at the upstream's", async () => {
    await call("kept_rates", {});
    const again = await call("kept_rates", {});
    expect(again.json).toMatchObject({ meta: { cached: true } });
    expect((await call("other_rates", {})).headers.get("ratelimit")).toMatch(/;r=3;t=\d+$/);
  });
});

describe("GET /v1/limits", () => {
  test("lists every limit once, with what is used, left and when it is free again", async () => {
    await call("two_a_day", {});
    const limits = listOf(objectOf((await ask("/v1/limits")).json).limits).map(objectOf);
    const names = limits.map(({ name, max }) => `${name} ${max}`);
    expect(new Set(names).size).toBe(names.length);
    expect(limits).toContainEqual({
      name: "function:limited/two_a_day:operator/day@Asia/Shanghai",
      label: "the function two_a_day",
      window: "day",
      time_zone: "Asia/Shanghai",
      max: 2,
      used: expect.any(Number),
      left: expect.any(Number),
      reset_ms: expect.any(Number),
    });
    expect(limits).toContainEqual(
      expect.objectContaining({ label: "the upstream of tickdb-market-data", max: 60 }),
    );
  });
});

describe("an upstream's own 429", () => {
  test("closes its bucket until then: later calls send nothing, cost nothing and say so", async () => {
    await order(RATES, "status=429,retry-after=40");
    await call("wary_rates", {});
    await calm();
    const refused = await call("other_rates", {});
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({
      error_code: "UPSTREAM_RATE_LIMITED",
      retryable: true,
      error: expect.stringContaining("it refused an earlier call"),
    });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(40);
    expect(await arrivals()).toEqual([]);
    letPass(40_000);
    const admitted = await call("other_rates", {});
    expect(admitted.status).toBe(200);
    expect(admitted.headers.get("ratelimit")).toMatch(/;r=3;t=\d+$/);
  });

  test("closes it for an hour at most, whatever it says", async () => {
    await order(RATES, "status=429,retry-after=86400");
    await call("wary_rates", {});
    await calm();
    letPass(60 * 60_000 - 5_000);
    expect((await call("other_rates", {})).status).toBe(503);
    letPass(5_000);
    expect((await call("other_rates", {})).status).toBe(200);
  });

  test("is waited for by the very call that got it, which is then let through", async () => {
    await put("patient", {
      upstream,
      functions: [{ name: "patient_rates", ...rates }],
      constraints: {
        rate_limit: { global: { max_requests_per_minute: 50 } },
        error_handling: { max_retries: 1 },
      },
    });
    await order(RATES, "status=429,retry-after=1,times=1");
    const { status, json } = await call("patient_rates", {});
    await ask("/v1/skills/patient", { method: "DELETE" });
    expect([status, json]).toMatchObject([200, { meta: { attempts: 2 } }]);
  });
});
