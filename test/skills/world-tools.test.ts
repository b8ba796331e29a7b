import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/json.ts";
import { played } from "./played.ts";

// The clock of these tests stands at noon of Saturday, 28 February 2026, UTC.
const tools = (): ReturnType<typeof played> => played("world-tools");

describe("the current time", () => {
  test.each([
    ["UTC", "2026-02-28T12:00:00+00:00", "2026-02-28", "12:00:00", "Saturday"],
    ["Asia/Shanghai", "2026-02-28T20:00:00+08:00", "2026-02-28", "20:00:00", "Saturday"],
    ["Pacific/Auckland", "2026-03-01T01:00:00+13:00", "2026-03-01", "01:00:00", "Sunday"],
    ["America/New_York", "2026-02-28T07:00:00-05:00", "2026-02-28", "07:00:00", "Saturday"],
    ["Asia/Kolkata", "2026-02-28T17:30:00+05:30", "2026-02-28", "17:30:00", "Saturday"],
  ])("in %s", async (timezone, iso_time, date, time, weekday) => {
    const { data, sandbox } = await tools();
    const expected = { timezone, iso_time, date, time, weekday, unix_seconds: 1_772_280_000 };
    expect(await data("get_current_time", { timezone })).toEqual(expected);
    expect(sandbox.requests().count).toBe(0);
  });

  test("is that of UTC where no zone is said", async () => {
    const { data } = await tools();
    expect(await data("get_current_time", {})).toMatchObject({ timezone: "UTC", date: "2026-02-28" });
  });

  test.each(["Moon/Base", "上海"])("in %s, where no zone is, fails and says so", async (timezone) => {
    const { failure } = await tools();
    expect(await failure("get_current_time", { timezone })).toMatchObject({
      code: "EXPRESSION_FAILED",
      reason: expect.stringContaining(timezone),
    });
  });
});

describe("arithmetic", () => {
  test.each<[string, JsonValue]>([
    ["0.1 + 0.2", 0.3],
    ["(3 + 4) * 2^10 / 7", 1024],
    ["2^100", "1267650600228229401496703205376"],
    ["200 * 15%", 30],
    ["（3＋4）×2", 14],
    ["sqrt(2)^2", 2],
  ])("%s = %j", async (expression, result) => {
    const { data } = await tools();
    expect(await data("calculate_math", { expression })).toEqual({ expression, result });
  });

  test.each(["1 / 0", "2 +", "import('fs')", "x + 1", "1; 2"])("%s is no sum", async (expression) => {
    const { failure } = await tools();
    expect(await failure("calculate_math", { expression })).toMatchObject({ code: "EXPRESSION_FAILED" });
  });
});

describe("a search of the web", () => {
  test("gives titles, addresses and plain snippets", async () => {
    const { data } = await tools();
    const found = (await data("search_web", { query: "model context protocol", count: 1 })) as {
      results: Record<string, string>[];
    };
    expect(found.results).toEqual([
      {
        title: "Model Context Protocol",
        url: "https://encyclopedia.example.org/model-context-protocol",
        snippet: expect.not.stringContaining("<"),
        site: "Example Encyclopedia",
        published: "2026-01-18T00:00:00",
      },
    ]);
  });

  test("keeps to what is fresh, in the language asked for", async () => {
    const { data, sandbox } = await tools();
    await data("search_web", { query: "半导体", language: "zh-hans", freshness: "week", page: 1 });
    const query = new URLSearchParams(sandbox.requests().requests[0]?.query);
    expect(Object.fromEntries(query)).toEqual({
      q: "半导体",
      freshness: "pw",
      result_filter: "web",
      text_decorations: "false",
      count: "5",
      offset: "1",
      search_lang: "zh-hans",
    });
  });

  test("that finds nothing says so by an empty list", async () => {
    const { data } = await tools();
    expect(await data("search_web", { query: "zzzzzz" })).toEqual({
      query: "zzzzzz",
      results: [],
      more: false,
    });
  });

  test("with a wrong key fails as that", async () => {
    const { failure } = await played("world-tools", {}, "another-key");
    expect(await failure("search_web", { query: "x" })).toMatchObject({
      code: "UPSTREAM_REJECTED",
      upstream: { status: 422, code: "SUBSCRIPTION_TOKEN_INVALID" },
      kind: "unauthenticated",
    });
  });

  test("beyond the limit knows how long to wait", async () => {
    const { data, failure } = await played("world-tools", { requestsPerMinute: 1 });
    await data("search_web", { query: "bitcoin" });
    expect(await failure("search_web", { query: "gold" })).toMatchObject({
      code: "UPSTREAM_RATE_LIMITED",
      retryAfterMs: 60_000,
    });
  });

  test("counts against its limits, while the time and arithmetic do not", async () => {
    const { data, surroundings } = await tools();
    await data("get_current_time", {});
    await data("calculate_math", { expression: "1 + 1" });
    expect(surroundings.admissions).toEqual([]);
    await data("search_web", { query: "gold" });
    expect(surroundings.admissions).toHaveLength(1);
  });
});
