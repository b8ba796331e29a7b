import { describe, expect, test } from "vitest";
import { createApp } from "../../src/http/index.ts";
import { operations } from "../../src/http/operations.ts";
import { FRESHNESS_MS, Place, putSkill, recordOf } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

/** The interface over a store with some skills of the caller's own, which an isolate has not read yet. */
async function started(...own: string[]) {
  const place = new Place();
  const writer = place.isolate();
  for (const name of own) await place.time.until(putSkill(writer, await recordOf(name)));
  place.storage.take();
  const gateway = await gatewayOver(place.isolate());
  const app = createApp(gateway);
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(text) : null,
    };
  };
  return { place, gateway, app, ask };
}

const DRY_RUN: [string, RequestInit] = [
  "/v1/invoke/get_kline?dry_run=1",
  { method: "POST", body: '{"symbol":"NVDA.US"}' },
];

describe("what a request costs the store", () => {
  test.each<[string, string[], string, RequestInit, string[]]>([
    ["health", ["a"], "/health", {}, []],
    ["the description", ["a"], "/openapi.json", {}, []],
    ["the index", ["a", "b"], "/v1/skills", {}, ["get index:t changed:t"]],
    ["a page of the index", ["a", "b"], "/v1/skills?limit=1&max_chars=1000", {}, ["get index:t changed:t"]],
    ["a search", ["a", "b"], "/v1/skills?q=price", {}, ["get index:t changed:t"]],
    ["a section of one's own skill", ["a"], "/v1/skills/a?section=none", {}, ["get skill:t:a"]],
    ["tools, bundled only", [], "/v1/tools?format=openai", {}, ["get index:t changed:t"]],
    [
      "some tools, bundled only",
      [],
      "/v1/tools?format=openai&functions=get_kline",
      {},
      ["get index:t changed:t"],
    ],
    [
      "tools with one's own",
      ["a", "b"],
      "/v1/tools?format=openai",
      {},
      ["get index:t changed:t", "get skill:t:a skill:t:b"],
    ],
    ["a prompt, bundled only", [], "/v1/prompt", {}, ["get index:t changed:t"]],
    [
      "a prompt with one's own",
      ["a", "b"],
      "/v1/prompt?lang=zh",
      {},
      ["get index:t changed:t", "get skill:t:a skill:t:b"],
    ],
    ["a bundled function", ["a"], ...DRY_RUN, ["get index:t changed:t"]],
    ["a bundled skill", ["a"], "/v1/skills/tickdb-market-data", {}, ["get skill:t:tickdb-market-data"]],
    ["a skill of one's own", ["a"], "/v1/skills/a", {}, ["get skill:t:a"]],
    ["an unknown skill", ["a"], "/v1/skills/none", {}, ["get skill:t:none", "get index:t changed:t"]],
    ["an unknown function", ["a"], "/v1/invoke/none", { method: "POST" }, ["get index:t changed:t"]],
    ["an unknown route", ["a"], "/v1/none", {}, []],
  ])(
    "%s: with %j, %s %j reads %j, and nothing more within a window",
    async (_what, own, path, init, reads) => {
      const { place, ask } = await started(...own);
      for (const expected of [reads, [], []]) {
        await ask(path, init);
        expect(place.storage.take()).toEqual(expected);
      }
      place.time.jump(FRESHNESS_MS);
      await ask(path, init);
      // What the index says did not change is not read again.
      expect(place.storage.take()).toEqual(reads.filter((read) => read !== "get skill:t:a skill:t:b"));
    },
  );
});

describe("a fault that nobody foresaw", () => {
  test("is noted by the request's id, and nothing of the inside is shown", async () => {
    const { gateway } = await started();
    const catalogFor = () => {
      throw new TypeError("planted-inside");
    };
    const app = createApp({ ...gateway, catalogFor });
    const response = await app.request("/v1/skills", { headers: { "X-Request-ID": "request-1" } });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error_code: "INTERNAL", request_id: "request-1", details: [] });
    expect(text).not.toContain("planted");
    const detail = expect.stringContaining("TypeError: planted-inside");
    expect(gateway.logged).toEqual([
      { level: "error", event: "unexpected-fault", request_id: "request-1", detail },
    ]);
  });
});

describe("a failure", () => {
  test.each<[number, string]>([
    [0, "0"],
    [1, "1"],
    [2_140, "3"],
  ])("that says to wait %d ms has a Retry-After of %s seconds", async (retryAfterMs, header) => {
    const { gateway } = await started();
    const refusal = {
      code: "RATE_LIMIT_EXCEEDED",
      bucket: "this key",
      max: 5,
      window: "minute",
      retryAfterMs,
    } as const;
    const app = createApp({ ...gateway, identify: async () => ({ ok: false, failure: refusal }) });
    const response = await app.request("/v1/skills");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, header]);
  });
});

describe("the routes", () => {
  test("are the operations that the description has, and no others", async () => {
    const { app } = await started();
    const routes = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)(?:\{.+\})?/g, "{$1}")}`);
    expect([...new Set(routes)].sort()).toEqual(
      operations.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });
});
