import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KEY, type Started, started } from "../started.ts";

const NOW = Date.UTC(2026, 2, 12, 3, 20);
const PATH = "/brave-search/res/v1/web/search";
const headers = { "X-Subscription-Token": KEY };

const result = z.strictObject({
  title: z.string(),
  url: z.url(),
  is_source_local: z.boolean(),
  is_source_both: z.boolean(),
  description: z.string(),
  page_age: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
  profile: z.strictObject({ name: z.string(), url: z.url(), long_name: z.string(), img: z.url() }),
  language: z.string(),
  family_friendly: z.boolean(),
  type: z.literal("search_result"),
  subtype: z.literal("generic"),
  is_live: z.boolean(),
  meta_url: z.strictObject({
    scheme: z.literal("https"),
    netloc: z.string(),
    hostname: z.string(),
    favicon: z.url(),
    path: z.string(),
  }),
  age: z.string(),
});
const reply = z.object({
  type: z.literal("search"),
  query: z.object({ original: z.string(), more_results_available: z.boolean() }),
  mixed: z.object({ main: z.array(z.object({ type: z.literal("web"), index: z.int() })) }),
  web: z
    .strictObject({
      type: z.literal("search"),
      results: z.array(result).min(1),
      family_friendly: z.boolean(),
    })
    .optional(),
});

async function searched(query: string, { ask }: Pick<Started, "ask">) {
  const { status, text } = await ask(`${PATH}?${encodeURI(query)}`, { headers });
  expect([status, text]).toEqual([200, expect.anything()]);
  return reply.parse(JSON.parse(text));
}

async function search(query: string) {
  return searched(query, await started({ now: () => NOW }));
}

describe("a search", () => {
  test("finds the pages that have its words, the best first", async () => {
    const { web, query } = await search("q=model context protocol");
    expect(query.original).toBe("model context protocol");
    expect(web?.results[0]?.title).toBe("Model Context Protocol");
  });

  test("finds pages in Chinese", async () => {
    const { web } = await search("q=半导体设备&search_lang=zh-hans");
    expect(web?.results[0]).toMatchObject({ title: "半导体设备国产化提速", language: "zh" });
  });

  test("marks its words unless the caller says no", async () => {
    expect((await search("q=bitcoin")).web?.results[0]?.description).toContain("<strong>Bitcoin</strong>");
    const { web } = await search("q=bitcoin&text_decorations=false");
    expect(web?.results[0]?.description).not.toContain("<strong>");
  });

  test.each([
    ["pd", 1],
    ["pw", 7],
    ["pm", 31],
  ])("with the freshness %s finds nothing older than %i days", async (freshness, days) => {
    const { web } = await search(`q=半导体 白酒 天气 rally rates gold&freshness=${freshness}`);
    for (const { page_age } of web?.results ?? [])
      expect(NOW - Date.parse(`${page_age}Z`)).toBeLessThan((days + 1) * 86_400_000);
    expect(web?.results.length).toBeGreaterThan(0);
  });

  test("keeps to a range of dates", async () => {
    const { web } = await search("q=示例 半导体 白酒 天气&freshness=2026-03-11to2026-03-11");
    expect(web?.results.map(({ page_age }) => page_age.slice(0, 10))).toEqual(["2026-03-11"]);
  });

  test("goes through its results page by page, none twice", async () => {
    const sandbox = await started({ now: () => NOW });
    const seen: string[] = [];
    let more = true;
    for (let offset = 0; more; offset++) {
      const { web, query } = await searched(`q=the of and in&count=3&offset=${offset}`, sandbox);
      seen.push(...(web?.results ?? []).map(({ url }) => url));
      more = query.more_results_available;
    }
    expect(seen.length).toBeGreaterThan(6);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("that finds nothing has no web results", async () => {
    const { web, mixed } = await search("q=zzzzzz");
    expect([web, mixed.main]).toEqual([undefined, []]);
  });
});

describe("refusals", () => {
  async function refused(path: string, sent: Record<string, string>, requestsPerMinute = 0) {
    const { ask } = await started({ now: () => NOW, requestsPerMinute });
    for (let count = 0; count < requestsPerMinute; count++) await ask(path, { headers: sent });
    const { status, text, headers: received } = await ask(path, { headers: sent });
    const { type, error, time } = JSON.parse(text);
    expect([type, error.status, time]).toEqual(["ErrorResponse", status, NOW / 1000]);
    return { code: error.code, meta: error.meta, status, received };
  }

  test("of a wrong key come before those of a wrong question", async () => {
    const { status, code } = await refused(PATH, { "X-Subscription-Token": "no" });
    expect([status, code]).toEqual([422, "SUBSCRIPTION_TOKEN_INVALID"]);
  });

  test("of no key name the header", async () => {
    const { status, code, meta } = await refused(`${PATH}?q=x`, {});
    expect([status, code]).toEqual([422, "VALIDATION"]);
    expect(meta.errors[0].loc).toEqual(["header", "x-subscription-token"]);
  });

  test.each([
    ["no words", "", "q"],
    ["too many characters", `q=${"x".repeat(401)}`, "q"],
    ["too many words", `q=${"x%20".repeat(51)}`, "q"],
    ["too many results", "q=x&count=21", "count"],
    ["a page too far", "q=x&offset=10", "offset"],
    ["an unknown age", "q=x&freshness=ph", "freshness"],
  ])("of %s name the parameter", async (_what, query, name) => {
    const { status, code, meta } = await refused(`${PATH}?${query}`, headers);
    expect([status, code, meta.errors[0].loc]).toEqual([422, "VALIDATION", ["query", name]]);
  });

  test("of one too many in a minute say when there is room again", async () => {
    const { status, code, received } = await refused(`${PATH}?q=x`, headers, 1);
    expect([status, code, received.get("X-RateLimit-Reset")]).toEqual([429, "RATE_LIMITED", "60, 60"]);
  });
});
