import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KEY, started } from "../started.ts";

/** A Monday morning in Shanghai. */
const NOW = Date.UTC(2026, 2, 16, 3, 20);
const now = (): number => NOW;
const ROOT = "/stock-circles/restapi/guyouquan";
const RETRIEVAL = `${ROOT}/e-server-transfer-service/dify/retrieval`;
const HOLDINGS = `${ROOT}/follow-svc/option/stockFriendCircle/queryHotStock`;
const headers = { "X-API-Key": KEY };

const share = z.number().min(0).max(1);
const chunk = z.strictObject({
  chunk_id: z.string(),
  doc_id: z.string(),
  content_with_weight: z.string(),
  docnm_kwd: z.string(),
  similarity: share,
  vector_similarity: share,
  term_similarity: share,
  title: z.literal(""),
  url: z.string(),
});
const retrieved = z.strictObject({
  status: z.literal(1),
  msg: z.literal(""),
  records: z.array(z.strictObject({ total: z.int(), chunks: z.array(chunk) })).length(1),
});
const held = z.strictObject({
  status: z.literal(1),
  msg: z.literal(""),
  results: z.array(
    z.strictObject({
      stockCode: z.string().regex(/^\d{6}$/),
      stockName: z.string(),
      market: z.enum(["SH", "SZ"]),
      holdNum: z.int().positive(),
      dt: z.iso.date(),
      tradeDate: z.iso.date(),
      rzrqFlag: z.enum(["0", "1"]),
    }),
  ),
});

async function post(path: string, body: unknown, options: Parameters<typeof started>[0] = { now }) {
  const { ask } = await started(options);
  const { status, text } = await ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status, json: JSON.parse(text) as unknown };
}

async function retrieve(collection: string, query: string, top_k = 10, score_threshold = 0.1) {
  const body = { knowledge_id: collection, query, retrieval_setting: { top_k, score_threshold } };
  const { records } = retrieved.parse((await post(RETRIEVAL, body)).json);
  return { total: records[0]?.total ?? 0, chunks: records[0]?.chunks ?? [] };
}

function holdings(circleId: number, options: Parameters<typeof started>[0] = { now }) {
  const body = { channel: "test", requestId: "request-1", body: { circleId, sortType: "1" } };
  return post(HOLDINGS, body, options);
}

describe("retrieval of circles", () => {
  test.each([
    ["半导体有哪些热门圈子", "半导体观察（圈子ID：118）"],
    ["有没有聊白酒的圈子", "白酒研究社（圈子ID：206）"],
    ["固态电池", "固态电池前沿（圈子ID：318）"],
    ["黄金最近怎么样", "黄金与有色（圈子ID：702）"],
  ])("finds for %s the circle %s", async (question, expected) => {
    const { chunks } = await retrieve("circle-profiles", question, 3);
    expect(chunks.map(({ content_with_weight }) => content_with_weight).join()).toContain(expected);
  });

  test("gives the most similar first, as many as asked for, and says how many there are", async () => {
    const all = await retrieve("circle-profiles", "新能源车和电池有哪些圈子", 50);
    const similarities = all.chunks.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((left, right) => right - left));
    const some = await retrieve("circle-profiles", "新能源车和电池有哪些圈子", 2);
    expect([some.total, some.chunks]).toEqual([all.total, all.chunks.slice(0, 2)]);
  });

  test("leaves out what is below the threshold", async () => {
    const { chunks } = await retrieve("circle-profiles", "半导体", 50, 0.6);
    for (const { similarity } of chunks) expect(similarity).toBeGreaterThan(0.6);
  });

  test("finds nothing for what nobody speaks of", async () => {
    expect(await retrieve("circle-profiles", "zebra")).toEqual({ total: 0, chunks: [] });
  });
});

describe("retrieval of posts", () => {
  test("gives posts with circle, date and sometimes votes, none of the future", async () => {
    const { chunks } = await retrieve("circle-posts", "白酒圈最近在聊什么", 50);
    expect(chunks.length).toBeGreaterThan(10);
    for (const { content_with_weight: text } of chunks) {
      const [, date] = /^【.+（圈子ID：\d+）】(\d{4}-\d{2}-\d{2}) 发布：/.exec(text) ?? [];
      expect(Date.parse(date ?? "")).toBeLessThanOrEqual(NOW);
    }
    expect(chunks.some(({ content_with_weight }) => content_with_weight.includes("投票数："))).toBe(true);
  });

  test("keeps the posts of a day when another day has begun", async () => {
    const body = { knowledge_id: "circle-posts", query: "白酒", retrieval_setting: { top_k: 50 } };
    const texts = async (time: number): Promise<string[]> => {
      const { json } = await post(RETRIEVAL, body, { now: () => time });
      return retrieved.parse(json).records[0]?.chunks.map((found) => found.content_with_weight) ?? [];
    };
    const later = await texts(NOW + 86_400_000);
    const missing = (await texts(NOW)).filter((text) => !later.includes(text));
    expect(missing.length).toBeLessThanOrEqual(5);
  });
});

