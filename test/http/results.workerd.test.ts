import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { ask, call, objectOf, type Reply } from "./ask.ts";
import { arrivals, calm, order, put } from "./upstream.ts";

const CURRENCIES = "/frankfurter/v1/currencies";

const nothing = { type: "object", properties: {} };
const currencies = { parameters: nothing, request: { method: "GET", path: "/currencies" } };

beforeAll(async () => {
  await put("results", {
    upstream: {
      base_url: "https://api.frankfurter.dev/v1",
      base_url_variable: "FRANKFURTER_BASE_URL",
      timeout: "2s",
    },
    functions: [
      {
        name: "kept_currencies",
        description: "Names currencies, kept.",
        cache: { ttl: "60s" },
        ...currencies,
      },
      {
        name: "wrong_currencies",
        description: "Says that it gives something else.",
        returns: { type: "object", properties: { EUR: { type: "integer" }, XXX: {} }, required: ["XXX"] },
        ...currencies,
      },
      {
        name: "many_rates",
        description: "Gives the rates of two months.",
        parameters: nothing,
        request: { method: "GET", path: "/2026-01-01..2026-02-28" },
      },
      {
        name: "long_text",
        description: "Makes a long list of texts in two scripts.",
        parameters: nothing,
        compute: 'lists.range(400).map(n, "行 😀 \\"" + string(n) + "\\"")',
      },
    ],
  });
  await put("searches", {
    upstream: {
      base_url: "https://api.search.brave.com/res/v1",
      base_url_variable: "BRAVE_SEARCH_BASE_URL",
    },
    constraints: {
      authentication: {
        method: "api_key",
        header: "X-Subscription-Token",
        env_variable: "BRAVE_SEARCH_API_KEY",
      },
    },
    functions: [
      {
        name: "search_all",
        description: "Searches the web, and gathers all pages that there are.",
        parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
        request: {
          method: "GET",
          path: "/web/search",
          query: { q: "${q}", count: 1 },
        },
        paginate: {
          kind: "page",
          parameter: "offset",
          first: 0,
          more: "body.query.more_results_available",
          max_pages: 3,
        },
        response: { data: "body.web.results.map(one, one.url)" },
      },
    ],
  });
});
afterAll(async () => {
  for (const name of ["results", "searches"]) await ask(`/v1/skills/${name}`, { method: "DELETE" });
});
beforeEach(calm);
afterEach(() => vi.restoreAllMocks());

function metaOf({ json }: Reply): JsonObject {
  return objectOf(objectOf(json).meta);
}

function dataOf({ json }: Reply): JsonValue {
  return objectOf(json).data ?? null;
}

