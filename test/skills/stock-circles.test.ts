import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { played } from "./played.ts";

// The clock of these tests stands at 20:00 of Saturday, 28 February 2026, in Shanghai.
const circles = (): ReturnType<typeof played> => played("stock-circles");

interface Found {
  circles: { circle_id: number; name: string }[];
}

describe("stock circles", () => {
  test("are found three at a time, with the integer that the holdings need", async () => {
    const { data } = await circles();
    const found = (await data("search_circle", { question: "半导体有哪些热门圈子" })) as unknown as Found;
    expect(found.circles).toHaveLength(3);
    expect(found.circles[0]).toMatchObject({ circle_id: 118, name: "半导体观察" });
    const holdings = await data("hot_holdings", { circle_id: found.circles[0]?.circle_id ?? 0 });
    expect(holdings).toMatchObject({ data_date: "2026-02-28", trade_date: "2026-02-27" });
  });

  test("have posts with a date and, where there was a poll, votes", async () => {
    const { data } = await circles();
    const { posts } = (await data("hot_posts", { question: "白酒圈最近在聊什么", top_k: 50 })) as unknown as {
      posts: { content: string; date: string; votes: number | null }[];
    };
    for (const { content, date, votes } of posts) {
      expect(content).toContain(`】${date} 发布：`);
      expect(content.includes("投票数")).toBe(votes !== null);
      if (votes !== null) expect(content).toContain(`投票数：${votes}）`);
    }
    expect(posts.filter(({ votes }) => votes !== null).length).toBeGreaterThan(0);
  });

  test("answer for a subject in one call as they do in two", async () => {
    const { data } = await circles();
    const chained = await data("find_circle_holdings", { question: "白酒圈的人都持有什么" });
    const { holdings, trade_date } = (await data("hot_holdings", { circle_id: 206 })) as {
      holdings: unknown;
      trade_date: unknown;
    };
    expect(chained).toMatchObject({ circle: { circle_id: 206, name: "白酒研究社" }, trade_date, holdings });
  });

  test("ask for no holdings where no circle fits", async () => {
    const { data, sandbox } = await circles();
    expect(await data("find_circle_holdings", { question: "zebra" })).toEqual({
      circle: null,
      data_date: null,
      trade_date: null,
      holdings: [],
    });
    expect(sandbox.requests().count).toBe(1);
  });

  test("can be followed by the request's id on both channels", async () => {
    const { data, sandbox } = await circles();
    await data("search_circle", { question: "白酒" });
    await data("hot_holdings", { circle_id: 206 });
    expect(sandbox.requests().requests.map(({ headers }) => headers["x-request-id"])).toEqual([
      "request-1",
      "request-1",
    ]);
  });
});

test("the operator's variables say which collections and which channel are asked", async () => {
  const { skill, surroundings } = await circles();
  const bodyOf = async (name: string, args: JsonObject): Promise<JsonValue> => {
    const plan = await surroundings.dryRun(skill, name, args);
    return plan.ok && typeof plan.value.body === "string" ? JSON.parse(plan.value.body) : null;
  };
  expect(await bodyOf("hot_posts", { question: "白酒" })).toEqual({
    knowledge_id: "circle-posts",
    query: "白酒",
    retrieval_setting: { top_k: 10, score_threshold: 0.1 },
  });
  const vars = { SKILL_STOCK_CIRCLES_PROFILES_ID: "kb-7", SKILL_STOCK_CIRCLES_CHANNEL: "app" };
  Object.assign(surroundings.dependencies, { vars });
  expect(await bodyOf("search_circle", { question: "白酒" })).toMatchObject({ knowledge_id: "kb-7" });
  expect(await bodyOf("hot_holdings", { circle_id: 118 })).toEqual({
    channel: "app",
    requestId: "request-1",
    body: { circleId: 118, sortType: "1" },
  });
});

describe("what goes wrong", () => {
  test("says what it means though the status says that all is well", async () => {
    const { failure } = await circles();
    expect(await failure("hot_holdings", { circle_id: 7 })).toMatchObject({
      code: "UPSTREAM_REJECTED",
      upstream: { status: 200, code: "CIRCLE_NOT_FOUND", message: "圈子不存在" },
      kind: "not_found",
    });
  });

  test("takes an id with words around it for a wrong argument", async () => {
    const { failure } = await circles();
    expect(await failure("hot_holdings", { circle_id: "圈子118" })).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
  });

  test("tells a wrong key from a wrong question", async () => {
    const { failure } = await played("stock-circles", {}, "another-key");
    expect(await failure("search_circle", { question: "白酒" })).toMatchObject({
      code: "UPSTREAM_REJECTED",
      upstream: { code: "FORBIDDEN" },
      kind: "unauthenticated",
    });
  });

  test("waits out a limit of the minute, and gives up at that of the day", async () => {
    const { data, failure, surroundings, skill } = await played("stock-circles", { requestsPerMinute: 1 });
    const questions = ["白酒", "半导体", "黄金"];
    await data("search_circle", { question: questions[0] ?? "" });
    expect(await failure("search_circle", { question: questions[1] ?? "" })).toMatchObject({
      code: "UPSTREAM_RATE_LIMITED",
      upstream: { code: "RATE_LIMIT_EXCEEDED" },
      retryAfterMs: expect.any(Number),
    });
    for (let minute = 1; minute < 10; minute++) {
      surroundings.advance(60_000);
      await data("hot_posts", { question: `白酒 ${minute}` });
    }
    surroundings.advance(60_000);
    const before = surroundings.pauses.length;
    const refused = await surroundings.call(skill, "search_circle", { question: questions[2] ?? "" });
    expect(refused).toMatchObject({
      ok: false,
      failure: { code: "UPSTREAM_QUOTA_EXHAUSTED", upstream: { code: "DAILY_QUOTA_EXCEEDED" } },
    });
    expect(surroundings.pauses).toHaveLength(before);
  });
});