describe("holdings", () => {
  test("are counted by stock, the most held first, as of the trading day before", async () => {
    const { results } = held.parse((await holdings(118)).json);
    expect(results.length).toBeGreaterThan(2);
    const counts = results.map(({ holdNum }) => holdNum);
    expect(counts).toEqual([...counts].sort((left, right) => right - left));
    // The day before a Monday is a Friday.
    for (const row of results) expect([row.dt, row.tradeDate]).toEqual(["2026-03-16", "2026-03-13"]);
  });

  test("are the same all day, and change with the day", async () => {
    const evening = await holdings(118, { now: () => NOW + 6 * 3_600_000 });
    const tomorrow = await holdings(118, { now: () => NOW + 24 * 3_600_000 });
    const first = await holdings(118);
    expect(evening).toEqual(first);
    expect(tomorrow).not.toEqual(first);
  });

  test("of no such circle are an error in a reply of status 200", async () => {
    expect(await holdings(7)).toEqual({
      status: 200,
      json: { status: 0, msg: "圈子不存在", error_code: "CIRCLE_NOT_FOUND" },
    });
  });
});

describe("refusals", () => {
  const question = { knowledge_id: "circle-profiles", query: "白酒", retrieval_setting: { top_k: 3 } };

  test.each([
    ["no body", RETRIEVAL, undefined, "INVALID_PARAMETER"],
    ["no question", RETRIEVAL, { ...question, query: " " }, "INVALID_PARAMETER"],
    [
      "an id with letters",
      HOLDINGS,
      { channel: "c", requestId: "r", body: { circleId: "圈子118", sortType: "1" } },
      "INVALID_PARAMETER",
    ],
    [
      "another order",
      HOLDINGS,
      { channel: "c", requestId: "r", body: { circleId: 118, sortType: "2" } },
      "INVALID_PARAMETER",
    ],
    ["an unknown collection", RETRIEVAL, { ...question, knowledge_id: "x" }, "KNOWLEDGE_NOT_FOUND"],
  ])("for %s", async (_what, path, body, code) => {
    const { status, json } = await post(path, body);
    expect([status, json]).toEqual([200, { status: 0, msg: expect.stringMatching(/./), error_code: code }]);
  });

  test.each([
    ["no key", {}, 401],
    ["a wrong key", { "X-API-Key": "no" }, 403],
  ])("for %s", async (_what, sent, expected) => {
    const { ask } = await started({ now });
    const { status } = await ask(RETRIEVAL, {
      method: "POST",
      headers: sent,
      body: JSON.stringify(question),
    });
    expect(status).toBe(expected);
  });

  test("of too many in a minute pass, those of too many in a day do not", async () => {
    let time = NOW;
    const { ask } = await started({ now: () => time, requestsPerMinute: 1 });
    const init = { method: "POST", headers, body: JSON.stringify(question) };
    const codes = new Set<string>();
    for (let minute = 0; minute < 11; minute++) {
      expect(JSON.parse((await ask(RETRIEVAL, init)).text).status).toBe(minute < 10 ? 1 : 0);
      const { headers: received, text } = await ask(RETRIEVAL, init);
      codes.add(JSON.parse(text).error_code);
      expect(received.get("Retry-After")).not.toBeNull();
      time += 60_000;
    }
    expect([...codes]).toEqual(["RATE_LIMIT_EXCEEDED"]);
    const { status, text, headers: received } = await ask(RETRIEVAL, init);
    expect([status, JSON.parse(text).error_code, received.get("Retry-After")]).toEqual([
      429,
      "DAILY_QUOTA_EXCEEDED",
      null,
    ]);
  });
});

test("a request's id comes back", async () => {
  const { ask } = await started({ now });
  const { headers: received } = await ask(RETRIEVAL, {
    method: "POST",
    headers: { ...headers, "X-Request-ID": "request-7" },
    body: "{}",
  });
  expect(received.get("X-Request-ID")).toBe("request-7");
});