describe("a result that is larger than was asked for", () => {
  test("comes page by page over HTTP, and the pages make up its JSON text", async () => {
    const whole = await call("long_text", {});
    expect(metaOf(whole).page).toBeNull();
    const first = await call("long_text", {}, "?max_chars=1000");
    const text = [dataOf(first)];
    for (let page = objectOf(metaOf(first).page); page.complete === false; ) {
      const { result, next_offset, total_chars } = page;
      const next = await ask(`/v1/invoke/long_text?max_chars=1000&result=${result}&offset=${next_offset}`, {
        method: "POST",
      });
      expect(next.status).toBe(200);
      expect([...JSON.stringify(dataOf(next))].length).toBeLessThanOrEqual(1_000);
      page = objectOf(metaOf(next).page);
      expect(page).toMatchObject({ result, offset: next_offset, total_chars });
      text.push(dataOf(next));
    }
    expect(JSON.parse(text.join(""))).toEqual(dataOf(whole));
    expect(text.length).toBeGreaterThan(5);
  });

  test("comes whole where the bound allows for it", async () => {
    const { json } = await call("kept_currencies", {}, "?max_chars=1000000");
    expect(json).toMatchObject({ data: { EUR: "Euro" }, meta: { page: null } });
  });

  test("calls nothing again for its next page", async () => {
    const first = await call("many_rates", {}, "?max_chars=1000");
    expect(await arrivals()).toHaveLength(1);
    const page = objectOf(metaOf(first).page);
    await calm();
    const query = `?result=${page.result}&offset=${page.next_offset}`;
    const { json } = await call("many_rates", {}, query);
    expect(json).toMatchObject({ meta: { attempts: 0, page: { complete: true, next_offset: null } } });
    expect(await arrivals()).toEqual([]);
  });

  test("says where it is gone, and where an offset is beyond its end", async () => {
    const gone = await call("long_text", {}, `?result=${"0".repeat(64)}&offset=10`);
    expect([gone.status, gone.json]).toMatchObject([410, { error_code: "RESULT_GONE", retryable: true }]);
    const { result } = objectOf(metaOf(await call("long_text", {}, "?max_chars=1000")).page);
    const beyond = await call("long_text", {}, `?result=${result}&offset=999999`);
    expect([beyond.status, beyond.json]).toMatchObject([
      400,
      { error_code: "INVALID_REQUEST", details: [{ path: "/offset" }] },
    ]);
  });

  test.each<[string, string]>([
    ["max_chars=999", "/max_chars"],
    ["max_chars=1000001", "/max_chars"],
    ["max_chars=1e3", "/max_chars"],
    ["max_chars=-1", "/max_chars"],
    ["max_chars=", "/max_chars"],
    ["offset=0", "/offset"],
    [`offset=1.5&result=${"0".repeat(64)}`, "/offset"],
    ["result=unknown", "/result"],
  ])("is not asked for by %s", async (query, path) => {
    const { status, json } = await call("long_text", {}, `?${query}`);
    expect([status, json]).toMatchObject([400, { error_code: "INVALID_REQUEST", details: [{ path }] }]);
  });
});

describe("a result that was kept", () => {
  test("says its age in seconds", async () => {
    await call("kept_currencies", {});
    const { headers, json } = await call("kept_currencies", {});
    expect(json).toMatchObject({ meta: { cached: true, attempts: 0 } });
    expect(headers.get("age")).toMatch(/^\d{1,2}$/);
    expect((await call("many_rates", {})).headers.get("age")).toBeNull();
  });
});

describe("a result that is not as its function says", () => {
  test("is given with what is wrong with it, and noted without its values", async () => {
    const logged = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { status, json } = await call("wrong_currencies", {});
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: { EUR: "Euro" },
      meta: {
        returns_faults: {
          count: 2,
          listed: expect.arrayContaining([
            { path: "/XXX", rule: "required", expected: "a value", got: "nothing" },
            { path: "/EUR", rule: "type", expected: expect.any(String), got: '"Euro"' },
          ]),
        },
      },
    });
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        event: "returns-fault",
        function: "wrong_currencies",
        count: 2,
        faults: [{ path: "/XXX" }, { path: "/EUR" }],
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("Euro");
  });
});

describe("a list in pages", () => {
  test("is gathered over HTTP, and what was left out is said", async () => {
    const { status, json } = await call("search_all", {
      q: "the price of gold, how banks and tools are used",
    });
    expect([status, json]).toMatchObject([
      200,
      {
        data: [expect.any(String), expect.any(String), expect.any(String)],
        meta: { attempts: 3, pages: { count: 3, complete: false, stopped_by: "max_pages", next: 3 } },
      },
    ]);
    expect((await arrivals()).map(({ query }) => new URLSearchParams(query).get("offset"))).toEqual([
      "0",
      "1",
      "2",
    ]);
  });

  test("fails as a whole where the upstream fails to give one", async () => {
    await order("/brave-search/res/v1/web/search", "status=400");
    const { json } = await call("search_all", { q: "the price of gold, how banks and tools are used" });
    expect(json).toMatchObject({ error_code: "UPSTREAM_REJECTED" });
    expect(await arrivals()).toHaveLength(1);
  });
});

test("a fault of the upstream is never kept", async () => {
  await order(CURRENCIES, "status=404,times=1");
  expect((await call("wrong_currencies", {})).status).toBe(502);
  expect((await call("wrong_currencies", {})).status).toBe(200);
});
